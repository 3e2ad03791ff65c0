// SPDX-License-Identifier: GPL-3.0-or-later
// Document, undo and the open model. Holds no results.
#pragma once

#include <QUndoStack>
#include <memory>

#include "core/study/study.h"
#include "ui/jobs/live.h"
#include "ui/session/document.h"

namespace suture {

class Session : public QObject {
    Q_OBJECT
public:
    /// `bundled_texts`: a folder with calibration.txt and evaluation.txt for models that bring none; empty: there are none.
    Session(std::shared_ptr<Store> store, std::filesystem::path bundled_texts = {}, QObject* parent = nullptr);
    ~Session() override;

    Lanes& lanes() { return lanes_; }
    QUndoStack& undo_stack() { return undo_; }

    const Document& document() const { return document_; }
    /// Null while no model is open.
    const std::shared_ptr<const Study>& study() const { return study_; }
    /// Decoder layers of the open model; 0 without one.
    int layers() const;
    const std::shared_ptr<Store>& store() const { return store_; }
    const std::filesystem::path& bundled_texts() const { return bundled_texts_; }

    /// Replaces the document; `text` names the step in the Edit menu, e.g. "Remove layers 7–10". Consecutive changes with the
    /// same non-empty `control` become one step. Nothing happens when the document is equal.
    void change(Document after, const QString& text, const QString& control = {});
    /// change() of the removed layers only.
    void remove_layers(const LayerSet& removed);
    /// Which seam the pages show: a matter of view, not an undo step.
    void show_seam(int seam);

    /// Opens the model in `folder` (a file in it will do) on the light lane; what is open stays until the new one is there.
    /// Texts that are not given: calibration.txt and evaluation.txt beside the model where they exist, else the bundled ones.
    void open(const std::filesystem::path& folder, const TextSource& calibration = {}, const TextSource& evaluation = {});
    /// The opening of a model: running, or failed with a message.
    Live<Study>& opening() { return opening_; }

Q_SIGNALS:
    void document_changed();
    /// Another model is open; document_changed() follows.
    void study_changed();

private:
    friend class DocumentStep;
    void set_document(const Document& document);
    void take_study();
    TextSource default_text(const char* name) const;

    Lanes lanes_;
    std::shared_ptr<Store> store_;
    std::filesystem::path bundled_texts_;
    Live<Study> opening_;
    Document next_;  // of the model that is being opened
    std::shared_ptr<const Study> study_;
    Document document_;
    QUndoStack undo_;
};

}  // namespace suture
