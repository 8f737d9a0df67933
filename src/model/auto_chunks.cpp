#include "model/auto_chunks.hpp"

#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"

namespace sv {

namespace {

constexpr int64_t least_bytes = int64_t{4} << 20, usual_bytes = int64_t{8} << 20, most_bytes = int64_t{16} << 20;
constexpr int64_t expected_records = 64;
constexpr int64_t most_waiting_bytes = int64_t{64} << 20;  // of a writer's memory, for chunks that are not whole
constexpr int64_t most_uncompressed_records = 16;          // they stand in the file whether they come or not
constexpr const char *by_memory = "as many records as the writers have memory for";

/// About `pieces` chunks of a slab, fewer where they would be too small.
Index cut_to(const Index &slab, int64_t pieces, int64_t element_bytes, int64_t least) {
  Index chunk = cut_in_order(slab, pieces);
  while (pieces > 1 && shape_bytes(chunk, element_bytes) < least) chunk = cut_in_order(slab, --pieces);
  while (shape_bytes(chunk, element_bytes) > most_bytes && shape_bytes(chunk, element_bytes) > element_bytes)
    chunk = cut_in_order(slab, pieces *= 2);
  return chunk;
}

/// Chunks of one record, so that all writers have some where there is enough.
Index of_one_record(const Index &slab, int64_t element_bytes, int writers) {
  const int64_t all = shape_bytes(slab, element_bytes), wanted = std::clamp(all / writers, least_bytes, most_bytes);
  return cut_to(slab, divide_up(all, wanted), element_bytes, least_bytes);
}

/// How many records have so many bytes, of a chunk of one record.
int64_t records_for(int64_t bytes, int64_t chunk_bytes) { return std::max<int64_t>(1, bytes / chunk_bytes); }

/// The memory in which chunks wait that are not whole yet.
struct WaitingRoom {
  int writers;
  int64_t record_bytes;  // of all variables
};

AutoShape of_several_records(const Index &slab, int64_t element_bytes, const WaitingRoom &ground) {
  const int64_t all = shape_bytes(slab, element_bytes);
  const int64_t room = std::max<int64_t>(1, most_waiting_bytes * ground.writers / std::max(ground.record_bytes, all));
  // A map then has as many chunks as a series of the expected records.
  const auto pieces = static_cast<int64_t>(
      std::lround(std::sqrt(static_cast<double>(expected_records) * static_cast<double>(all) / usual_bytes)));
  AutoShape made{cut_in_order(slab, std::max<int64_t>(1, pieces)), 1, "a map and a series of 64 records have as many"};
  made.records = records_for(usual_bytes, shape_bytes(made.slab, element_bytes));
  if (made.records <= room && made.records > 1) return made;
  if (room > 1) {
    const int64_t least = std::max<int64_t>(1, least_bytes / room);
    made = {cut_to(slab, std::max<int64_t>(1, all * room / usual_bytes), element_bytes, least), room, by_memory};
    made.records = std::min(room, records_for(most_bytes, shape_bytes(made.slab, element_bytes)));
    if (made.records > 1) return made;
  }
  return {of_one_record(slab, element_bytes, ground.writers), 1,
          room > 1 ? "a record is large" : "more records would not fit the writers' memory"};
}

}  // namespace

AutoShape auto_shape(const Index &slab, const Variable &variable, const ChunkRequest &request, int writers) {
  writers = std::max(writers, 1);
  const int64_t element_bytes = size_of(variable.type), all = shape_bytes(slab, element_bytes);
  if (!variable.has_records) return {of_one_record(slab, element_bytes, writers), 1, "it has no records"};
  if (const int64_t records = request.records; records > 0) {
    int64_t bytes = all;
    if (!multiply_into(bytes, records)) bytes = INT64_MAX;
    return {cut_to(slab, std::max<int64_t>(1, bytes / usual_bytes), element_bytes,
                   std::max<int64_t>(1, least_bytes / records)),
            records, "as chunks.records says"};
  }
  if (request.one_record)
    return {of_one_record(slab, element_bytes, writers), 1, "each step is committed, with whole chunks"};
  if (request.compresses()) return of_several_records(slab, element_bytes, {writers, request.record_bytes});
  const int64_t records = std::clamp<int64_t>(divide_up(least_bytes, all), 1, most_uncompressed_records);
  return {of_one_record(slab, element_bytes, writers), records,
          records > 1 ? "records are small" : "a record is large"};
}

}  // namespace sv
