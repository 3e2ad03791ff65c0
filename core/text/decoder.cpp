// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/decoder.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/text/internal/byte_level.h"
#include "core/text/internal/metaspace.h"
#include "core/text/internal/regex.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

/// A step made of two functions.
class Step : public Decoder {
public:
    using All = std::function<void(Texts&)>;
    using One = std::function<std::string(std::string)>;
    Step(All all, One one, bool bytes = false) : all_(std::move(all)), one_(std::move(one)), bytes_(bytes) {}
    void decode(Texts& texts) const override { all_(texts); }
    std::string token_bytes(std::string token) const override { return one_ ? one_(std::move(token)) : token; }
    bool byte_level() const override { return bytes_; }

private:
    All all_;
    One one_;
    bool bytes_;
};

class Sequence : public Decoder {
public:
    explicit Sequence(const json& entry) {
        for (const auto& step : entry.at("decoders")) steps_.push_back(make_decoder(step));
    }
    void decode(Texts& texts) const override {
        for (const auto& step : steps_) step->decode(texts);
    }
    std::string token_bytes(std::string token) const override {
        for (const auto& step : steps_) token = step->token_bytes(std::move(token));
        return token;
    }
    bool byte_level() const override {
        return std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->byte_level(); });
    }

private:
    std::vector<std::unique_ptr<Decoder>> steps_;
};

using Made = std::unique_ptr<Decoder>;

Made byte_level(const json&) {
    return std::make_unique<Step>(
        [](Texts& texts) {
            std::string bytes;
            for (const auto& text : texts) bytes += bytes_of_characters(text);
            texts = {lossy_utf8(bytes)};
        },
        bytes_of_characters, true);
}

Made replace(const json& entry) {
    const auto& pattern = entry.at("pattern");
    const bool literal = pattern.contains("String");
    const auto one = [regex = Regex(literal ? pattern.at("String") : pattern.at("Regex"), literal),
                      content = entry.at("content").get<std::string>()](const std::string& text) { return regex.replaced(text, content); };
    return std::make_unique<Step>(
        [one](Texts& texts) {
            for (auto& text : texts) text = one(text);
        },
        one);
}

/// Runs of byte tokens become one text; a run that is no UTF-8 becomes one U+FFFD per byte.
Made byte_fallback(const json&) {
    const auto all = [](Texts& texts) {
        Texts result;
        std::string bytes;
        const auto flush = [&] {
            if (bytes.empty()) return;
            if (invalid_utf8(bytes)) result.insert(result.end(), bytes.size(), "\xEF\xBF\xBD");
            else result.push_back(bytes);
            bytes.clear();
        };
        for (auto& text : texts) {
            if (const auto byte = byte_token(text)) {
                bytes += *byte;
                continue;
            }
            flush();
            result.push_back(std::move(text));
        }
        flush();
        texts = std::move(result);
    };
    return std::make_unique<Step>(all, [](std::string token) {
        const auto byte = byte_token(token);
        return byte ? std::string(1, *byte) : token;
    });
}

Made fuse(const json&) {
    return std::make_unique<Step>([](Texts& texts) { texts = {std::accumulate(texts.begin(), texts.end(), std::string())}; }, nullptr);
}

/// Up to `start` and `stop` copies of a character leave the ends of every text.
Made strip(const json& entry) {
    const auto content = entry.at("content").get<std::string>();
    const auto start = entry.at("start").get<std::size_t>(), stop = entry.at("stop").get<std::size_t>();
    return std::make_unique<Step>(
        [=](Texts& texts) {
            for (auto& text : texts) {
                for (std::size_t i = 0; i < start && text.starts_with(content); ++i) text.erase(0, content.size());
                for (std::size_t i = 0; i < stop && text.ends_with(content); ++i) text.erase(text.size() - content.size());
            }
        },
        nullptr);
}

Made metaspace(const json& entry) {
    const auto space = metaspace_of(entry);
    const Regex regex(space.replacement, true);
    return std::make_unique<Step>(
        [=](Texts& texts) {
            for (std::size_t i = 0; i < texts.size(); ++i)
                texts[i] = regex.replaced(texts[i], i == 0 && space.prepend != Metaspace::Prepend::Never ? "" : " ");
        },
        [=](const std::string& token) { return regex.replaced(token, " "); });
}

Made spaces_between(const json&) {
    return std::make_unique<Step>(
        [](Texts& texts) {
            for (std::size_t i = 1; i < texts.size(); ++i) texts[i].insert(0, 1, ' ');
        },
        nullptr);
}

}  // namespace

std::unique_ptr<Decoder> make_decoder(const json& entry) {
    if (entry.is_null()) return spaces_between(entry);
    static const std::map<std::string, Made (*)(const json&)> makers = {
        {"ByteLevel", byte_level},
        {"Replace", replace},
        {"ByteFallback", byte_fallback},
        {"Fuse", fuse},
        {"Strip", strip},
        {"Metaspace", metaspace},
        {"Sequence", [](const json& e) -> Made { return std::make_unique<Sequence>(e); }}};
    const auto type = entry.value("type", "");
    const auto it = makers.find(type);
    if (it == makers.end()) throw Error("The decoder \"" + type + "\" is not supported.");
    return it->second(entry);
}

}  // namespace suture
