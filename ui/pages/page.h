// SPDX-License-Identifier: GPL-3.0-or-later
// One page of the window: it answers one question about the model and the cut.
#pragma once

#include <QWidget>
#include <vector>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "ui/session/results.h"
#include "ui/session/session.h"

namespace suture {

/// The window puts a page's controls() below the read-out on the right, shows question() above it, and calls refresh() once
/// when the page becomes visible and after every change of the document or of a shared result while it is.
class Page : public QWidget {
    Q_OBJECT
public:
    /// `id` names files and the widget ("similarity"); `title` is the tab's; `question` one sentence for people.
    Page(const QString& id, QString title, QString question, Session& session, Results& results, QWidget* parent = nullptr)
        : QWidget(parent), session_(session), results_(results), title_(std::move(title)), question_(std::move(question)) {
        setObjectName(id);
    }

    QString id() const { return objectName(); }
    const QString& title() const { return title_; }
    const QString& question() const { return question_; }

    /// The page's own controls, made by the page with the page as parent; null: it has none.
    virtual QWidget* controls() { return nullptr; }
    /// Draws what the document and the results say now. Must not run the model or wait; own Live values follow by want().
    virtual void refresh() = 0;
    /// What is shown, for reports.
    virtual std::vector<Figure> figures() const { return {}; }
    virtual std::vector<Table> tables() const { return {}; }

Q_SIGNALS:
    /// The data under the cursor, for the read-out; empty when the cursor left. Connect PlotWidget::hovered to it.
    void hovered(QString text);

protected:
    Session& session() const { return session_; }
    Results& results() const { return results_; }

private:
    Session& session_;
    Results& results_;
    QString title_, question_;
};

}  // namespace suture
