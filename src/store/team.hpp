// The part of a store (store/store.hpp) by which a team writes: the ranks that open one file together through a
// library. Stores that each rank opens by itself keep these functions as they are here. Collective in a team, unless a
// function says otherwise. Errors are the same on all ranks, with the path.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.hpp"

namespace sv {

enum class Direction { write, read };

/// Whether the ranks of a team may call each other to deliver what they have written.
enum class Delivery { now, later };

/// A variable and the number of records that it must have.
struct RecordCount {
  int variable;
  int64_t records;
};

class Team {
 public:
  /// How often each rank must call write (or read) when this one has `mine` slabs of the variable: ranks with fewer
  /// make calls for empty slabs. Where it is collective, that is the largest number of all, and 0 where one of them has
  /// failed (`mine` -1).
  virtual int64_t most_calls(Direction direction, int variable, int64_t mine) {
    static_cast<void>(direction);
    static_cast<void>(variable);
    return mine < 0 ? 0 : mine;
  }
  /// Before the first write to a record: each of the variables has so many records. Many variables may cost the ranks
  /// no more than one.
  virtual void grow(std::span<const RecordCount> variables) { static_cast<void>(variables); }
  /// Throws the error of one rank on all of them; without a team, this rank's. nullptr: this rank has none.
  virtual void agree(const Error *error) {
    if (error != nullptr) throw Error(*error);
  }
  /// After calls of write for a variable: values that these have kept until ranks had agreed on places go into the
  /// file, now or, of small variables, at the latest with sync or commit. A rank that has failed calls it, too. Later:
  /// they are kept in any case, and no rank waits for another.
  virtual void deliver(int variable, Delivery when) {
    static_cast<void>(variable);
    static_cast<void>(when);
  }
  /// Local. All ranks know this one's last error.
  virtual void mark_failed_everywhere() noexcept {}

 protected:
  ~Team() = default;
};

}  // namespace sv
