// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"

#include <QUndoCommand>

namespace suture {

/// One step of the Edit menu: the documents before and after it.
class DocumentStep : public QUndoCommand {
public:
    DocumentStep(Session& session, Document before, Document after, const QString& text, QString control)
        : QUndoCommand(text), session_(session), before_(std::move(before)), after_(std::move(after)), control_(std::move(control)) {}

    void undo() override { session_.set_document(before_); }
    void redo() override { session_.set_document(after_); }
    int id() const override { return control_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* command) override {
        const auto& next = static_cast<const DocumentStep&>(*command);
        if (next.control_ != control_) return false;
        after_ = next.after_;
        setText(next.text());
        return true;
    }

private:
    Session& session_;
    Document before_, after_;
    QString control_;
};

Session::Session(std::shared_ptr<Store> store, std::filesystem::path bundled_texts, QObject* parent)
    : QObject(parent), store_(std::move(store)), bundled_texts_(std::move(bundled_texts)), opening_(lanes_) {
    connect(&opening_, &LiveBase::changed, this, &Session::take_study);
}

Session::~Session() { lanes_.shut_down(); }

int Session::layers() const { return study_ ? study_->model()->architecture().layers : 0; }

void Session::change(Document after, const QString& text, const QString& control) {
    if (after == document_) return;
    undo_.push(new DocumentStep(*this, document_, std::move(after), text, control));
}

void Session::remove_layers(const LayerSet& removed) {
    Document after = document_;
    after.removed = removed;
    const QString words = QString::fromStdString(removed.words());
    change(std::move(after),
           removed.empty() ? tr("Keep all layers") : tr(removed.size() == 1 ? "Remove layer %1" : "Remove layers %1").arg(words));
}

void Session::show_seam(int seam) {
    if (seam == document_.seam) return;
    document_.seam = seam;
    Q_EMIT document_changed();
}

void Session::set_document(const Document& document) {
    document_ = document;
    Q_EMIT document_changed();
}

void Session::open(const std::filesystem::path& given, const TextSource& calibration, const TextSource& evaluation) {
    std::error_code unknown;
    const auto absolute = std::filesystem::absolute(given, unknown);
    const auto folder = std::filesystem::is_regular_file(absolute, unknown) ? absolute.parent_path() : absolute;
    next_ = document_;
    next_.model = folder;
    next_.calibration = calibration;
    next_.evaluation = evaluation;
    opening_.clear();
    const Key key = Key::of({{"open", folder.string()}});
    opening_.want(key, tr("Open %1").arg(QString::fromStdString(folder.filename().string())), Lane::Light,
                  [folder, store = store_](Progress& progress) {
                      progress.begin("Opening", 0, "files");
                      return std::make_shared<const Study>(folder, store);
                  });
}

TextSource Session::default_text(const char* name) const {
    for (const auto& folder : {next_.model, bundled_texts_}) {
        std::error_code unknown;
        if (!folder.empty() && std::filesystem::is_regular_file(folder / name, unknown)) return {folder / name, {}};
    }
    return {};
}

void Session::take_study() {
    if (!opening_.fresh() || opening_.value() == study_) return;
    study_ = opening_.value();
    if (next_.calibration.empty()) next_.calibration = default_text("calibration.txt");
    if (next_.evaluation.empty()) next_.evaluation = default_text("evaluation.txt");
    next_.removed = {};
    next_.seam = 0;
    next_.export_folder.clear();
    next_.block_length = proposed_count(layers());
    undo_.clear();
    document_ = next_;
    Q_EMIT study_changed();
    Q_EMIT document_changed();
}

}  // namespace suture
