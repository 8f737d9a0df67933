// Which run has written a file of a set (docs/adr/0059-a-set-is-of-one-run.md). A run that replaces an older set gives
// its files their names one after the other: when it is ended between two of them, files of both stand there. So each
// file of a set that replaces an older one has the global attribute `sverdrup_run`, a number larger than those of the
// files that it replaces. The first set of a name has none, which is run 0. Values; nothing here opens a file.
#pragma once

#include <cstdint>
#include <string>

#include "model/schema.hpp"

namespace sv {

/// 0 where the attribute is missing.
int64_t run_of(const Schema &schema);
/// Replaces another run in the schema; 0: none.
void set_run(Schema &schema, int64_t run);
/// The cause of an error, where files of a set are of several runs.
std::string runs_differ(int64_t run, int64_t run_of_first);

}  // namespace sv
