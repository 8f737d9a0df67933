// A kind of store: its name, and the properties that the home of a file needs before a store is made. The library's
// kinds stand in one table, a row each; a plug-in without a row there returns its own (docs/stores.md). Values; nothing
// here makes a store.
#pragma once

#include <string>
#include <vector>

#include "base/convert.hpp"
#include "model/schema.hpp"

namespace sv {

/// Where values stand: by this a plan divides them among owners.
enum class Placing {
  in_file,       // where the header of a CDF file says: owners have stripes of the file
  in_variables,  // each variable by itself, in its own order: owners have stripes of the variable
  in_chunks,     // the same, in chunks that no two owners share; chunks may be compressed
  by_chunk       // the same, and each chunk is written whole by one owner
};

struct StoreKind {
  std::string name;             // as the key `store` has it; store_NAME.so where it is a plug-in
  std::vector<Format> formats;  // that its files may have; the first is the default
  /// Whether the file at a path is one of its files. False if there is none.
  bool (*knows)(const std::string &path);
  Placing placing = Placing::in_variables;
  ByteOrder byte_order = ByteOrder::native;  // of the values that its files are written from and read into
  bool is_plug_in = true;                    // otherwise it is in the library itself
  bool has_team = false;             // its writers open a file together, and its library counts the records by itself
  bool has_single_appender = false;  // of a file that was closed, one rank at a time may write more
  /// It has the calls that not every store has: redefine (otherwise changed definitions make a new file) and duplicate,
  /// by which records count when their data are on the disk.
  bool has_all_calls = false;
  bool may_have_thread = false;     // where one rank alone has it open, it makes no MPI calls: a thread may use it
  bool has_tunable_writes = false;  // large stretches are written as write_depth and direct_io say
  bool is_folder = false;           // its files are directories
  bool has_only_chunks = false;     // no variable is contiguous
  bool exposes_offsets = false;     // its store knows where all values stand: for a virtual index

  bool takes(Format format) const;
};

/// The table. The first kind that takes a format has the files whose settings name no store.
const std::vector<StoreKind> &store_kinds();

/// The names of the table, and of the other plug-ins in the library's folder. Reads that folder.
std::vector<std::string> store_names();
/// Where the plug-in of this name stands, or would stand.
std::string plug_in_path(const std::string &name);

}  // namespace sv
