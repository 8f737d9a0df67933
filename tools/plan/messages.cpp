#include "messages.hpp"

#include <algorithm>

namespace sv_plan {

namespace {

/// Walks `part` in the order of `whole`; chunk_at(position) is the chunk that holds it, and visit gets each chunk with
/// the elements of the part in it.
template <class ChunkAt, class Visit>
void for_each_chunk(const sv::Box &part, const sv::Box &whole, const ChunkAt &chunk_at, const Visit &visit) {
  sv::RowCursor cursor(part, whole, 0, whole.elements());
  auto chunk = chunk_at(0);
  int64_t inside = 0;
  for (sv::Row row; cursor.next(row);) {
    for (int64_t at = row.position, end = at + row.elements; at < end;) {
      if (at >= chunk.end) {
        if (inside > 0) visit(chunk, inside);
        inside = 0;
        chunk = chunk_at(at);
      }
      const int64_t next = std::min(end, chunk.end);
      inside += next - at;
      at = next;
    }
  }
  if (inside > 0) visit(chunk, inside);
}

std::vector<int64_t> distinct(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

int64_t last_at_or_before(const std::vector<int64_t> &values, int64_t value) {
  return *(std::upper_bound(values.begin(), values.end(), value) - 1);
}

}  // namespace

DomainIndex::DomainIndex(const std::vector<sv::IoDomain> &domains) {
  for (size_t d = 0; d < domains.size(); ++d) {
    const sv::Index &start = domains[d].box.start;
    rows_.push_back(start[0]);
    columns_.push_back(start[1]);
    known_[{start[0], start[1]}] = static_cast<int>(d);
  }
  rows_ = distinct(std::move(rows_));
  columns_ = distinct(std::move(columns_));
}

int DomainIndex::of(const sv::Index &cell) const {
  if (known_.empty() || cell[0] < rows_.front() || cell[1] < columns_.front()) return -1;
  const auto found = known_.find({last_at_or_before(rows_, cell[0]), last_at_or_before(columns_, cell[1])});
  return found == known_.end() ? -1 : found->second;
}

Messages::Messages(const Scene &scene) : scene_(scene), domains_(scene.domains) {
  if (!scene.has_ranges()) return;
  const sv::Plan &plan = scene.plan;
  for (const sv::Sink &sink : plan.stages.back().sinks) {
    const int64_t last = sink.territory.last;
    for (int64_t end = sink.territory.first - sink.phase_elements; end < last;) {
      end += plan.round_elements;
      chunks_.push_back({std::min(end, last), sink.rank});
    }
  }
}

void Messages::of(int stage, const sv::Patch &patch, const std::function<void(int, int64_t)> &visit) const {
  const sv::Plan &plan = scene_.plan;
  const sv::Box part = plan.extend(patch.box);
  if (plan.at_home || (plan.route.self && !scene_.collects())) return visit(patch.rank, part.elements());
  const bool collecting = scene_.collects() && stage == 0;
  const sv::IoDomain *const domain =
      collecting ? &scene_.domains[static_cast<size_t>(domains_.of(patch.box.start))] : nullptr;
  if (scene_.has_ranges()) {
    const auto chunk_at = [this](int64_t position) {
      return *std::upper_bound(chunks_.begin(), chunks_.end(), position,
                               [](int64_t at, const Chunk &chunk) { return at < chunk.end; });
    };
    for_each_chunk(part, sv::Box::whole(plan.field.shape), chunk_at, [&](const Chunk &chunk, int64_t elements) {
      visit(collecting ? domain->root : chunk.rank, elements);
    });
  } else {
    const int64_t each = plan.round_elements;
    const auto chunk_at = [&](int64_t position) { return Chunk{(position / each + 1) * each, domain->root}; };
    for_each_chunk(part, plan.extend(domain->box), chunk_at,
                   [&](const Chunk &chunk, int64_t elements) { visit(chunk.rank, elements); });
  }
}

FlowList list_flows(const Scene &scene, int most) {
  const Messages messages(scene);
  FlowList list;
  std::map<int, int64_t> to;
  for (int stage = 0; stage < static_cast<int>(scene.plan.stages.size()); ++stage) {
    const sv::Layout &sources = *scene.plan.stages[static_cast<size_t>(stage)].sources;
    for (int rank = 0; rank < sources.ranks(); ++rank) {
      to.clear();
      for (const sv::Patch &patch : sources.patches_of_rank(rank)) {
        messages.of(stage, patch, [&](int receiver, int64_t elements) { to[receiver] += elements; });
      }
      for (const auto &[receiver, elements] : to) {
        if (list.all++ < most) list.flows.push_back({stage, rank, receiver, elements});
      }
    }
  }
  return list;
}

}  // namespace sv_plan
