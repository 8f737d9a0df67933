#include "engine/extents.hpp"

#include <algorithm>

namespace sv {

namespace {

Extent last_at_or_before(const std::vector<Extent> &extents, int64_t offset) {
  auto after = std::upper_bound(extents.begin(), extents.end(), offset,
                                [](int64_t at, const Extent &extent) { return at < extent.begin; });
  return after == extents.begin() ? extents.front() : *(after - 1);
}

}  // namespace

SchemaExtents::SchemaExtents(const Schema &schema)
    : record_begin_(schema.record_begin), record_bytes_(schema.record_bytes) {
  fixed_.push_back({0, schema.data_begin});
  for (const Variable &each : schema.variables) {
    if (each.slab_bytes == 0) continue;
    if (each.has_records)
      records_.push_back({each.begin - record_begin_, each.begin - record_begin_ + each.slab_bytes});
    else
      fixed_.push_back({each.begin, each.begin + each.slab_bytes});
  }
  const auto by_begin = [](const Extent &a, const Extent &b) { return a.begin < b.begin; };
  std::sort(fixed_.begin(), fixed_.end(), by_begin);
  std::sort(records_.begin(), records_.end(), by_begin);
}

Extent SchemaExtents::covering(int64_t offset_bytes) const {
  if (offset_bytes < record_begin_ || records_.empty() || record_bytes_ == 0)
    return last_at_or_before(fixed_, offset_bytes);
  const int64_t base = record_begin_ + (offset_bytes - record_begin_) / record_bytes_ * record_bytes_;
  const Extent inside = last_at_or_before(records_, offset_bytes - base);
  return {base + inside.begin, base + inside.end};
}

}  // namespace sv
