// SPDX-License-Identifier: GPL-3.0-or-later
// Dense against pruned, a point per window; a click on a point tells which window it is and how its text begins.
#pragma once

#include <QWidget>

#include "core/base/figure.h"
#include "ui/session/results.h"

class QLabel;

namespace suture {

class PlotWidget;

class WindowLook : public QWidget {
    Q_OBJECT
public:
    WindowLook(Session& session, Results& results, QWidget* parent);
    /// window_perplexities()
    void set_figure(const Figure& figure);

Q_SIGNALS:
    void hovered(QString text);

private:
    struct Point {
        int window = -1;
        QString values;  // of every variant in it
    };
    /// The point nearest to a place in axis units, when it is near enough for a click.
    std::optional<Point> point_at(double x, double y) const;
    void look_at(double x, double y);
    void show_words();

    Session& session_;
    Results& results_;
    Live<std::string> text_;
    std::optional<Point> chosen_;
    PlotWidget* plot_;
    QLabel* words_;
};

}  // namespace suture
