// SPDX-License-Identifier: GPL-3.0-or-later
// A box on the colour of paper, with a bold title: for pages whose parts are texts.
#pragma once

#include <QFrame>
#include <QVBoxLayout>
#include <initializer_list>

#include "ui/window/labels.h"

namespace suture {

class PaperBox : public QFrame {
public:
    PaperBox(const QString& title, QWidget* parent) : QFrame(parent), column_(new QVBoxLayout(this)) {
        setAutoFillBackground(true);
        setBackgroundRole(QPalette::Base);
        auto* heading = make_label({}, this);
        heading->setText(title);
        set_bold(heading, 1.08);
        column_->setContentsMargins(14, 12, 14, 12);
        column_->setSpacing(8);
        column_->addWidget(heading);
    }
    /// One below the other; what room is left stays below them.
    void fill(std::initializer_list<QWidget*> parts) {
        for (QWidget* part : parts) column_->addWidget(part);
        column_->addStretch();
    }

private:
    QVBoxLayout* column_;
};

/// Text that wraps, and that can be selected.
inline QLabel* make_paragraph(const QString& name, QWidget* parent) {
    QLabel* label = make_label(name, parent);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace suture
