// Requests of points that wait, on their way to places in the file.
#pragma once

#include <span>
#include <string>

#include "transfer/requests.hpp"

namespace sv {

/// Collective in a file with orders, otherwise local. Requests of points become regions of the file. Ranks may have
/// different ones. `call`: equal on all ranks.
void place_points(File &file, const std::string &call, std::span<Request *const> requests);

}  // namespace sv
