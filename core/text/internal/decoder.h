// SPDX-License-Identifier: GPL-3.0-or-later
// The "decoder" entry of tokenizer.json: tokens back to text.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// One step, or a sequence of steps.
class Decoder {
public:
    virtual ~Decoder() = default;
    /// Changes the list of texts; in the end their concatenation is the decoded text.
    virtual void decode(std::vector<std::string>& texts) const = 0;
    /// The bytes that one token adds somewhere inside a text.
    virtual std::string token_bytes(std::string token) const = 0;
    virtual bool byte_level() const { return false; }
};

/// Null gives a decoder that puts spaces between tokens. Throws Error naming a type that is not supported.
std::unique_ptr<Decoder> make_decoder(const nlohmann::json& entry);

}  // namespace suture
