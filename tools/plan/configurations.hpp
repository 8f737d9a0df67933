// Many configurations of one case, predicted.
#pragma once

#include <string>

#include "options.hpp"

namespace sv_plan {

/// The result of --case, --configurations and --predict, as a JSON array. Throws sv::Error.
std::string predicted_configurations(const Options &options);

}  // namespace sv_plan
