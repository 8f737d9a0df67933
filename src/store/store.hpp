// A store writes and reads one file, in slabs: stretches of one variable, or of one record of it. It is an interface,
// which src/store and src/backend implement; the rounds and the engine call it through the file's home. A store does
// not decide which rank has which slab, and sends nothing to other ranks itself. The order of calls, in which (...)*
// is repeated and [...] may be left out:
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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/convert.hpp"
#include "base/error.hpp"
#include "store/cdf_places.hpp"
#include "store/store_counters.hpp"

namespace sv {

/// Elements [first, last) of the row-major order of `box`, a box of one variable (of one record of it).
struct Slab {
  int variable;
  int64_t record;  // 0 for fixed variables
  Box box;
  int64_t first, last;
};

/// One of many slabs in the order of the file, with its values. `touches`: it and the slab before are each one run of
/// the file with nothing but padding between them, which is written as 0. Values that are read stand as far apart.
struct SlabPart {
  Slab slab;
  std::span<std::byte> values;
  bool touches;
};

/// A variable that is to have so many records.
struct RecordCount {
  int variable;
  int64_t records;
};

/// Two kinds of file. Published: written as PATH.part and renamed by finish. Growing: under PATH from the
/// first commit on (PATH.part before it), and PATH.complete, an empty file, once finished.
enum class Kind { published, growing };

enum class Direction { write, read };

/// Whether the ranks of a team may call each other to deliver what they have written.
enum class Delivery { now, later };

/// How a variable is stored.
struct Storing {
  /// Cells that nobody writes are read as fill values, also beside others that are written: then nobody need write
  /// those. The same on all ranks of a team.
  bool fills = false;
  Index chunk{};         // lengths, with all its dimensions; none where it has no chunks, or a library does not tell
  Index sink{};          // of what one rank writes as a whole: of a chunk, or of a shard of many
  bool foreign = false;  // only the owner of the file can move its values
};

class PositionalFile;

class Store {
 public:
  virtual ~Store() = default;

  /// Order of bytes in the buffers of write and read.
  virtual ByteOrder byte_order() const = 0;

  /// Makes the file and writes the header with a record count of 0. Removes what a crashed run left (PATH.part,
  /// PATH.complete). With `exclusive`, Error(exists) when PATH is there.
  virtual void create(const PlacedSchema &schema, bool exclusive) = 0;
  /// Opens an existing file for appending: bytes beyond the committed records are cut. The owner's counterpart of
  /// create.
  virtual void reopen(const PlacedSchema &schema) = 0;
  /// Opens, on another rank, what the owner created or reopened; `writing` false opens a finished file for reading.
  virtual void attach(const PlacedSchema &schema, bool writing) = 0;

  /// On every rank that has it open: takes over changed definitions, none of whose known variables moves (place_again).
  /// The file contains them from the owner's next commit on. In stores with chunks, only lengths of dimensions may have
  /// changed, and the call is collective in a team. Error(order) in stores whose files are defined once.
  virtual void redefine(const PlacedSchema &schema);

  /// The owner's. Another store of this path is created in its place: this one is read to its end, and detached.
  virtual void prepare_replacement() {}

  /// All ranks know of this one's last error.
  virtual void mark_failed_everywhere() noexcept {}

  /// How often each rank of the team must call write (or read) when this one has `mine` slabs of the variable: those
  /// that have fewer make calls for empty slabs. Where it is collective, that is the largest number of all, and 0 where
  /// one of them has failed (`mine` -1).
  virtual int64_t most_calls(Direction direction, int variable, int64_t mine) {
    static_cast<void>(direction);
    static_cast<void>(variable);
    return mine < 0 ? 0 : mine;
  }
  /// On a rank that has the file open.
  virtual Storing storing(int variable) {
    static_cast<void>(variable);
    return {};
  }
  /// Collective in a team, before the first write to a record: each of the variables has so many records. Many may cost
  /// the ranks of a team no more than one of them.
  virtual void grow(std::span<const RecordCount> variables) { static_cast<void>(variables); }
  /// Collective in a team: throws where one of them brings an error, the same on all; otherwise where this rank does.
  virtual void agree(const Error *error);
  /// `values`: the slab's elements, contiguous, in byte_order(). One positional write per contiguous run of the file.
  virtual void write(const Slab &slab, std::span<const std::byte> values) = 0;
  /// Collective in a team, after calls of write for a variable: what these have kept back until ranks had agreed on
  /// places goes into the file, now or, of small variables, at the latest with sync or commit. Whoever has failed calls
  /// it, too. Later: it is kept back in any case, and no rank waits for another.
  virtual void deliver(int variable, Delivery when) {
    static_cast<void>(variable);
    static_cast<void>(when);
  }
  /// Records that do not exist yet are Error(not_found); a file that ends too early is Error(format).
  virtual void read(const Slab &slab, std::span<std::byte> values) = 0;

  /// From now on small writes may be kept back until there are many, or something else is done with the file; what they
  /// fail with comes then. For a rank that has the file alone.
  virtual void collect() {}

  /// The same for many. Writes what touches at once. A team's ranks call these equally often, with no parts where they
  /// have none, in stores whose calls are collective.
  virtual void write_many(std::span<const SlabPart> parts);
  virtual void read_many(std::span<const SlabPart> parts);
  /// Writes the same slabs, whole ones of all variables with records, into each record from `first` to before `last`,
  /// of which nothing was put. False, and nothing is written, where the store writes slabs one by one only.
  virtual bool write_records(std::span<const SlabPart> of_one, int64_t first, int64_t last) {
    static_cast<void>(of_one), static_cast<void>(first), static_cast<void>(last);
    return false;
  }

  /// This rank's data are on the disk when it returns.
  virtual void sync() = 0;
  /// Adds descriptors with which another thread does so.
  virtual void duplicate(std::vector<PositionalFile> &descriptors) { static_cast<void>(descriptors); }
  /// So many records may be read: of a file whose count lags; and of one that this rank alone writes, by other ranks,
  /// which attach it afterwards.
  virtual void admit(int64_t records) { static_cast<void>(records); }
  /// And the name under which the file stands. The owner's.
  virtual void sync_name() {}
  /// Whether commit and finish return, from now on, when what they write and name is on the disk. Not at first.
  virtual void be_durable(bool durable) { static_cast<void>(durable); }
  /// Makes `records` records count. Call after the data of all writers are written (or, for durability, synced).
  virtual void commit(int64_t records) = 0;
  /// Closes this rank's handle; close errors count.
  virtual void detach() = 0;
  /// After every rank detached: gives the file its final length and name (published) or its marker (growing).
  virtual void finish() = 0;
  /// Instead of finish: removes a published file's .part; a growing file keeps its committed records.
  virtual void abandon() noexcept = 0;

  virtual StoreCounters counters() const = 0;
  /// From now on, what is written is kept in `ranges`, which must outlive the store, where it knows the places.
  virtual void keep_ranges(WrittenRanges &ranges) { static_cast<void>(ranges); }
  /// What the summary should tell of how the file was written: hints asked for and in force. The owner's.
  virtual std::vector<std::string> remarks() const { return {}; }
};

}  // namespace sv
