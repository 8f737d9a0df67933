// Texts of the configuration, and sums over cells, which the ranks of a model share outside of files. Collective.
// Throws Failure(SV_EMPI).
#pragma once

#include <string>
#include <vector>

#include "exact_sum.hpp"
#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// Local.
bool is_first_rank(sv_context *io);
/// From the first rank to all.
void share(sv_context *io, int &number);
void share(sv_context *io, std::string &text);
int64_t largest_of_ranks(sv_context *io, int64_t number);
/// Each number becomes the least one of all ranks.
void take_least(sv_context *io, std::vector<int64_t> &numbers);
void take_least(sv_context *io, std::vector<double> &numbers);
/// The lists of all ranks, one after the other.
std::vector<int64_t> joined(sv_context *io, const std::vector<int64_t> &numbers);
/// Each sum becomes that over all ranks.
void add_over_ranks(sv_context *io, std::vector<ExactSum> &sums);

}  // namespace sv::streams
