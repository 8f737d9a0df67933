// The plan as text, of at most 120 columns.
#pragma once

#include <string>

#include "messages.hpp"
#include "study.hpp"

namespace sv_plan {

/// "622.1 MB", "11.5 KB", "7 B": decimal units, as everywhere in the documentation.
std::string bytes_text(int64_t bytes);
/// "64 MiB", or the bytes where they are no whole number of KiB.
std::string size_text(int64_t bytes);
/// "12 345"
std::string number_text(int64_t number);
/// "1 node", "2 nodes"
std::string plural(int64_t n, const std::string &noun);
/// The field, the layout and the ranks, in a line.
std::string case_text(const Scene &scene);
/// "4 of 16 blocks are land and have no rank"; empty without a mask.
std::string land_text(const Scene &scene);
/// Where elements [first, last) of the field stand: "levels 3 to 9", "level 0, rows 0 to 269".
std::string place_text(const Scene &scene, int64_t first, int64_t last);
std::string stripes_text(const Scene &scene, const Study &study);

std::string summary_text(const Scene &scene, const Study &study);
std::string flows_text(const Scene &scene, const FlowList &list);
/// The cells and messages of the rank of --rank.
std::string rank_text(const Scene &scene, const Study &study);

}  // namespace sv_plan
