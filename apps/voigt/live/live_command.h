#pragma once

#include <map>
#include <string>
#include <variant>

#include "apps/voigt/live/live_session.h"

namespace voigt {

// The values of a form that a browser sent.
using LiveForm = std::map<std::string, std::string>;

// What the form asks for, or what is wrong with it. Every value is checked: numbers are finite and
// within sensible ranges, bodies exist, nothing is missing, and nothing unknown is there.
std::variant<LiveCommand, std::string> ReadLiveCommand(const LiveForm& form, int body_count);

}  // namespace voigt
