// Requests that one rank carries out independently: its puts go directly into its own store, and its gets come from
// there. For files whose bytes our own ranks place, between begin_indep (engine/alone.hpp) and end_indep, and for small
// requests of a run of one rank.
#pragma once

#include "file/ledger.hpp"
#include "transfer/requests.hpp"

namespace sv {

class File;

/// Of a request of sub-arrays: those that it has cells of, record by record.
std::vector<WrittenSlab> slabs_of(const File &file, const Request &request);
/// Local. Whether a request is moved so at any time, because no other rank shares the file (Strategy::independent).
bool needs_no_other_rank(const File &file, const Request &request);
/// Local. Moves the values of one request of sub-arrays, in the order of its regions: of cells that several of them
/// put, the last value stays. Throws its error; earlier values may have been moved.
void move_alone(File &file, const Request &request);

/// Collective; nothing outside independent access. Throws, on every rank, the error of a put of some rank, which fails
/// the file.
void end_indep(File &file);

}  // namespace sv
