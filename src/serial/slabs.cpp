#include "serial/slabs.hpp"

#include <algorithm>
#include <cstring>

#include "base/arithmetic.hpp"
#include "base/convert.hpp"

namespace sv {

Slabs::Slabs(const PlacedSchema &schema)
    : record_begin_(schema.places->record_begin), record_bytes_(schema.places->record_bytes) {
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    const CdfPlaces::Place &place = schema.places->variables[v];
    Entry entry{place.begin, place.slab_bytes,      slab_size(schema, variable), variable.has_records,
                {},          size_of(variable.type)};
    pack_row(variable.type, variable.type, ByteOrder::big)(schema.fill_value(variable).data(), entry.width,
                                                           entry.fill.data(), 1);
    entries_.push_back(entry);
    (variable.has_records ? recorded_ : fixed_).push_back(static_cast<int>(v));
  }
  for (std::vector<int> *const ordered : {&fixed_, &recorded_})
    std::sort(ordered->begin(), ordered->end(), [&](int one, int other) {
      return entries_[static_cast<size_t>(one)].begin < entries_[static_cast<size_t>(other)].begin;
    });
}

int64_t Slabs::place(int variable, int64_t record) const {
  const Entry &entry = entries_[static_cast<size_t>(variable)];
  return entry.begin + (entry.has_records ? record * record_bytes_ : 0);
}

void Slabs::each_of(const std::vector<int> &ordered, int64_t record, int64_t begin, int64_t end,
                    const std::function<void(const Stretch &)> &visit) const {
  auto next = std::partition_point(ordered.begin(), ordered.end(),
                                   [&](int v) { return place(v, record) + length(v) <= begin; });
  for (; next != ordered.end() && place(*next, record) < end; ++next) {
    const int64_t slab = place(*next, record);
    const int64_t first = std::max(begin, slab), last = std::min(end, slab + length(*next));
    if (first < last) visit({*next, record, first - slab, first, last - first});
  }
}

void Slabs::each(int64_t begin, int64_t end, const std::function<void(const Stretch &)> &visit) const {
  each_of(fixed_, 0, begin, recorded_.empty() ? end : std::min(end, record_begin_), visit);
  if (recorded_.empty() || record_bytes_ == 0 || end <= record_begin_) return;
  const int64_t first = std::max<int64_t>(0, (begin - record_begin_) / record_bytes_);
  for (int64_t record = first; record_begin_ + record * record_bytes_ < end; ++record)
    each_of(recorded_, record, begin, end, visit);
}

int64_t Slabs::padding_at(int64_t end) const {
  int64_t padding = 0;
  if (end % 4 == 0) return padding;
  each(end - 1, end, [&](const Stretch &last) {
    const Entry &entry = entries_[static_cast<size_t>(last.variable)];
    if (last.at + 1 == entry.data_length) padding = entry.length - entry.data_length;
  });
  return padding;
}

bool Slabs::fills_like(const Slabs &after) const {
  return std::equal(entries_.begin(), entries_.end(), after.entries_.begin(),
                    [](const Entry &one, const Entry &other) { return one.fill == other.fill; });
}

void Slabs::fill(int64_t begin, std::span<std::byte> to) const {
  each(begin, begin + std::ssize(to), [&](const Stretch &stretch) {
    const Entry &entry = entries_[static_cast<size_t>(stretch.variable)];
    std::byte *const at = to.data() + (stretch.offset_bytes - begin);
    // The pattern once, from the start of the stretch within an element; then copies of the bytes that are there.
    const int64_t seed = std::min(stretch.length, entry.width);
    for (int64_t i = 0; i < seed; ++i) at[i] = entry.fill[static_cast<size_t>((stretch.at + i) % entry.width)];
    for (int64_t done = seed; done < stretch.length;) {
      const int64_t more = std::min(done, stretch.length - done);
      std::memcpy(at + done, at, static_cast<size_t>(more));
      done += more;
    }
  });
}

}  // namespace sv
