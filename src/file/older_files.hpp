// The files under the names of a set before a run gives the names to its own files: the run that has written them
// (store/set_run.hpp), and the files to remove when the whole set is complete. The engine calls these when it makes and
// closes a file.
#pragma once

#include <cstdint>
#include <string>

namespace sv {

class File;

/// Local. The number of a run that is to write these files, where they are a set: larger than those of the files that
/// it replaces, as far as this rank replaces them; 0 where there are none (store/set_run.hpp).
int64_t new_run(const File &file);
/// Collective, before a set is made: numbers the run. Nothing for one file.
void number_run(File &file, const std::string &call);

/// Local, when all ranks have given their pieces of a set their names. One file of the set's name would be older, and
/// found first: it goes.
void remove_older(const File &file);

}  // namespace sv
