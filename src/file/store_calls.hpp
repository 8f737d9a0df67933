// The calls of ranks to the store of a file. For stores with collective calls (over MPI-IO), a rank that has less to
// do, or has failed, still makes its part of them. All code that reads or writes a store uses it.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "file/file.hpp"
#include "file/home.hpp"

namespace sv {

/// How often this rank must call read or write for a variable when it has `mine` calls to make; where they are made
/// together: as often as the rank that has most, or 0 where some rank has failed (`mine` −1).
int64_t calls_for(const File &file, Direction direction, int variable, int64_t mine);

/// This rank's calls for a variable. `failed`: it cannot make them; collective calls are then made by no rank.
struct Calls {
  Direction direction;
  int variable;
  int64_t mine;
  bool failed = false;
  bool in_gate = false;  // the others wait meanwhile, and make none
};
/// Makes them: visit(0) to visit(mine − 1), then visit(−1), which is to make an empty call, as often as others have
/// more. Returns what one of them threw; after that this rank makes empty calls, or, where it calls alone, none.
std::optional<Error> make_calls(const File &file, const Calls &calls, const std::function<void(int64_t)> &visit);

/// On all ranks: one rank has written values of the variable, so many bytes, while the others waited in a gate.
void took_in_gate(const File &file, int variable, int64_t bytes);

/// Nothing of a variable: for an empty call.
Slab empty_slab(const File &file, int variable);

/// Before the first put to a record: the variable has room for it. Made together where the store wants that.
void make_room(const File &file, int variable, int64_t record);
void make_room(const File &file, std::span<const WrittenSlab> slabs);

/// Ends what writers did one after the other: an error of one is thrown on all of them; elsewhere this rank's is.
void agree_on_calls(const File &file, const std::optional<Error> &error);

}  // namespace sv
