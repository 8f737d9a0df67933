// A store writes and reads one file, in slabs: stretches of one variable, or of one record of it. src/store and
// src/backend implement it; the rounds and the engine call it through the file's home, and pass on only the part that a
// function needs: Reader, Writer, Owner or Team. A store does not decide which rank has which slab, and sends nothing
// to other ranks itself. The order of calls, in which (...)* is repeated and [...] may be left out:
//
//   owner (one rank)   create | reopen ─▶ (write*, read*, [sync], commit(records))* ─▶ detach ─▶ finish | abandon
//   other writers      attach ─▶ (write*, read*, [sync])* ─▶ detach
//
// finish: the file is complete; abandon: it is given up.
//
// Stores over MPI-IO (src/backend) are opened by a team, rank 0 of which is the owner. All ranks of the team make the
// owner's calls, and grow before the first write to a record. Only write and read does each make for itself, unless
// most_calls asks that all make equally many:
//
//   team               create | reopen ─▶ (grow, write*, read*, [sync], commit(records))* ─▶ detach ─▶ finish | abandon
//
// Every function throws Error (with the path) and leaves the store usable for detach and abandon.
#pragma once

#include "store/owner.hpp"
#include "store/reader.hpp"
#include "store/store_counters.hpp"
#include "store/team.hpp"
#include "store/writer.hpp"

namespace sv {

/// This rank's handle of the file, and all that it may do with it.
class Store : public Reader, public Writer, public Owner, public Team {
 public:
  virtual ~Store() = default;

  /// Opens, on another rank, what the owner created or reopened; `writing` false opens a finished file for reading.
  virtual void attach(const PlacedSchema &schema, bool writing) = 0;
  /// On every rank that has it open: takes over changed definitions, none of whose known variables moves (place_again).
  /// The file contains them from the owner's next commit on. In stores with chunks, lengths may have changed or
  /// definitions been added (model/rules/netcdf4.hpp); collective in a team. Error(order) where files are defined once.
  virtual void redefine(const PlacedSchema &schema) {
    static_cast<void>(schema);
    throw Error(Status::unsupported, "the files of this store are defined once", "Define everything before sv_enddef");
  }
  /// Closes this rank's handle; close errors count.
  virtual void detach() = 0;

  virtual StoreCounters counters() const = 0;
};

}  // namespace sv
