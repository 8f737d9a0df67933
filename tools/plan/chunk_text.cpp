#include "chunk_text.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "model/auto_chunks.hpp"
#include "model/chunks.hpp"
#include "plan/loads.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

sv::Type type_of(int64_t element_bytes) {
  return element_bytes == 8 ? sv::Type::float64 : element_bytes == 4 ? sv::Type::float32 : sv::Type::int16;
}

sv::Schema file_of(const Options &options) {
  sv::Schema schema;
  schema.format = sv::Format::netcdf4;
  schema.dims = {{"time", 0, true},
                 {"level", options.shape[0], false},
                 {"row", options.shape[1], false},
                 {"column", options.shape[2], false}};
  for (int v = 0; v < options.variables; ++v) {
    sv::Variable made{.name = "v" + std::to_string(v),
                      .type = type_of(options.element_bytes),
                      .dims = {0, 1, 2, 3},
                      .attributes = {}};
    made.has_records = true;
    schema.variables.push_back(std::move(made));
  }
  return schema;
}

/// What passes between nodes.
struct SentMessages {
  int64_t all = 0, bytes = 0, most_of_node = 0;
};

/// One for each node, chunk (or part of it) that a rank of another node owns, and round.
SentMessages messages_of(const sv::Plan &plan, const sv::Topology &topology) {
  SentMessages sent;
  const sv::Stage &stage = plan.stages.front();
  for (int node = 0; topology.nodes() > 1 && node < topology.nodes(); ++node) {
    const std::vector<sv::Box> parts = sv::boxes_of(plan, stage, topology.ranks_of[static_cast<size_t>(node)]);
    int64_t own = 0;
    for (int s = 0; s < std::ssize(stage.sinks); ++s) {
      if (topology.node_of[static_cast<size_t>(stage.sinks[static_cast<size_t>(s)].rank)] == node) continue;
      for (int round = 0; round < plan.rounds; ++round) {
        const sv::Share share = plan.share(0, s, round);
        int64_t elements = 0;
        for (const sv::Box &part : parts)
          if (sv::meet(part, share.box)) elements += sv::elements_in(sv::intersect(part, share.box), share);
        own += elements > 0 ? 1 : 0;
        sent.bytes += elements * plan.field.element_bytes;
      }
    }
    sent.all += own;
    sent.most_of_node = std::max(sent.most_of_node, own);
  }
  return sent;
}

std::string messages_text(const sv::Plan &plan, const sv::Topology &topology) {
  const std::string rounds = plural(plan.rounds, "round");
  if (topology.nodes() == 1) return rounds + ", no messages: all ranks share a node";
  const SentMessages sent = messages_of(plan, topology);
  return rounds + ", " + plural(sent.all, "message") + " of " + bytes_text(sent.bytes) +
         " in all between nodes, at most " + std::to_string(sent.most_of_node) + " from one";
}

}  // namespace

std::string chunk_text(const Scene &scene) {
  const Options &options = scene.options;
  const int ranks = scene.topology.ranks();
  const sv::Schema schema = file_of(options);
  const sv::Variable &field = schema.variables.front();
  std::string text;
  for (const bool growing : {false, true}) {
    sv::ChunkRequest request;
    request.deflate = 1;
    request.one_record = growing;
    request = sv::summed(request, schema);
    const sv::Chunks chunks = sv::chunks_of(schema, field, request, ranks);
    const sv::AutoShape shape = sv::auto_shape(schema.slab_shape(field), field, request, ranks);
    const int64_t bytes = sv::shape_bytes(chunks.shape, options.element_bytes), records = chunks.shape[0];
    int64_t pieces = 1;
    for (int d = 1; d < chunks.shape.n; ++d)
      pieces *= sv::divide_up(options.shape[static_cast<size_t>(d) - 1], chunks.shape[d]);
    std::string lengths;
    for (int d = 0; d < chunks.shape.n; ++d) lengths += (d > 0 ? " x " : "") + std::to_string(chunks.shape[d]);
    text += std::string(growing ? "growing    " : "published  ") + "chunks of " + lengths + ", " + bytes_text(bytes) +
            ": " + (records > 1 ? std::to_string(records) + " records, " : "one record, ") + shape.reason + "\n";
    const int64_t waiting = records > 1 ? sv::divide_up(pieces, ranks) * bytes * options.variables : 0;
    text += "           " + plural(pieces, "chunk") + " in a record of a variable, compressed by " +
            plural(std::min<int64_t>(ranks, pieces), "rank") + "; at most " + bytes_text(waiting) +
            " of a rank wait for later records\n";
    sv::Index of_record(chunks.shape.n - 1, 0);
    for (int d = 1; d < chunks.shape.n; ++d) of_record[d - 1] = chunks.shape[d];
    text += "           a put of a record: " + messages_text(chunk_plan(scene, of_record), scene.topology) + "\n";
  }
  return "\nA compressed netCDF-4 file with chunks: auto, of " + plural(options.variables, "variable") + "\n" + text;
}

}  // namespace sv_plan
