// The file that all reading methods read: CDF-5, made without any library.
#pragma once

#include <string>

#include "workload/workload.hpp"

namespace sv_bench {

/// Collective, both.
void make_input(const Workload &workload, const std::string &path);
void remove_input(const Workload &workload, const std::string &path);

}  // namespace sv_bench
