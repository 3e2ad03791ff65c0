// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong, in one sentence above the pages; nobody has to click it away before going on.
#pragma once

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace suture {

class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    void show_error(const QString& message, const QString& details);
    void dismiss();
    QString message() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* sentence_;
    QToolButton* more_;
    QPlainTextEdit* details_;
};

}  // namespace suture
