#include "storage.hpp"

#include <algorithm>

namespace sv_bench {

namespace {

constexpr size_t no_variable = static_cast<size_t>(-1);

/// The number of the largest variable of two axes or more that has chunks.
size_t largest_in_chunks(const Header &header) {
  size_t largest = no_variable;
  for (size_t v = 0; v < header.storage.size(); ++v) {
    const Variable &variable = header.schema.variables[v];
    if (header.storage[v].chunks.empty() || header.schema.shape(variable).size() < 2) continue;
    if (largest == no_variable ||
        header.schema.slab_bytes(variable) > header.schema.slab_bytes(header.schema.variables[largest]))
      largest = v;
  }
  return largest;
}

/// Into how many segments the chunks of a variable cut its axis `from_last`, 0 for the last; no more than the shortest
/// such axis of all variables has cells.
int64_t segments_of(const Header &header, size_t like, size_t from_last) {
  const Schema &schema = header.schema;
  const std::vector<int64_t> &chunks = header.storage[like].chunks;
  const int64_t chunk = chunks[chunks.size() - 1 - from_last];
  const std::vector<int64_t> lengths = schema.shape(schema.variables[like]);
  int64_t segments = (lengths[lengths.size() - 1 - from_last] + chunk - 1) / chunk;
  for (const Variable &other : schema.variables) {
    const std::vector<int64_t> shape = schema.shape(other);
    if (shape.size() >= 2) segments = std::min(segments, shape[shape.size() - 1 - from_last]);
  }
  return std::max<int64_t>(1, segments);
}

}  // namespace

bool has_chunks(const Header &header) {
  return std::any_of(header.storage.begin(), header.storage.end(),
                     [](const Storage &storage) { return !storage.chunks.empty(); });
}

std::vector<std::string> storage_settings(const Header &header) {
  std::vector<std::string> settings{"format=netcdf4"};
  const size_t like = largest_in_chunks(header);
  if (like == no_variable) return settings;
  const Storage &storage = header.storage[like];
  settings.push_back("chunks.layout=" + std::to_string(segments_of(header, like, 0)) + "," +
                     std::to_string(segments_of(header, like, 1)));
  settings.push_back("compression=deflate:" + std::to_string(storage.deflate));
  settings.push_back(std::string("compression.shuffle=") + (storage.shuffle ? "true" : "false"));
  return settings;
}

}  // namespace sv_bench
