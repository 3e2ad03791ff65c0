// SPDX-License-Identifier: GPL-3.0-or-later
// Several texts side by side, a colour for what each of them means.
#pragma once

#include <QFrame>
#include <vector>

#include "core/base/figure.h"

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace suture {

struct TextPane {
    QString title;
    Role role = Role::Neutral;
    QString text;
    QString note;  ///< below the text
};

/// One text with its title, read-only. What is added at the end of the text leaves selection and scroll position alone.
class PaneView : public QFrame {
    Q_OBJECT
public:
    explicit PaneView(QWidget* parent);
    void show_pane(const TextPane& pane);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Role role_ = Role::Neutral;
    QLabel *title_, *note_;
    QPlainTextEdit* text_;
};

class TextPanes : public QWidget {
    Q_OBJECT
public:
    /// `empty`: what is said while there is no text. Panes are named "<name>.0", "<name>.1", …
    TextPanes(const QString& name, const QString& empty, QWidget* parent);
    void set_panes(const std::vector<TextPane>& panes);

private:
    QStackedWidget* stack_;
    QWidget* row_;
    QHBoxLayout* beside_;
    std::vector<PaneView*> views_;
};

}  // namespace suture
