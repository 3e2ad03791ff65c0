// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_widget.h"

#include <qcustomplot.h>

#include "ui/plots/crosshair.h"
#include "ui/plots/drawing.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/navigation.h"

namespace suture {
namespace {

std::optional<Extent> extent_of(const QCPAxis* axis) {
    return axis ? std::optional<Extent>({axis->range().lower, axis->range().upper}) : std::nullopt;
}

}  // namespace

PlotWidget::PlotWidget(QWidget* parent) : QWidget(parent), canvas_(new QCustomPlot(this)), navigation_(new Navigation(*canvas_)) {
    canvas_->setObjectName("canvas");
    canvas_->setFocusPolicy(Qt::NoFocus);
    canvas_->setMinimumSize(1, 1);                         // pages that were never shown may have no room, and it can't paint on none
    canvas_->setContextMenuPolicy(Qt::CustomContextMenu);  // it keeps mouse events from reaching this widget
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);  // room for the focus frame
    layout->addWidget(canvas_);
    connect(navigation_, &Navigation::view_changed, this, &PlotWidget::remember_view);
    connect(navigation_, &Navigation::hovered, this, &PlotWidget::hover);
    connect(navigation_, &Navigation::left, this, &PlotWidget::leave);
    connect(navigation_, &Navigation::clicked, this, &PlotWidget::click);
    connect(navigation_, &Navigation::rectangle_changed, this, [this](const QRectF& r) {
        leave();
        if (crosshair_) crosshair_->show_rectangle(r);
    });
    connect(canvas_, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) { open_menu(canvas_->mapToGlobal(at)); });
    connect(navigation_, &Navigation::double_clicked, &second_click_, &QTimer::stop);
    second_click_.setSingleShot(true);
    connect(&second_click_, &QTimer::timeout, this, [this] { Q_EMIT clicked_at(clicked_.x(), clicked_.y()); });
    draw();
}

PlotWidget::~PlotWidget() { navigation_->attach(nullptr); }

void PlotWidget::set_figure(const Figure& figure) {
    const bool same = figure.id == figure_.id && figure.map.has_value() == figure_.map.has_value();
    const bool as_wide = same && figure.empty.empty() && figure_.empty.empty() && x_extent(figure) == x_extent(figure_);
    if (!same) second_click_.stop();  // the click meant what is no longer there
    if (!same) view_ = {};
    else if (!as_wide) view_.x = view_.y = std::nullopt;
    figure_ = figure;
    setAccessibleName(QString::fromStdString(figure_.title));
    setAccessibleDescription(QString::fromStdString(figure_.empty.empty() ? figure_.caption : figure_.empty));
    draw();
}

void PlotWidget::show_message(const QString& message) {
    Figure blank;
    blank.id = figure_.id;
    blank.title = figure_.title;
    blank.empty = message.toStdString();
    set_figure(blank);
}

void PlotWidget::draw() {
    crosshair_.reset();
    navigation_->attach(nullptr);
    drawing_ = std::make_unique<Drawing>(*canvas_, figure_, view_, current_theme());
    drawing_->fit(canvas_->size());
    if (drawing_->axes()) crosshair_ = std::make_unique<Crosshair>(*canvas_, *drawing_->axes(), current_theme());
    navigation_->attach(drawing_.get());
    canvas_->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<Extent> PlotWidget::visible_x() const { return extent_of(drawing_->x()); }
std::optional<Extent> PlotWidget::visible_y() const { return extent_of(drawing_->y()); }

void PlotWidget::show_x(Extent extent) {
    if (!drawing_->axes() || visible_x() == extent) return;
    drawing_->x()->setRange(extent.low, extent.high);
    view_.x = extent == drawing_->home_x() ? std::nullopt : std::optional(extent);
    canvas_->replot(QCustomPlot::rpQueuedReplot);
}

QPointF PlotWidget::pixel_of(double x, double y) const {
    return drawing_->axes() ? QPointF(drawing_->x()->coordToPixel(x), drawing_->y()->coordToPixel(y)) : QPointF();
}

void PlotWidget::set_log(bool log) {
    view_.log = log;
    if (!figure_.map) view_.y = std::nullopt;  // a linear window means little on a logarithmic axis
    draw();
}

void PlotWidget::toggle_series(const std::string& name) {
    if (view_.hidden.erase(name) == 0) view_.hidden.insert(name);
    draw();
}

void PlotWidget::reset_view() { navigation_->reset(); }

void PlotWidget::remember_view() {
    const bool zoomed_x = visible_x() != drawing_->home_x(), zoomed_y = visible_y() != drawing_->home_y();
    view_.x = zoomed_x ? visible_x() : std::nullopt;
    view_.y = zoomed_y ? visible_y() : std::nullopt;
    leave();
    canvas_->replot(QCustomPlot::rpQueuedReplot);
    Q_EMIT x_changed(visible_x()->low, visible_x()->high);
}

void PlotWidget::hover(const QPointF& pixel) {
    const QPointF units(drawing_->x()->pixelToCoord(pixel.x()), drawing_->y()->pixelToCoord(pixel.y()));
    const auto found = read_out(
        figure_, view_, pixel, [this](double x, double y) { return pixel_of(x, y); }, units);
    if (!found) return leave();
    crosshair_->show(*found, pixel);
    Q_EMIT hovered(found->text());
}

void PlotWidget::leave() {
    if (crosshair_) crosshair_->hide();
    Q_EMIT hovered({});
}

void PlotWidget::click(const QPointF& pixel) {
    const int series = drawing_->legend() ? drawing_->legend()->series_at(pixel.toPoint()) : -1;
    if (series >= 0) return toggle_series(figure_.series[std::size_t(series)].name);
    if (!drawing_->axes()->rect().contains(pixel.toPoint())) return;
    clicked_ = {drawing_->x()->pixelToCoord(pixel.x()), drawing_->y()->pixelToCoord(pixel.y())};
    second_click_.start(QApplication::doubleClickInterval());
}

void PlotWidget::save_as(const QString& path) const { save_figure(figure_, path, canvas_->size(), 2, view_); }

void PlotWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    drawing_->fit(canvas_->size());
    canvas_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (drawing_ && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)) draw();
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
    if (!navigation_->press_key(event->key())) QWidget::keyPressEvent(event);
}

void PlotWidget::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PlotWidget::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void PlotWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), canvas_->palette().color(QPalette::Base));
    if (!hasFocus()) return;
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event) { open_menu(event->globalPos()); }

void PlotWidget::open_menu(const QPoint& at) {
    const std::unique_ptr<QMenu> menu(make_menu());
    menu->exec(at);
}

}  // namespace suture
