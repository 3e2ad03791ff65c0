// SPDX-License-Identifier: GPL-3.0-or-later
// A plot a person can read, zoom and save.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "core/base/figure.h"
#include "ui/plots/figure_view.h"

class QCustomPlot;
class QMenu;

namespace suture {

class Crosshair;
class Drawing;
class Navigation;

/// Shows one Figure in the colours of the current theme. Wheel zooms at the cursor (over an axis: that axis only), left drag zooms
/// a rectangle, middle or Ctrl drag pans, double click resets; arrows pan, + and - zoom, Home and Escape reset. A click on a
/// legend entry switches its curve off and on. The context menu copies and saves.
class PlotWidget : public QWidget {
    Q_OBJECT
public:
    explicit PlotWidget(QWidget* parent = nullptr);
    ~PlotWidget() override;

    /// Zoom, hidden curves and the log axis are kept while figures of the same id and width of x axis follow each other.
    void set_figure(const Figure& figure);
    const Figure& figure() const { return figure_; }
    /// A sentence in place of the data: what is missing and what to do. The title stays.
    void show_message(const QString& message);

    const FigureView& view() const { return view_; }
    /// What is visible, in axis units; nothing when there is no data.
    std::optional<Extent> visible_x() const;
    std::optional<Extent> visible_y() const;
    /// Shows this part of the x axis without emitting x_changed: links plots that share an axis.
    void show_x(Extent extent);
    /// Where a point lies, in pixels of the widget "canvas" inside.
    QPointF pixel_of(double x, double y) const;

    void set_log(bool log);
    void toggle_series(const std::string& name);
    void reset_view();
    /// As shown, but in light colours; the ending decides (see save_figure). Throws Error.
    void save_as(const QString& path) const;
    /// The actions behind the right mouse button; the caller owns the menu.
    QMenu* make_menu();

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 180}; }

Q_SIGNALS:
    /// The read-out in one line; empty when the cursor left.
    void hovered(QString text);
    /// A click without a drag, in axis units; told when no second click has made it a double click.
    void clicked_at(double x, double y);
    /// The visible part of the x axis after a zoom, pan or reset.
    void x_changed(double low, double high);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void draw();
    void hover(const QPointF& pixel);
    void leave();
    void click(const QPointF& pixel);
    void open_menu(const QPoint& at);
    void remember_view();
    void ask_and_save(const QString& ending);

    Figure figure_;
    FigureView view_;
    QPointF clicked_;      // in axis units
    QTimer second_click_;  // runs while one may still follow
    QCustomPlot* canvas_;
    Navigation* navigation_;
    std::unique_ptr<Drawing> drawing_;
    std::unique_ptr<Crosshair> crosshair_;
};

}  // namespace suture
