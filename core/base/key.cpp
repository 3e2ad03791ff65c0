// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/key.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"

namespace suture {
namespace {
EVP_MD_CTX* evp(void* context) { return static_cast<EVP_MD_CTX*>(context); }
}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(evp(context_), EVP_sha256(), nullptr) != 1)
        throw Error("SHA-256 is not available in the installed libcrypto", Error::Kind::Internal);
}

Sha256::~Sha256() { EVP_MD_CTX_free(evp(context_)); }

void Sha256::update(std::span<const std::byte> bytes) { EVP_DigestUpdate(evp(context_), bytes.data(), bytes.size()); }

void Sha256::update(std::string_view text) { EVP_DigestUpdate(evp(context_), text.data(), text.size()); }

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(evp(context_), digest.data(), &length);
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += digits[digest[i] >> 4];
        text += digits[digest[i] & 15];
    }
    return text;
}

std::string sha256_hex(std::string_view text) {
    Sha256 hash;
    hash.update(text);
    return hash.hex();
}

std::string sha256_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(file.string() + ": can't be read");
    Sha256 hash;
    std::vector<char> buffer(1 << 20);
    while (in.read(buffer.data(), std::streamsize(buffer.size())) || in.gcount() > 0)
        hash.update(std::string_view(buffer.data(), std::size_t(in.gcount())));
    return hash.hex();
}

Key Key::of(const nlohmann::json& inputs) {
    Key key;
    key.hex_ = sha256_hex(inputs.dump());  // nlohmann::json keeps object members sorted by name
    return key;
}

}  // namespace suture
