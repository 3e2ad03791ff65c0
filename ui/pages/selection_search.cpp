// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/selection_search.h"

#include <QLabel>
#include <QSignalBlocker>
#include <cmath>
#include <numeric>

#include "ui/pages/run_controls.h"
#include "ui/pages/selection_board.h"

namespace suture {
namespace {

QString told(const std::string& text) { return QString::fromStdString(text); }

/// How the amount of a budget is shown.
struct Unit {
    const char* name;
    double scale = 1;  ///< what one step is worth in the budget's unit
    int decimals = 3;
    const char* suffix = "";
};
const Unit& unit_named(const std::string& name) {
    static const Unit units[] = {{"layers", 1, 0}, {"parameters", 1e6, 3, " M"}, {"bytes", 1e6, 3, " MB"}, {"milliseconds", 1, 3, " ms"}};
    for (const Unit& unit : units)
        if (name == unit.name) return unit;
    return units[0];
}

}  // namespace

SelectionSearch::SelectionSearch(ControlPanel& panel, Session& session, Results& results, SelectionBoard& board)
    : QObject(&panel), panel_(panel), session_(session), results_(results), board_(board) {
    panel.add_heading(tr("Search"));
    make_budget();
    form_ = std::make_unique<SettingsForm<SearchSettings>>(
        panel, std::vector<FormField>{{"search", tr("&Method")}, {"beam", tr("Beam width"), 1, 64}, {"block", tr("One block only")}},
        [this](const SearchSettings& s) { change([&](SelectionChoice& c) { c.search = s; }, tr("Search settings"), {}); });
    make_protection();
    run_ = new RunControls(panel, session_.lanes(), board_.search_job(),
                           tr("Tries sets of layers on the calibration text; the best one of every size is shown as it is found"));
    found_note_ = panel.add_note(QStringLiteral("found"));
    connect(run_, &RunControls::start, &board_, &SelectionBoard::start_search);
}

void SelectionSearch::make_budget() {
    unit_ = panel_.add_combo(QStringLiteral("unit"), tr("Budget in"), tr("What has to go"));
    add_choice(unit_, tr("layers"), QStringLiteral("layers"), tr("Whole decoder layers"));
    add_choice(unit_, tr("parameters"), QStringLiteral("parameters"), tr("Parameters of the removed layers, in millions"));
    add_choice(unit_, tr("bytes"), QStringLiteral("bytes"), tr("Size of the removed layers in the checkpoint's files, in MB"));
    add_choice(unit_, tr("milliseconds"), QStringLiteral("milliseconds"),
               tr("Time that the removed layers take, shared out by parameters"));
    layers_ms_ = panel_.add_number(QStringLiteral("layers_ms"), tr("All take"),
                                   tr("Milliseconds that all layers take together, for a prompt or for a token, as you have measured them "
                                      "(Evaluate page, view Speed)"));
    layers_ms_->setRange(0, 1e9);
    layers_ms_->setDecimals(3);
    layers_ms_->setSuffix(tr(" ms"));
    layers_ms_->setSpecialValueText(tr("not known"));
    amount_ = panel_.add_number(QStringLiteral("amount"), tr("At least"), tr("How much has to go, at least; the search ends when it has"));
    connect(unit_, &QComboBox::activated, this, &SelectionSearch::change_unit);
    connect(layers_ms_, &QDoubleSpinBox::valueChanged, this, [this](double ms) {
        change([ms](SelectionChoice& c) { c.layers_ms = ms; }, tr("Time of all layers"), QStringLiteral("layers_ms"));
    });
    connect(amount_, &QDoubleSpinBox::valueChanged, this, [this](double shown) {
        const double amount = shown * unit_named(session_.document().selection.unit).scale;
        change([amount](SelectionChoice& c) { c.amount = amount; }, tr("Search budget"), QStringLiteral("budget"));
    });
}

void SelectionSearch::make_protection() {
    ends_ =
        panel_.add_spin(QStringLiteral("ends"), tr("Keep ends"), tr("So many layers at each end stay, whatever criteria and searches say"));
    repair_ = panel_.add_check(QStringLiteral("repair"), tr("Repair every set it tries"),
                               tr("Fits the repair in force for every set, so that the search knows what it can mend, on three quarters of "
                                  "the windows; every fourth scores. Slower"));
    massive_ = panel_.add_check(QStringLiteral("massive"), tr("Keep the massive-activation layer"),
                                tr("The layer that creates the massive activation stays, whatever criteria and searches say"));
    massive_note_ = panel_.add_note(QStringLiteral("massive_note"));
    protected_note_ = panel_.add_note(QStringLiteral("protected"));
    connect(ends_, &QSpinBox::valueChanged, this, [this](int n) {
        change([n](SelectionChoice& c) { c.protection.ends = n; }, tr("Keep %1 at each end").arg(n), QStringLiteral("ends"));
    });
    connect(repair_, &QCheckBox::toggled, this,
            [this](bool on) { change([on](SelectionChoice& c) { c.repair = on; }, tr("Repair inside the search"), {}); });
    connect(massive_, &QCheckBox::toggled, this, [this](bool on) {
        change([on](SelectionChoice& c) { c.protection.massive_activation = on; }, tr("Keep the massive-activation layer"), {});
    });
}

void SelectionSearch::change(const std::function<void(SelectionChoice&)>& edit, const QString& text, const QString& control) {
    Document after = session_.document();
    edit(after.selection);
    session_.change(std::move(after), text, control);
}

/// Keeps what the budget is worth: as many average layers as before.
void SelectionSearch::change_unit() {
    const Document& d = session_.document();
    if (!session_.study()) return show();
    const auto all_of = [&](const std::string& unit) {
        if (unit == "milliseconds") return d.selection.layers_ms;
        const auto cost = budget_in(d, **session_.study(), unit, 1).cost;
        return std::accumulate(cost.begin(), cost.end(), 0.0);
    };
    const std::string unit = unit_->currentData().toString().toStdString();
    const double before = all_of(d.selection.unit), scale = unit_named(unit).scale;
    double amount = before > 0 ? budget_amount(d) / before * all_of(unit) / scale : d.block_length;
    amount =
        unit == "layers" ? std::max(1.0, std::round(amount)) : std::floor(amount * 1000) / 1000;  // rounding up would take one layer more
    change(
        [&](SelectionChoice& c) {
            c.unit = unit;
            c.amount = amount * scale;
        },
        tr("Budget in %1").arg(told(unit)), {});
}

void SelectionSearch::show_budget() {
    const SelectionChoice& choice = session_.document().selection;
    const Unit& unit = unit_named(choice.unit);
    show_choice(unit_, told(choice.unit));
    panel_.show_row(layers_ms_, choice.unit == "milliseconds");
    show_value(layers_ms_, choice.layers_ms);
    const QSignalBlocker silent(amount_);
    amount_->setDecimals(unit.decimals);
    amount_->setRange(choice.unit == "layers" ? 1 : 0.001, 1e9);
    amount_->setSuffix(QLatin1String(unit.suffix));
    show_value(amount_, budget_amount(session_.document()) / unit.scale);
}

void SelectionSearch::show_protection() {
    const SelectionChoice& choice = session_.document().selection;
    show_value(ends_, 0, std::max(0, (session_.layers() - 1) / 2), choice.protection.ends);
    show_checked(repair_, choice.repair);
    show_checked(massive_, choice.protection.massive_activation);
    const auto massive = board_.massive();
    massive_note_->setText(massive                       ? told(massive->words())
                           : results_.statistics.fresh() ? tr("No token of the text has a massive activation.")
                                                         : tr("Calibration tells which layer that is."));
    protected_note_->setText(choice.protection.layers.empty()
                                 ? tr("No layers are protected: press P on one in the strip, or click it with the right button.")
                                 : tr("Protected in the strip: %1").arg(told(layer_words(choice.protection.layers))));
}

void SelectionSearch::show_found() {
    const auto found = board_.found();
    found_note_->setVisible(found != nullptr && found->best.size() > 1);
    if (!found || found->best.size() < 2) return;
    const auto& [size, set] = *found->best.rbegin();
    QString words = tr("%1 sets tried in %2; largest: %3, perplexity %4")
                        .arg(told(grouped(found->evaluations)), duration_words(found->seconds), told(layer_words(set.removed)),
                             told(significant(set.perplexity(), 4)));
    if (board_.search_stopped()) words = tr("Stopped. ") + words;
    if (board_.search_stale()) words += tr(" (stale: other conditions)");
    found_note_->setText(words);
}

void SelectionSearch::show() {
    show_budget();
    form_->show(session_.document().selection.search);
    show_protection();
    const auto memory = board_.search_memory();
    run_->show(memory ? tr("Search (%1)").arg(told(size_words(double(memory->resident)))) : tr("Search"), board_.why_not_search(), -1);
    show_found();
}

}  // namespace suture
