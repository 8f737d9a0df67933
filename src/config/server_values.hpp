// How the values of the keys that say who serves are read from text and shown. The table of keys names each of them
// once.
#pragma once

#include "config/settings.hpp"
#include "config/values.hpp"
#include "plan/roles.hpp"

namespace sv {

/// The three keys that make up a request.
Codec<ServerRequest> async_mode_codec();
Codec<ServerRequest> server_placement_codec();
Codec<ServerRequest> server_groups_codec();

Codec<GroupRequest> server_group_codec();
/// "paced:100MB": when data are sent, and with which limit.
Codec<Settings> forwarding_codec();

/// "3,2": numbers of steps, from 1 on; or "auto": none.
Codec<std::vector<int>> turns_codec();

}  // namespace sv
