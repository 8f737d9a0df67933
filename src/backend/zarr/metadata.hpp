// The metadata of a Zarr group (version 3): zarr.json of the group, which consolidates those of its arrays, and of each
// array (zarr-specs, "Zarr core specification v3"; dimension names and attributes as xarray has them). The store writes
// and reads them. What netCDF knows and Zarr does not - which dimension grows, the types of attributes, dimensions that
// no variable has - stands beside the consolidated metadata, as "netcdf", where nobody else looks.
#pragma once

#include <string>
#include <vector>

#include "backend/zarr/array.hpp"
#include "backend/zarr/attributes.hpp"
#include "backend/zarr/folder.hpp"

namespace sv::zarr {

/// The texts of a group's metadata, in which only the number of records changes.
class MetadataTexts {
 public:
  MetadataTexts(const Schema &schema, const std::vector<Array> &arrays);
  std::string of_array(int variable, int64_t records) const;
  /// `is_complete`: nothing will be added.
  std::string of_group(int64_t records, bool is_complete) const;

 private:
  struct Text {
    std::string name, before, after;  // around the number of records; `after` empty where it has none
  };
  std::vector<Text> arrays_;
  std::string group_, netcdf_;
};

struct Group {
  Schema schema;
  std::vector<Array> arrays;  // of its variables
};

/// Error(format) where it is none, or has what Sverdrup does not know. Allocates no more than its text justifies.
Group read_group(const Folder &folder, StoreCounters &counters);

/// Checks that the names of the variables can be those of directories. Error(define).
void check_names(const Schema &schema);

}  // namespace sv::zarr
