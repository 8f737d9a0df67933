// Requests that one rank carries out by itself, while the others do something else: what it puts goes straight into its
// own store, and what it gets comes from there. For files whose bytes our own ranks place, between begin_indep
// (engine/alone.hpp) and end_indep, and for small requests of a run of one rank.
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
/// put, the last value stays. Throws what it fails with; values before may have been moved.
void move_alone(File &file, const Request &request);

/// Collective; nothing where no such time has begun. Throws, on every rank, what a put of some rank has failed with,
/// which fails the file.
void end_indep(File &file);

}  // namespace sv
