// Where the values of a file stand, as a plan needs to know it: the place of each field, the ground on which its
// stripes are divided, and how long these are. Made once from definitions that stand fast. Local.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "model/chunks.hpp"
#include "plan/plan.hpp"
#include "store/cdf_places.hpp"
#include "store/kind.hpp"

namespace sv {

class Places {
 public:
  /// How a file is divided: into stripes, or (HDF5) into chunks, which depend on the number of owners.
  struct Dependencies {
    Placing placing;
    int64_t stripe_bytes;
    ChunkRequest chunks;
    int owners;
    std::vector<Chunks> found;  // of the variables of an opened file; for others, the request determines them
  };
  /// `schema` outlives this; with places, where values stand in the file.
  Places(const PlacedSchema &schema, const Dependencies &ground);
  ~Places();

  /// The field of a variable, or (record >= 0) of one record of it.
  Field field(int variable, int64_t record) const;
  /// From a record to the next; 0 where there is none, or a library places them.
  int64_t step_bytes(int variable) const;
  /// Whose stripes are whose: of the file or, where a library places the data, of the variable alone.
  const ExtentMap &extents(int variable) const;
  /// Of a netCDF-4 file; elsewhere contiguous. Both throw Error(limit) or Error(invalid) for chunks that cannot be.
  const Chunks &chunks(int variable) const;
  int64_t stripe_bytes(int variable) const;

 private:
  /// How a variable is stored, found when it is first asked for.
  struct Stored {
    Chunks chunks;
    int64_t stripe_bytes;
  };
  const Stored &stored(int variable) const;
  void give_chunks(Field &field, int variable, int64_t record) const;

  const PlacedSchema &schema_;
  Dependencies dependencies_;
  std::unique_ptr<const ExtentMap> in_file_;  // where we know the places
  /// Of variables that the store puts where it likes, by the bytes of a stripe and of a slab.
  mutable std::map<std::pair<int64_t, int64_t>, std::unique_ptr<const ExtentMap>> alone_;
  mutable std::vector<std::optional<Stored>> stored_;  // of each variable; homes ask for all before threads do
};

}  // namespace sv
