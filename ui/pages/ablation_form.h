// SPDX-License-Identifier: GPL-3.0-or-later
// The controls that write the specification of an ablation.
#pragma once

#include <QObject>
#include <filesystem>
#include <nlohmann/json.hpp>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace suture {

class AblationSources;
class CheckTable;
class ControlPanel;
class Session;

class AblationForm : public QObject {
    Q_OBJECT
public:
    AblationForm(ControlPanel& panel, Session& session);
    void show();

    AblationSources& sources() { return *sources_; }
    /// Takes a SPEC.json over, with paths made absolute. Throws Error.
    void load(const std::filesystem::path& file);
    /// Writes what `suture-cli ablate` reads. Throws Error.
    void save(const std::filesystem::path& file) const;

Q_SIGNALS:
    /// A file could not be read or written: one sentence.
    void failed(QString sentence);

private:
    void make_files(ControlPanel& panel);
    void make_layers(ControlPanel& panel);
    void make_kinds(ControlPanel& panel);
    void make_settings(ControlPanel& panel);
    void take_criteria();
    void take_repairs();
    void show_layers(const nlohmann::json& spec);
    void show_kinds(const nlohmann::json& spec);
    void show_settings(const nlohmann::json& spec);

    Session& session_;
    ControlPanel& panel_;
    AblationSources* sources_;
    QPushButton *load_, *save_;
    QLineEdit *remove_, *layers_, *windows_;
    CheckTable *criteria_, *repairs_;
    QCheckBox* own_settings_;
    QLabel* settings_note_;
};

}  // namespace suture
