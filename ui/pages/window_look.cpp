// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/window_look.h"

#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

#include "core/figures/words.h"
#include "ui/plots/plot_widget.h"
#include "ui/session/measure_jobs.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

constexpr double near_enough = 14;  // pixels

QString perplexity_words(double value) { return QString::fromStdString(significant(value, 4)); }

}  // namespace

WindowLook::WindowLook(Session& session, Results& results, QWidget* parent)
    : QWidget(parent),
      session_(session),
      results_(results),
      text_(session.lanes()),
      plot_(new PlotWidget(this)),
      words_(make_label(QStringLiteral("evaluate.window"), this)) {
    plot_->setObjectName(QStringLiteral("evaluate.windows_plot"));
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setContentsMargins(14, 0, 14, 6);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(plot_, 1);
    column->addWidget(words_);
    connect(plot_, &PlotWidget::hovered, this, &WindowLook::hovered);
    connect(plot_, &PlotWidget::clicked_at, this, &WindowLook::look_at);
    connect(&text_, &LiveBase::changed, this, &WindowLook::show_words);
    connect(&session, &Session::study_changed, this, [this] {
        text_.clear();
        chosen_.reset();
    });
    show_words();
}

void WindowLook::set_figure(const Figure& figure) {
    if (figure.to_csv() != plot_->figure().to_csv()) chosen_.reset();  // other numbers
    plot_->set_figure(figure);
    show_words();
}

std::optional<WindowLook::Point> WindowLook::point_at(double x, double y) const {
    const QPointF cursor = plot_->pixel_of(x, y);
    double nearest = near_enough;
    const std::string* label = nullptr;
    for (const Series& series : plot_->figure().series)
        for (std::size_t i = 0; i < series.point_labels.size(); ++i) {
            const QPointF away = plot_->pixel_of(series.x[i], series.y[i]) - cursor;
            if (const double distance = std::hypot(away.x(), away.y()); distance < nearest) {
                nearest = distance;
                label = &series.point_labels[i];
            }
        }
    if (!label) return std::nullopt;
    Point point{QString::fromStdString(*label).section(QLatin1Char(' '), -1).toInt(), {}};
    for (const Series& series : plot_->figure().series)
        for (std::size_t i = 0; i < series.point_labels.size(); ++i) {
            if (series.point_labels[i] != *label) continue;
            if (point.values.isEmpty()) point.values = tr("dense %1").arg(perplexity_words(series.x[i]));
            point.values += QStringLiteral(" · %1 %2").arg(QString::fromStdString(series.name), perplexity_words(series.y[i]));
        }
    return point;
}

void WindowLook::look_at(double x, double y) {
    chosen_ = point_at(x, y);
    if (chosen_ && results_.evaluation.fresh())
        text_.want(Key::of({{"result", "window"}, {"evaluation", results_.evaluation.value_key().hex()}, {"window", chosen_->window}}),
                   tr("Look at window %1").arg(chosen_->window), Lane::Light,
                   [inputs = results_.inputs(), window = std::size_t(chosen_->window)](Progress&) {
                       return std::make_shared<const std::string>(window_words(inputs, window));
                   });
    show_words();
}

void WindowLook::show_words() {
    words_->setForegroundRole(chosen_ ? QPalette::WindowText : QPalette::PlaceholderText);
    words_->setVisible(plot_->figure().empty.empty());
    if (!chosen_) return words_->setText(tr("Click a point to see which window of the text it is."));
    QString words = tr("Window %1 · %2").arg(chosen_->window).arg(chosen_->values);
    if (const auto text = text_.fresh_value(); text && results_.evaluation.fresh())
        words += QStringLiteral("\n“%1 …”").arg(QString::fromStdString(*text).simplified());
    words_->setText(words);
}

}  // namespace suture
