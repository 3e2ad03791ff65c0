// SPDX-License-Identifier: GPL-3.0-or-later
// Small labels that follow the theme by themselves.
#pragma once

#include <QFontMetrics>
#include <QLabel>
#include <QPushButton>

namespace suture {

inline QLabel* make_label(const QString& name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// For what is said in passing: captions, questions, units.
inline QLabel* make_muted_label(const QString& name, QWidget* parent) {
    QLabel* label = make_label(name, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

inline void set_bold(QWidget* widget, qreal scale = 1) {
    QFont font = widget->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * scale);
    widget->setFont(font);
}

/// Air around a button's text.
inline void give_room(QPushButton* button) { button->setMinimumSize(button->sizeHint().width() + 24, button->fontMetrics().height() + 14); }

/// A label that shortens its text at the right instead of asking for more room; the whole text is its tooltip.
class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;
    void set_whole(const QString& text) {
        whole_ = text;
        shorten();
    }
    const QString& whole() const { return whole_; }
    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        shorten();
    }

private:
    void shorten() {
        const QString shown = fontMetrics().elidedText(whole_, Qt::ElideRight, width());
        if (shown != text()) setText(shown);
        setToolTip(shown == whole_ ? QString() : whole_);
    }
    QString whole_;
};

}  // namespace suture
