// The index of a netCDF-4 file: HDF5, which knows the places of variables and chunks, and gives places to new ones.
// The owner of a written file has one over a MetadataImage (recording_driver.hpp); readers have one over the file
// itself. Local; it moves no values, except those that only HDF5 can read.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/chunked/error_bound.hpp"
#include "backend/netcdf4/hdf5_calls.hpp"
#include "backend/netcdf4/recording_driver.hpp"
#include "backend/netcdf4/storage.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// The name that a variable has in HDF5. NetCDF gives one that has a dimension's name without being its coordinate
/// another name there.
std::string name_in_hdf5(hid_t file, const Variable &variable);

class FileIndex {
 public:
  /// Of the file at `path`, to read: as it is when an interrupted commit of it is completed. `schema` must outlive
  /// this. Error(format), Error(io).
  FileIndex(const std::string &path, const Schema &schema);
  /// The file in `recorded`, to write; `recorded` must outlive this.
  FileIndex(Recorded &recorded, const std::string &path, const Schema &schema);

  /// How a variable is stored, and all of them. Error(format).
  const Storage &storage(int variable) const;
  const std::vector<Storage> &storages() const;

  /// Where it writes: `definitions` adds some to the file, and then the file has these of `schema`.
  void add(const Schema &schema, const std::function<void(hid_t file)> &definitions);
  /// Gives each contiguous variable that has no place its own. Returns these.
  std::vector<int> place_contiguous();
  /// Gives a chunk that begins at this cell a place for so many bytes, and indexes it. `mask`: of ChunkPlace.
  int64_t place(int variable, const Index &cell, int64_t bytes, uint32_t mask = 0);
  /// Nothing where it has no place: its cells have the fill value.
  std::optional<ChunkPlace> find(int variable, const Index &cell) const;
  /// The same, for the chunks known at the last flush: new ones cost nothing.
  std::optional<ChunkPlace> find_flushed(int variable, const Index &cell) const;
  /// HDF5 forgets which places are free, and gives none of them to anybody again.
  void forget_free();
  /// That the longest variable has.
  int64_t records() const;
  /// Every variable that has records has at least so many.
  void lengthen(int64_t records);
  void lengthen(int variable, int64_t records);
  /// Every variable reaches to the present lengths of its dimensions, records aside.
  void widen(const Schema &schema);
  /// No variable has more; whether one had. Where a chunk would be divided, it keeps its length.
  bool shorten(int64_t records);
  /// Sets the attributes, which the variables have.
  void state(std::span<const LargestError> errors);
  /// Values in native order, however they are stored.
  void read(int variable, const SubArray &part, std::byte *values) const;

  /// Strings, in the order of the cells; a cell beyond the file's has the fill value.
  std::vector<std::string> read_strings(int variable, const Box &cells) const;
  /// They are in the image afterwards, and count as its metadata do.
  void write_strings(int variable, const Box &cells, std::span<const std::string> strings);

  /// All that it knows is in the image.
  void flush();
  void close();

 private:
  struct Opened {
    std::string name;  // in HDF5
    Handle dataset;    // closed until something is asked of it
    Index length;
    int64_t flushed_records = 0;
    Element fill{};
    std::string fill_text;  // of strings
  };
  void open_variables(const Schema &schema, size_t first);
  void open_variable(const Schema &schema, size_t v) const;
  bool is_read() const { return schema_ != nullptr; }
  void widen(Opened &opened, const Schema &schema, const Variable &variable) const;
  Handle open_dataset(const std::string &name) const;
  Storage storage_of(hid_t dataset, Type type) const;
  void place(int variable);
  const Opened &opened(int variable) const;

  std::unique_ptr<Recorded> completed_;  // a file that is read, and of which a commit was interrupted
  Recorded *recorded_ = nullptr;
  const std::string path_;
  Handle file_;
  const Schema *schema_ = nullptr;         // of a file that is read
  mutable std::vector<Opened> variables_;  // without a name: not opened so far
  std::vector<bool> has_records_;
  std::vector<Type> types_;
  mutable std::vector<Storage> storages_;
};

}  // namespace sv::netcdf4
