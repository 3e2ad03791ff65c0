// SPDX-License-Identifier: GPL-3.0-or-later
// The layer strip with what it sums up to, always visible.
#pragma once

#include <QWidget>

#include "ui/session/live_preview.h"
#include "ui/widgets/layer_strip.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace suture {

class StripPanel : public QWidget {
    Q_OBJECT
public:
    StripPanel(Session& session, Results& results, LivePreview& preview, QWidget* parent = nullptr);
    void refresh();

Q_SIGNALS:
    /// The layer under the cursor in words; empty when the cursor left.
    void hovered(QString text);

private:
    QWidget* make_sizes();
    QWidget* make_choice();
    void show_layers();
    void show_sizes();
    void show_choice();
    void show_preview();
    void protect(const LayerSet& layers);

    Session& session_;
    Results& results_;
    LivePreview& preview_;
    LayerStrip* strip_;
    std::shared_ptr<const Study> shown_study_;
    std::shared_ptr<const Statistics> shown_statistics_;
    QLabel *layers_, *parameters_, *speed_, *cache_, *preview_words_;
    QSpinBox* count_;
    QComboBox* criterion_;
    QPushButton* choose_;
};

}  // namespace suture
