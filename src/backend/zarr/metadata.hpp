// The metadata of a Zarr group (version 3): zarr.json of the group, which consolidates those of its arrays, and of
// each array (zarr-specs, "Zarr core specification v3"; dimension names and attributes as xarray has them). The store
// writes and reads them. Zarr lacks some facts of netCDF: which dimension grows, the types of attributes, dimensions
// that no variable has. The member "netcdf" next to the consolidated metadata contains them.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/zarr/array.hpp"
#include "backend/zarr/attributes.hpp"
#include "backend/zarr/entries.hpp"
#include "store/objects.hpp"

namespace sv::zarr {

constexpr int64_t most_metadata_bytes = int64_t{16} << 20;  // of a file; JSON in memory takes several times as much

/// The metadata of a group as they stand: its own, and those of all that is below it, by their paths.
struct Documents {
  Json group;
  std::vector<std::pair<std::string, Json>> members;
};

/// The texts of a group's metadata, in which the number of records and the lengths of growing dimensions change, and to
/// which definitions are added.
class MetadataTexts {
 public:
  /// Of a new group.
  MetadataTexts(const Schema &schema, const std::vector<Array> &arrays);
  /// Of an existing group: members that Sverdrup does not know stay.
  MetadataTexts(const Schema &schema, const Documents &documents);
  std::string of_array(int variable, int64_t records) const;
  /// Takes over what `after` has more than `before` (enhanced::only_adds); `arrays` are those of `after`. Returns the
  /// variables whose texts have changed.
  std::set<int> add(const Schema &before, const Schema &after, const std::vector<Array> &arrays);
  /// Sets an attribute of a variable.
  void set(const Schema &schema, int variable, const Attribute &attribute);
  /// Takes over the lengths of dimensions that grow.
  void lengthen(const Schema &schema);
  /// `is_complete`: nothing will be added.
  std::string of_group(int64_t records, bool is_complete) const;
  /// The metadata of the groups of a new group, by their names.
  const std::vector<std::pair<std::string, std::string>> &groups() const { return groups_; }
  /// The document next to the metadata of an array, since other programs consolidate these anew; "": none is needed.
  const std::string &netcdf_document(int variable) const { return extensions_[static_cast<size_t>(variable)]; }

 private:
  struct Text {
    std::string name, before, after;  // around the number of records; `after` empty where it has none
  };
  void add(const Schema &schema, const Variable &variable, const Array &array);
  static Text text_of(const std::string &name, const Json &json, bool has_records);
  std::vector<Text> arrays_;
  std::vector<std::string> extensions_;
  std::vector<std::pair<std::string, std::string>> groups_;
  std::string group_;   // the members of its own metadata, with a comma behind each
  std::string others_;  // its other members, with a comma before each
  std::string netcdf_;
};

struct Group {
  Schema schema;
  std::vector<Array> arrays;  // of its variables
  Documents documents;        // where they are kept
};

/// Error(format) if it is none, or is damaged, or has nothing that Sverdrup can read. Other unreadable parts are
/// omitted, and named in the schema. Allocates no more than its text justifies. `keeps`: its documents.
Group read_group(const Objects &objects, StoreCounters &counters, bool keeps = false);

/// The records that the metadata of an array promise; 0 where they cannot be read.
int64_t records_in(const std::string &array);

/// Checks that the names of the variables can be those of directories. Error(define).
void check_names(const Schema &schema);

}  // namespace sv::zarr
