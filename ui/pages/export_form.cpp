// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/export_form.h"

#include <QComboBox>
#include <QStandardItemModel>

#include "core/figures/words.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/stale_note.h"

namespace suture {
namespace {

const std::string needs_nothing = "Loads as any model of its family; no code travels along.";
const std::string needs_code = "Loading needs trust_remote_code=True: modeling_suture.py travels along.";

std::string head_words(const Model& model) {
    const Architecture& a = model.architecture();
    if (!a.tied) return {};
    return " The head is tied to the embeddings and becomes a tensor of its own: " +
           size_words(double(model.tensors().bytes(a.embedding + ".weight").size())) + " more.";
}

std::string layer_words_of(const Repaired& repaired) {
    const std::size_t seams = repaired.patches.size();
    return " It costs " + (seams == 1 ? "one layer." : std::to_string(seams) + " layers, one per seam.");
}

QString sentence(std::string words) {
    if (words.empty()) return {};
    if (words.back() != '.') words += '.';
    QString text = QString::fromStdString(words);
    text[0] = text[0].toUpper();
    return text;
}

}  // namespace

std::string form_needs(const Model& model, const Repaired& repaired, Form form) {
    const bool maps = !repaired.variant.maps().empty();
    if (form == Form::Rotated)
        return (maps ? needs_code + " The stream is rotated, so that the patch is one vector." : needs_nothing) + head_words(model);
    if (form == Form::Patched && maps) return needs_code;
    return needs_nothing + (repaired.kind == "stock-layer" ? layer_words_of(repaired) : std::string());
}

FormChoice::FormChoice(ControlPanel& panel, Session& session, Results& results)
    : QObject(&panel),
      session_(session),
      results_(results),
      form_(panel.add_combo(QStringLiteral("form"), tr("For&m"), {})),
      needs_(panel.add_note(QStringLiteral("needs"))) {
    add_choice(form_, tr("Automatic"), QStringLiteral("auto"));
    add_choice(form_, tr("Stock"), QStringLiteral("stock"));
    add_choice(form_, tr("Patched"), QStringLiteral("patched"));
    add_choice(form_, tr("Rotated"), QStringLiteral("rotated"));
    connect(form_, &QComboBox::activated, this, [this] {
        Document after = session_.document();
        after.settings.export_.form = form_->currentData().toString().toStdString();
        session_.change(std::move(after), tr("Form: %1").arg(form_->currentText()));
    });
}

void FormChoice::show_item(int row, const Repaired* repaired) {
    const std::string name = form_->itemData(row).toString().toStdString();
    std::string help = name == "auto"      ? "stock where the repair allows it, else patched"
                       : name == "stock"   ? "nothing but the family's own tensors"
                       : name == "patched" ? "the patch as tensors of its own, run by code that travels along"
                                           : "the stream turned by the Hadamard matrix, so that LinearPatch is one vector";
    bool possible = true;
    if (repaired && name != "auto") {
        const Model& model = **session_.study();
        const Form form = form_named(name, *repaired);
        const std::string refusal = form_refusal(model, *repaired, form);
        possible = refusal.empty();
        help = possible ? help + ". " + form_needs(model, *repaired, form) : refusal;
    }
    form_->setItemData(row, sentence(help), Qt::ToolTipRole);
    if (auto* items = qobject_cast<QStandardItemModel*>(form_->model())) items->item(row)->setEnabled(possible);
}

void FormChoice::show(const ExportPlan* plan) {
    const Document& d = session_.document();
    const auto repaired = session_.study() ? results_.repaired.fresh_value() : nullptr;
    for (int row = 0; row < form_->count(); ++row) show_item(row, repaired.get());
    show_choice(form_, QString::fromStdString(d.settings.export_.form));
    form_->setToolTip(form_->currentData(Qt::ToolTipRole).toString());
    QString words;
    if (repaired) {
        const Model& model = **session_.study();
        const Form form = form_named(d.settings.export_.form, *repaired);
        const std::string refusal = form_refusal(model, *repaired, form);
        words = sentence(refusal.empty() ? form_needs(model, *repaired, form) : refusal);
        if (plan && d.settings.export_.form == "auto") words = tr("Taken: %1. ").arg(QString::fromStdString(plan->form)) + words;
    }
    show_note(needs_, words);
}

}  // namespace suture
