// SPDX-License-Identifier: GPL-3.0-or-later
// One of several views of a page: it answers one part of the page's question.
#pragma once

#include <QWidget>
#include <vector>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "ui/session/results.h"
#include "ui/session/session.h"

namespace suture {

class PageView : public QWidget {
    Q_OBJECT
public:
    /// `id`: "evaluate.tasks"; `title` is on its switch, `question` beside it.
    PageView(const QString& id, QString title, QString question, Session& session, Results& results, QWidget* parent)
        : QWidget(parent), session_(session), results_(results), title_(std::move(title)), question_(std::move(question)) {
        setObjectName(id);
    }
    const QString& title() const { return title_; }
    const QString& question() const { return question_; }

    virtual QWidget* controls() = 0;
    /// Whether the choice of repairs to compare belongs to it.
    virtual bool compares_repairs() const { return true; }
    /// Tells live results what is wanted now, without starting anything.
    virtual void expect() = 0;
    /// Draws what the document and the results say now; called while the view is visible.
    virtual void refresh() = 0;
    virtual std::vector<Figure> figures() const = 0;
    virtual std::vector<Table> tables() const = 0;

Q_SIGNALS:
    void hovered(QString text);

protected:
    Session& session() const { return session_; }
    Results& results() const { return results_; }
    void refresh_if_seen() {
        if (isVisible()) refresh();
    }

private:
    Session& session_;
    Results& results_;
    QString title_, question_;
};

}  // namespace suture
