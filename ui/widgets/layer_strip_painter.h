// SPDX-License-Identifier: GPL-3.0-or-later
// How a layer strip looks. Internal to the widget.
#pragma once

#include <QPainter>
#include <QString>

#include "ui/theme/theme.h"

namespace suture {

class LayerStripPainter {
public:
    /// `layer_count` and `greatest` scale the columns for indices and bars.
    LayerStripPainter(QPainter& painter, const QFont& font, Theme theme, int layer_count, double greatest);

    struct LayerLook {
        int layer = 0;
        double value = 0;  ///< NaN: unknown
        bool removed = false, guarded = false, focused = false, hovered = false;
    };
    void header(const QRect& place, const QString& title);
    void layer(const QRect& place, const LayerLook& look);
    void seam(const QRect& place, const QString& words);
    /// What is being typed, over the bottom of the strip; a problem below it.
    void typing(const QRect& viewport, const QString& typed, const QString& problem);

private:
    void lock(const QRect& place) const;
    /// A cross at the left of `place`, and behind the bar a line that strikes the rest.
    void removed_mark(const QRect& place, int bar_end) const;

    QPainter& painter_;
    QFont font_, small_;
    Theme theme_;
    int index_width_, value_width_;
    double greatest_;
};

}  // namespace suture
