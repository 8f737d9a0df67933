// The part of a store (store/store.hpp) that makes a file, commits its records and ends it: called by the file's owner,
// one rank, after the other ranks have written what it commits. In a team (store/team.hpp) each rank makes these calls,
// and they are collective. Every function but abandon throws Error with the path, and leaves abandon possible.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/cdf_places.hpp"

namespace sv {

/// Two kinds of file. Published: written as PATH.part and renamed by finish. Growing: under PATH from the
/// first commit on (PATH.part before it), and PATH.complete, an empty file, once finished.
enum class Kind { published, growing };

class Owner {
 public:
  /// Makes the file and writes the header with a record count of 0. Removes what a crashed run left (PATH.part,
  /// PATH.complete). With `exclusive`, Error(exists) when PATH is there.
  virtual void create(const PlacedSchema &schema, bool exclusive) = 0;
  /// Opens an existing file for appending, in place of create: bytes beyond the committed records are cut,
  /// except in chunks that also have committed ones.
  virtual void reopen(const PlacedSchema &schema) = 0;
  /// Strings into a variable, of all its dimensions, in the order of the cells. In a team, the owner's alone; the
  /// others then make a call of Team::deliver.
  virtual void write_strings(int variable, const Box &cells, std::span<const std::string> strings);
  /// Another store of this path is created in its place: this one is read to its end, and detached.
  virtual void prepare_replacement() {}

  /// Makes `records` records count. Call after the data of all writers are written (or, for durability, synced).
  virtual void commit(int64_t records) = 0;
  /// Whether commit and finish return, from now on, when what they write and name is on the disk. Not at first.
  virtual void be_durable(bool durable) { static_cast<void>(durable); }
  /// The name under which the file stands is on the disk when it returns.
  virtual void sync_name() {}
  /// Remarks of the summary on the writing of the file: hints requested and in force.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// After every rank detached: gives the file its final length and name (published) or its marker (growing).
  virtual void finish() = 0;
  /// Instead of finish: removes a published file's .part; a growing file keeps its committed records.
  virtual void abandon() noexcept = 0;

 protected:
  ~Owner() = default;
};

}  // namespace sv
