// SPDX-License-Identifier: GPL-3.0-or-later
// Which models and texts an ablation goes over.
#pragma once

#include <QObject>
#include <nlohmann/json.hpp>
#include <vector>

class QListWidget;
class QPushButton;

namespace suture {

class CheckTable;
class ControlPanel;
class Session;

class AblationSources : public QObject {
    Q_OBJECT
public:
    AblationSources(ControlPanel& panel, Session& session);
    /// `spec`: as ablation_json() has it.
    void show(const nlohmann::json& spec);

    void add_model(const std::filesystem::path& folder);
    /// A text to calibrate and to measure on.
    void add_text(const std::filesystem::path& file);

private:
    /// A text as the file has it, and what it serves for.
    struct Entry {
        nlohmann::json text;
        bool calibrates = false, measures = false;
        bool waits = false;  ///< a person took its last tick away
    };
    void make_models(ControlPanel& panel);
    void make_texts(ControlPanel& panel);
    void remove_model();
    void remove_text();
    void take_texts();
    void write_texts(const QString& step);
    void show_models(const nlohmann::json& models);
    void show_texts(const nlohmann::json& spec);

    Session& session_;
    ControlPanel& panel_;
    QListWidget* models_;
    CheckTable* texts_;
    QPushButton *add_model_, *remove_model_, *add_text_, *remove_text_;
    std::vector<Entry> entries_;  // as shown; those that wait are not part of the specification
};

}  // namespace suture
