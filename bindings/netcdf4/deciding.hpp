// Who has a file: it is decided once, at the first nc_enddef or data. And the definitions that Sverdrup's file is given
// then, and whenever others follow.
#pragma once

#include "../face/mpi/contexts.hpp"
#include "dataset.hpp"

namespace sv::netcdf4 {

/// Collective. Ends the definitions that the program has made so far: an undecided file is decided upon, and
/// Sverdrup's gets what it lacks. Throws a code.
void settle_definitions(Dataset &own);

/// Collective. The real library has the file from now on, with all definitions; what Sverdrup has of it is in the file.
/// `reason`: in words, for the summary. Throws netCDF's code.
void leave(Dataset &own, const std::string &reason);

/// Collective, of a file of Sverdrup's. Ranks put and get together from now on; or each by itself, where some variable
/// allows it. Nothing where they do so already.
void put_together(Dataset &own);
void put_by_themselves(Dataset &own);

/// Collective. Closes `own.file`, which is complete when it returns. Returns a status of Sverdrup.
int close_file(Dataset &own);

/// Local. The real library's file of definitions in memory ends.
void drop_definitions(Dataset &own) noexcept;

/// Collective. The context in which Sverdrup would make files of these ranks; nullptr with a `reason`: there is none.
/// `fills`: whether cells that nobody puts get fill values.
const Context *context_for(MPI_Comm comm, bool fills, std::string &reason);

}  // namespace sv::netcdf4
