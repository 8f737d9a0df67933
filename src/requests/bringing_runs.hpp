// Makes the table of a call (run_table.hpp): the ranks line up what they ask for, tell each other, and settle what
// becomes of cells that several of them put.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "requests/field_lines.hpp"
#include "requests/request_codec.hpp"
#include "requests/run_table.hpp"

namespace sv {

struct RunsAsked {
  std::shared_ptr<const RunTable> table;
  std::vector<Band> bands;
  std::vector<Refusal> refused;
};
/// Collective. `whole`: whether some rank has requests on whole variables or decompositions. Throws on every rank what
/// one of them fails with.
RunsAsked bring_runs_together(File &file, const std::string &call, const Gathering &gathering, bool whole);

}  // namespace sv
