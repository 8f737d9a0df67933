// The keys of a stream or field that select and reduce in space: slices, box, stations, levels, where, reduce and grid.
// Local.
#pragma once

#include "configuration.hpp"
#include "yaml_map.hpp"

namespace sv::streams {

/// Takes them from the map into `to`, over those of the stream if `is_own`. Throws Failure(SV_ECONFIG).
void take_space(YamlMap &map, const std::string &path, bool is_own, FieldRequest &to);

}  // namespace sv::streams
