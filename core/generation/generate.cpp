// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/generate.h"

#include <chrono>

#include "core/base/error.h"
#include "core/generation/internal/continuation.h"
#include "core/generation/text_stream.h"

namespace suture {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// One variant while it writes.
class Writer {
public:
    Writer(Continuation& continuation, const Tokenizer* tokenizer, std::span<const std::int64_t> prompt, const GenerationSettings& settings,
           Progress& progress)
        : continuation_(continuation), sampler_(settings) {
        if (tokenizer) stream_.emplace(*tokenizer, prompt);
        result_.prompt_tokens = std::int64_t(prompt.size());
        const auto begin = Clock::now();
        continuation_.restart();
        logits_ = continuation_.read(prompt, &progress).contiguous();  // [V]
        result_.prefill_seconds = seconds_since(begin);
    }

    bool done() const { return done_; }

    /// Writes one token; the text it completes.
    std::string step(std::span<const std::int64_t> ends, std::int64_t limit) {
        const auto begin = Clock::now();
        if (!result_.ids.empty()) logits_ = continuation_.read(std::span(&result_.ids.back(), 1)).contiguous();
        const auto id = sampler_.next({logits_.const_data_ptr<float>(), std::size_t(logits_.numel())});
        if (!result_.ids.empty()) result_.decode_seconds += seconds_since(begin);
        result_.ids.push_back(id);
        result_.ended = std::ranges::find(ends, id) != ends.end();
        done_ = result_.ended || std::int64_t(result_.ids.size()) == limit;
        if (!stream_) return {};
        std::string text = stream_->push(id);
        if (done_) text += stream_->finish();
        result_.text += text;
        return text;
    }

    const Generation& result() const { return result_; }

private:
    Continuation& continuation_;
    Sampler sampler_;
    std::optional<TextStream> stream_;
    at::Tensor logits_;
    Generation result_;
    bool done_ = false;
};

}  // namespace

struct Generator::State {
    State(const std::shared_ptr<const Model>& model, std::shared_ptr<const Tokenizer> tok, const std::vector<Variant>& variants,
          const ComputeSettings& compute)
        : tokenizer(std::move(tok)), decoder(model, compute), layers(decoder, compute), ends(end_ids(model->folder(), tokenizer.get())) {
        for (const Variant& variant : variants) continuations.emplace_back(decoder, layers, variant.steps(model->architecture().layers));
    }
    std::shared_ptr<const Tokenizer> tokenizer;
    Decoder decoder;
    LoadedLayers layers;
    std::vector<Continuation> continuations;
    std::vector<std::int64_t> ends;
};

Generator::Generator(std::shared_ptr<const Model> model, std::shared_ptr<const Tokenizer> tokenizer, std::vector<Variant> variants,
                     const ComputeSettings& compute)
    : state_(std::make_unique<State>(model, std::move(tokenizer), variants, compute)) {}

Generator::~Generator() = default;

std::size_t Generator::variants() const { return state_->continuations.size(); }

bool Generator::resident() const { return std::ranges::all_of(state_->continuations, &Continuation::resident); }

std::vector<Generation> Generator::run(std::span<const std::int64_t> prompt, const GenerationSettings& settings, const OnToken& on_token,
                                       Progress& progress) {
    check(settings);
    if (prompt.empty()) throw Error("the prompt holds no token; give a text to continue");
    const c10::InferenceMode no_gradients;
    std::vector<Writer> writers;
    for (Continuation& continuation : state_->continuations) {
        progress.check();
        writers.emplace_back(continuation, state_->tokenizer.get(), prompt, settings, progress);
    }
    const std::vector<std::int64_t> none;
    const auto& ends = settings.ignore_eos ? none : state_->ends;
    while (!std::ranges::all_of(writers, &Writer::done))
        for (std::size_t v = 0; v < writers.size(); ++v) {
            if (writers[v].done()) continue;
            const std::string text = writers[v].step(ends, settings.max_tokens);
            if (on_token) on_token(v, writers[v].result().ids.back(), text);
            const std::int64_t unused = writers[v].done() ? settings.max_tokens - std::int64_t(writers[v].result().ids.size()) : 0;
            progress.step(1 + unused);
        }
    std::vector<Generation> results;
    for (const Writer& writer : writers) results.push_back(writer.result());
    return results;
}

}  // namespace suture
