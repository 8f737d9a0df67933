// A virtual index: a file of references (kerchunk's JSON, version 1) with which xarray opens a netCDF file as Zarr,
// without reading its header: it contains the definitions, and the file positions of the chunks of each variable. No
// value is copied. The stores cdf and netcdf4 write one, on the file's owner, at each commit of a growing file and at
// its end, if `virtual_index` is set (docs/adr/0048-virtual-index.md). Local; no MPI.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/convert.hpp"
#include "model/schema.hpp"
#include "store/store_counters.hpp"

namespace sv {

/// How a variable stands in its file.
struct StoredVariable {
  struct Range {
    int64_t offset_bytes, bytes;
  };
  Index chunk;  // with all dimensions of the variable
  ByteOrder order = ByteOrder::native;
  std::vector<std::string> filters;  // as numcodecs has them, in JSON, in the order in which values pass through them
  /// Where the chunk that begins at this cell stands; nothing: its cells have the fill value.
  std::function<std::optional<Range>(const Index &cell)> find;
};

/// Contiguous values from `offset_bytes` on: of one record, where it has records, `record_bytes` apart. In chunks of at
/// most 64 MiB, except for the last dimension.
StoredVariable stored_in_one_piece(const Schema &schema, const Variable &variable, int64_t offset_bytes,
                                   int64_t record_bytes);

class VirtualIndex {
 public:
  /// Of the file at `path`, whose index is PATH.refs.json.
  explicit VirtualIndex(const std::string &path);
  /// Removes a written index that was not published.
  ~VirtualIndex();
  VirtualIndex(const VirtualIndex &) = delete;

  /// Writes all of it to PATH.refs.json.part. `stored`: the storage of a variable in the file; `schema` contains the
  /// records. `on_disk`: it is durable when this returns.
  using Stored = std::function<StoredVariable(int variable)>;
  void write(const Schema &schema, const Stored &stored, bool on_disk, StoreCounters &counters);
  /// Removes an older file of this name, and its references.
  void withdraw() const;
  /// Replaces the earlier index by the last one.
  void publish();

 private:
  const std::string file_;                      // absolute
  bool has_part_ = false, is_written_ = false;  // PATH.refs.json.part is there; it is whole
};

}  // namespace sv
