#include "transfer/shared_cells.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "file/home.hpp"
#include "mpi/packets.hpp"

namespace sv {

namespace {

/// A run and whose it is. As it travels.
struct Claimant {
  int64_t begin, end;
  int32_t rank, request, place, variable;
};

std::vector<SharedCells> found_in(std::vector<Claimant> claimants) {
  std::sort(claimants.begin(), claimants.end(), [](const Claimant &a, const Claimant &b) {
    return std::tuple(a.begin, a.rank, a.request) < std::tuple(b.begin, b.rank, b.request);
  });
  std::map<std::pair<int, int>, SharedCells> found;
  const auto enter = [&](const Claimant &a, const Claimant &b) {
    found.try_emplace({a.rank, a.request}, SharedCells{std::max(a.begin, b.begin), a.rank, a.request, a.place,
                                                       a.variable, b.rank, b.request, b.place});
  };
  std::vector<const Claimant *> open;
  for (const Claimant &each : claimants) {
    std::erase_if(open, [&](const Claimant *other) { return other->end <= each.begin; });
    for (const Claimant *other : open) {
      enter(*other, each);
      enter(each, *other);
    }
    open.push_back(&each);
  }
  std::vector<SharedCells> all;
  for (const auto &[request, shared] : found) all.push_back(shared);
  return all;
}

}  // namespace

std::vector<SharedCells> shared_cells(const File &file, const RunTable &table, const std::vector<int> &places) {
  const Comm &comm = file.context().comm;
  const CombinedPlan &plan = *table.plan;
  std::vector<Packet> messages;
  for (size_t s = 0; s < plan.stretches().size(); ++s) {
    std::vector<Claimant> mine;
    for (int round = 0; round < plan.rounds(); ++round) {
      const RunTable::InSlice &in = table.in_slice(static_cast<int>(s), round);
      for (size_t i = in.first; i < in.last; ++i) {
        const OwnRun &run = table.own.runs[i];
        mine.push_back({run.offset_bytes, table.own.end_of(run), comm.rank(), run.request,
                        places[static_cast<size_t>(run.request)],
                        table.own.of[static_cast<size_t>(run.request)].variable});
      }
    }
    if (!mine.empty()) messages.push_back(packet_of<Claimant>(plan.stretches()[s].rank, mine));
  }
  std::vector<Claimant> claimants;
  for (const Packet &packet : comm.exchange(messages)) {
    const std::vector<Claimant> theirs = values_in<Claimant>(packet);
    claimants.insert(claimants.end(), theirs.begin(), theirs.end());
  }
  std::vector<SharedCells> all;
  std::set<std::pair<int, int>> named;
  for (const std::vector<SharedCells> &of_rank : all_values(comm, found_in(std::move(claimants))))
    for (const SharedCells &each : of_rank)
      if (named.insert({each.rank, each.request}).second) all.push_back(each);
  return all;
}

std::string first_cell(const File &file, const SharedCells &shared) {
  const bool has_records = file.variable(shared.variable).has_records;
  const Places &places = file.home().places();
  const Field field = places.field(shared.variable, has_records ? 0 : -1);
  const int64_t step = has_records ? places.step_bytes(shared.variable) : 0;
  int64_t offset = shared.offset_bytes - field.offset_bytes;
  Box cell;
  if (step > 0) {
    cell = {{offset / step}, {1}};
    offset %= step;
  }
  const Index inside = cell_at(Box::whole(field.shape), offset / field.element_bytes);
  for (int d = 0; d < inside.n; ++d) {
    cell.start.push(inside[d]);
    cell.count.push(1);
  }
  return text_of(cell);
}

std::vector<FileRange> lost_ranges(const File &file, const std::vector<std::vector<FileRange>> &lost) {
  std::vector<Packet> messages;
  for (size_t rank = 0; rank < lost.size(); ++rank)
    if (!lost[rank].empty()) messages.push_back(packet_of<FileRange>(static_cast<int>(rank), lost[rank]));
  std::vector<FileRange> mine;
  for (const Packet &packet : file.context().comm.exchange(messages)) {
    const std::vector<FileRange> part = values_in<FileRange>(packet);
    mine.insert(mine.end(), part.begin(), part.end());
  }
  std::sort(mine.begin(), mine.end(), [](const FileRange &a, const FileRange &b) { return a.begin < b.begin; });
  return mine;
}

}  // namespace sv
