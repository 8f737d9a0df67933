#include "backend/mpi_io/team_store.hpp"

namespace sv {

void TeamStore::transfer(Direction direction, const Slab &slab,
                         const std::function<void(const SubArray &part, int64_t offset_bytes)> &made) {
  const Variable &each = variable(slab.variable);
  try {
    if (direction == Direction::read && slab.first < slab.last && each.has_records) check_record(slab.record, records_);
    std::vector<SubArray> parts = sub_arrays(slab, each.has_records);
    const int64_t calls = most_calls(direction, slab.variable, static_cast<int64_t>(parts.size()));
    const std::vector<size_t> nothing(each.dims.size(), 0);
    parts.resize(static_cast<size_t>(calls), {nothing, nothing, 0, 0});
    for (const SubArray &part : parts) made(part, part.first_element * size_of(each.type));
  } catch (Error &error) {
    throw error.in_variable(each.name).in_file(path_);
  }
}

void TeamStore::write(const Slab &slab, std::span<const std::byte> values) {
  transfer(Direction::write, slab, [&](const SubArray &part, int64_t offset_bytes) {
    ++counters_.writes;
    put(slab.variable, part, values.data() + offset_bytes);
  });
  counters_.written_bytes += static_cast<int64_t>(values.size());
}

void TeamStore::read(const Slab &slab, std::span<std::byte> values) {
  transfer(Direction::read, slab, [&](const SubArray &part, int64_t offset_bytes) {
    ++counters_.reads;
    get(slab.variable, part, values.data() + offset_bytes);
  });
  counters_.read_bytes += static_cast<int64_t>(values.size());
}

}  // namespace sv
