// Makes the table of a call (run_table.hpp): the ranks order their requests, exchange them, and resolve cells that
// several of them put.
#pragma once

#include <vector>

#include "transfer/asked_fields.hpp"
#include "transfer/field_lines.hpp"
#include "transfer/run_table.hpp"

namespace sv {

/// This rank's requests in the file, if other ranks have no copy of them: made before the ranks meet, which may
/// exchange the lines in the gate where they do.
struct OwnLines {
  OwnRuns runs;
  std::vector<FieldLine> lines;
  std::vector<std::vector<FieldLine>> of_all{};  // by rank; empty if they have not exchanged them
};
/// Local; except `of_all`.
OwnLines own_lines(const RequestList &list);

/// Collective. Completes `fields`: their table, bands and refused requests. `own`: as own_lines makes them. `whole`:
/// whether some rank has requests on whole variables or decompositions. Throws on every rank the error of one of them.
void exchange_runs(AskedFields &fields, bool whole, OwnLines own);

}  // namespace sv
