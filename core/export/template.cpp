// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/internal/template.h"

namespace suture {

/// Generated from resources/export/modeling_suture.py.in.
extern const char* const modelling_template;

namespace {

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

}  // namespace

std::string modelling_file(const std::string& model_type, const std::string& class_prefix) {
    std::string text = modelling_template;
    replace_all(text, "@FAMILY@", model_type);
    replace_all(text, "@CLASS@", class_prefix);
    return text;
}

}  // namespace suture
