// The file that all reading methods read: CDF-5, made without any library.
#pragma once

#include <string>

#include "block.hpp"

namespace sv_bench {

/// Collective, both.
void make_input(const Block &block, const std::string &path);
void remove_input(const Block &block, const std::string &path);

}  // namespace sv_bench
