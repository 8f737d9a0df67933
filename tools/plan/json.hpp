// The plan as JSON, for scripts and for the tests that hold it against a real run.
#pragma once

#include <string>

#include "messages.hpp"
#include "study.hpp"

namespace sv_plan {

/// Lists of more than some entries end with how many were left out. `flows` are those of --flows,
/// `predicted` the JSON of --predict, or nothing.
std::string to_json(const Scene &scene, const Study &study, const FlowList &flows, const std::string &predicted);

}  // namespace sv_plan
