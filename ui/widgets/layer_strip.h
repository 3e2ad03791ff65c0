// SPDX-License-Identifier: GPL-3.0-or-later
// The decoder layers from input (top) to output, where a person chooses which to remove.
#pragma once

#include <QAbstractScrollArea>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/layers.h"
#include "ui/widgets/layer_strip_rows.h"

namespace suture {

struct LayerStripRow {
    double value = std::numeric_limits<double>::quiet_NaN();  ///< the chosen quantity, 0 … max; NaN: unknown
    bool removed = false;
};

/// What repairs a seam. `before_layer` is the kept layer behind it, or the layer count when the final norm comes next.
struct LayerStripSeam {
    int before_layer = 0;
    QString repair;
    double relative_error = std::numeric_limits<double>::quiet_NaN();
};

/// Click toggles a layer, drag gives a range the state of its first layer, Shift+click extends from there. Space toggles the
/// focused row, P (or the right button) protects it; Up, Down, Home, End and the page keys move the focus; typing "13-18" or "3,7-9" and
/// Enter removes exactly these, Escape forgets what was typed. The last kept layer stays.
class LayerStrip : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LayerStrip(QWidget* parent = nullptr);

    void set_layers(std::vector<LayerStripRow> rows, QString quantity_title);
    /// Doesn't emit removed_changed.
    void set_removed(const LayerSet& removed);
    /// Layers that no criterion and no search removes; a person still can.
    void set_protected(const LayerSet& layers);
    /// Seams of other cuts than the present one are ignored.
    void set_seams(std::vector<LayerStripSeam> seams);

    int layer_count() const { return int(rows_.size()); }
    const LayerSet& removed() const { return removed_; }
    const LayerSet& protected_layers() const { return protected_; }
    int focused_layer() const { return focused_; }
    /// What is being typed, and what is wrong with it.
    const QString& typed() const { return typed_; }
    const QString& problem() const { return problem_; }
    /// Where a layer's row is, in viewport coordinates.
    QRect layer_rect(int layer) const;

    QSize sizeHint() const override { return {230, 600}; }
    QSize minimumSizeHint() const override { return {150, 120}; }

Q_SIGNALS:
    /// A person changed the choice; once per click, drag or typed list.
    void removed_changed(suture::LayerSet removed);
    /// A person protected a layer, or no longer does.
    void protected_changed(suture::LayerSet layers);
    /// The layer under the cursor in words; empty when the cursor left.
    void hovered(QString text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    int header_height() const { return fontMetrics().height() + 8; }
    void lay_out();
    void move_focus(int layer);
    void give_range(const LayerSet& base, int from, int to, bool removed);
    void commit(const LayerSet& before);
    void tell_hovered();
    void select_typed();
    void toggle_protection(int layer);
    void type(const QString& text);
    bool press_navigation_key(int key);
    QString words(int layer) const;
    QString seam_words(int end) const;
    void describe();
    std::optional<int> layer_at(const QPoint& position) const;

    std::vector<LayerStripRow> rows_;
    QString quantity_;
    std::vector<LayerStripSeam> seams_;
    LayerSet removed_, protected_;
    LayerStripRows layout_;
    int focused_ = 0, anchor_ = 0, hovered_ = -1;
    bool anchor_state_ = false;
    std::optional<LayerSet> before_drag_;  // the choice when the mouse button went down
    QString typed_, problem_;
};

}  // namespace suture

Q_DECLARE_METATYPE(suture::LayerSet)
