#include "model/rules/zarr.hpp"

#include <algorithm>

namespace sv {

void omit_shuffle(Schema &schema, const ChunkRequest &of_file) {
  if (!of_file.only_chunks) return;
  for (const Variable &each : schema.variables) {
    const VariableStorage *const pattern = pattern_for(of_file, each.name);
    const bool is_asked = (each.storage != nullptr && !each.storage->is_found && each.storage->shuffle) ||
                          (pattern != nullptr && pattern->shuffle);
    const ChunkRequest request = request_of(of_file, each);
    const std::string what = "variable '" + each.name + "'";
    if (!is_asked || !request.shuffle || !request.compresses() || request.blosc) continue;
    if (std::ranges::find(schema.omissions, what, &Omission::what) == schema.omissions.end())
      schema.omissions.push_back(
          {what, "its bytes are not shuffled, since in Zarr only 'blosc_zlib' and 'blosc_zstd' do that", false});
  }
}

}  // namespace sv
