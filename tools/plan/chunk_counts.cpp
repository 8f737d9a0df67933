#include "chunk_counts.hpp"

#include <algorithm>
#include <string>

#include "counts.hpp"
#include "model/chunks.hpp"
#include "plan/chunk_grid.hpp"

namespace sv_plan {

namespace {

sv::Type type_with(int64_t element_bytes) {
  return element_bytes == 8   ? sv::Type::float64
         : element_bytes == 4 ? sv::Type::float32
         : element_bytes == 2 ? sv::Type::int16
                              : sv::Type::int8;
}

sv::Schema schema_of(const std::vector<ChunkedVariable> &file) {
  sv::Schema schema;
  schema.format = sv::Format::netcdf4;
  schema.dims = {{"time", 0, true}};
  for (const ChunkedVariable &each : file) {
    sv::Variable made{.name = "", .type = type_with(each.element_bytes), .dims = {}, .attributes = {}};
    if (each.has_records) made.dims.push_back(0);
    for (int d = 0; d < each.shape.n; ++d) {
      made.dims.push_back(static_cast<int>(schema.dims.size()));
      schema.dims.push_back({"d" + std::to_string(schema.dims.size()), each.shape[d], false});
    }
    made.has_records = each.has_records;
    for (int64_t n = 0; n < each.count; ++n) {
      made.name = "v" + std::to_string(schema.variables.size());
      schema.variables.push_back(made);
    }
  }
  return schema;
}

/// Whether the chunk is one or more levels of the block: it has the block's rows and columns, or all of them that the
/// field has in these dimensions, one after the other in the block's memory.
bool is_of_block(const sv::Box &chunk, const sv::Box &block) {
  if (sv::intersect(chunk, block) != chunk) return false;
  int d = chunk.count.n - 1;
  while (d >= 0 && chunk.count[d] == block.count[d]) --d;
  for (--d; d >= 0; --d)
    if (chunk.count[d] != 1) return false;
  return true;
}

}  // namespace

bool is_netcdf4(const sv::FileSettings &settings) {
  return settings.store == "netcdf4" || (settings.store == "auto" && sv::is_netcdf4(settings.format));
}

sv::Index chunk_of(const std::vector<ChunkedVariable> &file, size_t which, const sv::FileSettings &settings,
                   int owners) {
  const sv::Schema schema = schema_of(file);
  size_t at = 0;
  for (size_t v = 0; v < which; ++v) at += static_cast<size_t>(file[v].count);
  sv::ChunkRequest request = settings.chunks;
  request.one_record = settings.kind == sv::Kind::growing;
  const sv::Chunks chunks = sv::chunks_of(schema, schema.variables[at], sv::summed(request, schema), owners);
  sv::Index chunk;
  if (chunks.kind == sv::Chunks::Kind::contiguous) return chunk;
  const sv::Index &shape = file[which].shape;
  const int skipped = chunks.shape.n - shape.n;
  for (int d = 0; d < shape.n; ++d)
    chunk.push(chunks.kind == sv::Chunks::Kind::shaped ? std::min(chunks.shape[d + skipped], shape[d]) : shape[d]);
  return chunk;
}

sv::RouteRequest owners_of_chunks(const sv::FileSettings &settings, int ranks) {
  const sv::RouteRequest &asked = settings.route;
  const auto ranges = asked.ranges();
  if (ranges && (!asked.is_open() || !settings.chunks.compresses())) return *ranges;
  sv::RouteRequest all;
  all.name = "ranges";
  all.writers = {sv::Writers::Kind::count, ranks};
  return all;
}

sv::PlanCounts counts_of_chunks(const sv::Plan &plan, const sv::Topology &topology, const sv::Striping &striping,
                                bool compresses) {
  const std::vector<sv::Traffic> by_rank = sv::traffic_of_all(plan, topology);
  sv::PlanCounts counts = counts_of(plan, topology, by_rank, striping);
  const sv::ChunkGrid grid(plan.field);
  const auto owners = static_cast<int>(plan.route.writers.size());
  const sv::Layout &layout = *plan.stages.front().sources;
  std::vector<int64_t> own(by_rank.size(), 0);  // bytes that are not packed
  for (int64_t number = 0; number < grid.chunks(); ++number) {
    const auto rank = static_cast<size_t>(plan.route.writers[static_cast<size_t>(grid.owner(number, owners))]);
    const sv::Box chunk = grid.box(number);
    for (const sv::Patch &patch : layout.patches_of_rank(static_cast<int>(rank)))
      if (is_of_block(chunk, plan.extend(patch.box))) own[rank] += chunk.elements() * plan.field.element_bytes;
  }
  counts.most_placed_bytes = 0;
  double writes = 0;
  int64_t most_node_writes = 0;
  for (const std::vector<int> &ranks : topology.ranks_of) {
    int64_t placed = 0, values = 0, of_node = 0;
    for (const int rank : ranks) {
      const sv::Traffic &one = by_rank[static_cast<size_t>(rank)];
      placed += one.placed_bytes - own[static_cast<size_t>(rank)];
      values += one.written_bytes;
      of_node += compresses ? std::min<int64_t>(one.writes, plan.rounds) : one.writes;
      if (compresses) counts.most_compressed_bytes = std::max(counts.most_compressed_bytes, one.written_bytes);
    }
    counts.most_placed_bytes = std::max(counts.most_placed_bytes, placed);
    if (compresses) counts.most_node_compressed_bytes = std::max(counts.most_node_compressed_bytes, values);
    most_node_writes = std::max(most_node_writes, of_node);
    writes += static_cast<double>(of_node);
  }
  // The bodies that a rank made in a round follow one another: they are one write.
  counts.most_node_writes = most_node_writes;
  if (compresses) counts.most_writes = std::min<int64_t>(counts.most_writes, plan.rounds);
  if (compresses) counts.most_writer_placed_bytes = 0;
  // Neighbouring writers share a stripe.
  const double each = 1.0 / striping.targets;
  counts.load = {};
  counts.load.targets.assign(static_cast<size_t>(striping.targets),
                             {writes * each, static_cast<double>(counts.bytes) * each, compresses ? writes * each : 0});
  counts.load.most_serial_bytes = static_cast<double>(counts.most_writer_bytes);
  if (compresses) counts.load.hand_overs = writes;
  return counts;
}

}  // namespace sv_plan
