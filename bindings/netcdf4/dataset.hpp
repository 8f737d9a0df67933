// Files of netCDF-4, by number. A new one is undecided at first: the real library keeps its definitions, in a
// file in memory, and answers for them by its own rules. At the first nc_enddef or data they are all there, and it is
// decided once: Sverdrup's store netcdf4 has the file, or the real library, which is given the same definitions
// (docs/adr/0080-an-undecided-file.md). An existing file is decided upon when it is opened. A serial file that stays
// small never is. Each belongs to one rank; those of the ranks that made a file together are alike where the comments
// say so.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../face/account.hpp"
#include "codes.hpp"
#include "engine.hpp"
#include "entry.h"

namespace sv::netcdf4 {

enum class Owner { undecided, sverdrup, library };

struct Dataset {
  int ncid = -1;                 // of the outermost group
  const void *caller = nullptr;  // an address in the code that has made it: which real library it reaches
  std::string path;              // as the program names it
  std::string place;             // the same after the program has changed its directory
  int mode = 0;
  Owner owner = Owner::undecided;  // alike
  int there = -1;                  // its number in the real library: of the definitions in memory, or of the file
  bool is_defining = true;         // alike
  bool is_changed = true;          // alike: Sverdrup's file lacks definitions
  bool is_defined = false;         // alike: definitions have ended once
  std::vector<bool> is_put;        // of each of `shapes`: as the definitions keep it
  bool is_small = false;           // the library's until it grows: a file that one process has opened to write
  bool is_synced = false;          // by nc_sync, while it was small
  double bytes_in_memory = 0;      // of values that were put while it was undecided or small
  bool is_read_only = false;       // alike: `there` is the file itself
  std::vector<Shape> shapes;       // of Sverdrup's file
  int existing_variables = 0;      // of a file that several ranks opened to write: the first of `shapes`
  std::set<std::pair<int, int>> known_storage;  // group and number of existing variables that netCDF has asked about
  Account account;
  std::unique_ptr<Engine> engine;

  /// In the real library, where that has it in memory.
  std::string name_in_memory() const { return "definitions of Sverdrup, " + std::to_string(ncid); }
  /// New, and small so far: the real library has its values, too.
  bool is_in_memory() const { return owner == Owner::undecided && engine->keeps_small_files(); }
  bool is_classic() const { return (mode & NC_CLASSIC_MODEL) != 0; }
  /// Of a dimension of a variable, as it is now.
  int64_t length_of(const Shape &shape, size_t d) const {
    return shape.lengths[d] == unlimited_length ? engine->length(shape.dims[d]) : shape.lengths[d];
  }
};

/// By the number of a group; nullptr where it is not of one of these.
Dataset *dataset(int ncid) noexcept;
/// What the real library calls that group: one of another file has its own number.
inline int number_there(int ncid) noexcept {
  const Dataset *const own = dataset(ncid);
  return own == nullptr ? ncid : own->there + (ncid - own->ncid);
}
/// Gives it a number, and keeps it until it is forgotten.
Dataset &keep(std::unique_ptr<Dataset> made);
void forget(const Dataset &own);
/// All, in the order in which they were made.
std::vector<Dataset *> datasets();

}  // namespace sv::netcdf4
