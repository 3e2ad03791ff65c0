// SPDX-License-Identifier: GPL-3.0-or-later
// The two ways work ends early: an Error a person can act on, or Cancelled because they asked for it.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace suture {

/// Everything the program refuses. `what()` is one sentence that names the file, the tensor or key, what was expected
/// and what to do next; `details()` may hold more for those who ask (a parser's message, a list of names).
class Error : public std::runtime_error {
public:
    /// The values are the exit codes of suture-cli.
    enum class Kind { Internal = 1, Usage = 2, Input = 3 };

    explicit Error(const std::string& sentence, Kind kind = Kind::Input, std::string details = {})
        : std::runtime_error(sentence), kind_(kind), details_(std::move(details)) {}

    Kind kind() const { return kind_; }
    const std::string& details() const { return details_; }

private:
    Kind kind_;
    std::string details_;
};

/// Wrong use of an option or a list: exit code 2.
inline Error usage_error(const std::string& sentence) { return Error(sentence, Error::Kind::Usage); }

/// Thrown by Progress::step() once somebody asked to stop. Not an Error: nothing is wrong.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace suture
