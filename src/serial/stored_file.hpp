// A file that one process writes alone through a store, without waiting: values are copied, and a thread gives them to
// the store (serial/store_thread.hpp). The calls that are fences (redefine, get, sync, close) wait for the thread, and
// then use the store themselves. No MPI.
//
// It knows cells and definitions; its caller (bindings/netcdf4/serial) implements the meaning of netCDF's calls. The
// order of calls:
//
//   create | open ─▶ (put | get | redefine | sync)* ─▶ close | abandon
//
// Every function throws Error. For one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/deferred_error.hpp"
#include "serial/unput_cells.hpp"
#include "serial/value_copies.hpp"
#include "store/cdf_places.hpp"
#include "store/store.hpp"

namespace sv {

/// Cells of a variable, with all of its dimensions; at least one.
struct StridedCells {
  int variable;
  Index start, count, stride;
};

class StoredFile {
 public:
  /// A new file. `store` writes as one rank, and borrows HDF5 from StoreThread. `fills`: of each variable, whether
  /// unput cells get fill values.
  static std::unique_ptr<StoredFile> create(std::unique_ptr<Store> store, PlacedSchema schema, std::vector<bool> fills,
                                            bool exclusive);
  /// An existing file. `schema`: as it is, with the lengths of unlimited dimensions. Error(unsupported) where some
  /// variable cannot be written.
  static std::unique_ptr<StoredFile> open(std::unique_ptr<Store> store, PlacedSchema schema, std::vector<bool> fills);
  StoredFile(const StoredFile &) = delete;
  /// Without close: as abandon.
  ~StoredFile();

  /// With the present lengths of unlimited dimensions.
  const PlacedSchema &schema() const { return schema_; }
  /// The new schema only adds to the present one (model/rules/netcdf4.hpp), and has its lengths.
  void redefine(const PlacedSchema &schema, std::vector<bool> fills);
  /// Values follow each other, in native order. Unlimited dimensions become as long as they must.
  void put(const StridedCells &cells, const std::byte *values);
  /// Cells that exist.
  void get(const StridedCells &cells, std::byte *values);
  /// The same for a variable of strings. A put of strings waits, too: HDF5 has their memory.
  void put_strings(const StridedCells &cells, std::span<const std::string> strings);
  std::vector<std::string> get_strings(const StridedCells &cells);
  /// When it returns, readers find all puts in the file; if it is durable, they are on the disk.
  void sync();
  /// As sync; and the file is closed.
  void close();
  /// Instead of close. Puts since the last sync may be lost.
  void abandon() noexcept;

 private:
  StoredFile(std::unique_ptr<Store> store, PlacedSchema schema, std::vector<bool> fills);
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }
  int64_t width(int v) const { return size_of(variable(v).type); }
  void learn_storage();
  void lengthen(const StridedCells &cells);
  void put_slab(const UnputCells::Slab &slab, const Box &cells, const std::byte *values);
  void copy(const UnputCells::Slab &slab, const Box &part, const Box &cells, const std::byte *values);
  void fill(const UnputCells::Slab &slab);
  void fill_all();
  void hand_over();
  void in_thread(int64_t bytes, std::function<void(Store &)> task);
  void settle();
  void settle_to_read();
  void in_this_thread(const std::function<void(Store &)> &task);

  std::unique_ptr<Store> store_;  // of the thread while tasks are left
  PlacedSchema schema_;
  std::vector<bool> fills_;
  std::vector<Storing> storing_;  // by variable
  UnputCells unput_;
  ValueCopies copies_;
  int64_t committed_records_ = 0;
  bool is_closed_ = false;
  DeferredError error_;
};

}  // namespace sv
