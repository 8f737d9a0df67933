#include "prediction/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace sv {

namespace {

double storage_seconds(int64_t bytes, const Machine &machine, int64_t written_before) {
  if (machine.burst_bytes <= 0) return real(bytes) / machine.storage_bytes_per_second;
  const double fast = std::clamp(machine.burst_bytes - real(written_before), 0.0, real(bytes));
  const double slow = std::min(machine.storage_bytes_per_second, machine.sustained_bytes_per_second);
  return fast / machine.storage_bytes_per_second + (real(bytes) - fast) / slow;
}

/// What takes longest of these.
std::string longest(std::initializer_list<std::pair<double, const char *>> parts) {
  const auto by_seconds = [](const auto &a, const auto &b) { return a.first < b.first; };
  return std::max_element(parts.begin(), parts.end(), by_seconds)->second;
}

/// What writing takes, and why.
struct Writing {
  double writer = 0, calls = 0;   // seconds of the writer that has most: for its bytes, and for its calls
  double storage = 0, locks = 0;  // of the busiest target, or of storage as one
  double seconds = 0;
};

Writing writing_of(const PlanCounts &counts, const Machine &machine, int64_t written_before) {
  Writing w;
  w.calls = std::max(real(counts.most_writes), real(counts.most_node_writes) / machine.cores_per_node) *
            machine.write_seconds;
  w.writer = real(counts.most_writer_bytes) / machine.writer_bytes_per_second;
  if (machine.targets == 0 || counts.load.targets.empty()) {
    w.storage = storage_seconds(counts.bytes, machine, written_before);
    w.locks = counts.load.hand_overs * machine.lock_seconds;
    w.seconds = std::max(w.writer + w.calls, w.storage) + w.locks;
    return w;
  }
  w.writer = std::max(w.writer, counts.load.most_serial_bytes / machine.target_bytes_per_second);
  double busiest = 0;
  for (const TargetLoad &target : counts.load.targets) {
    const double moving = target.requests * machine.write_seconds + target.bytes / machine.target_bytes_per_second;
    const double locks = target.hand_overs * machine.lock_seconds;
    if (moving + locks <= busiest) continue;
    busiest = moving + locks;
    w.storage = moving;
    w.locks = locks;
  }
  w.seconds = std::max({w.writer + w.calls, busiest, storage_seconds(counts.bytes, machine, written_before)});
  return w;
}

/// Bytes of values as they are left when they are compressed.
PlanCounts left_of(PlanCounts counts, double ratio) {
  for (int64_t *bytes : {&counts.bytes, &counts.most_writer_bytes})
    *bytes = static_cast<int64_t>(std::llround(real(*bytes) * ratio));
  for (TargetLoad &target : counts.load.targets) target.bytes *= ratio;
  counts.load.most_serial_bytes *= ratio;
  return counts;
}

double compress_seconds(const PlanCounts &counts, const Machine &machine) {
  const double one = machine.compress_bytes_per_second;
  double node = one * std::min(machine.cores_per_node, counts.most_ranks_on_node);
  if (machine.compress_node_bytes_per_second > 0) node = std::min(node, machine.compress_node_bytes_per_second);
  return std::max(real(counts.most_node_compressed_bytes) / node, real(counts.most_compressed_bytes) / one);
}

/// When the first of the ranks that share a core has done `own_seconds` of work of its own. As long as it has not, the
/// core turns to each of the others as often.
double first_done(double own_seconds, double ranks_of_core, double turn_seconds) {
  if (turn_seconds <= 0) return own_seconds;
  const double turns_before = std::max(0.0, std::ceil(own_seconds / turn_seconds) - 1);
  return own_seconds + turns_before * (ranks_of_core - 1) * turn_seconds;
}

/// Sets transfer and behind. The ranks of a node meet in each round, in which each of them packs, compresses, and
/// writes what it compressed two rounds before: where they take turns on the cores, some write while others compress.
void compress_in_rounds(const PlanCounts &counts, const Machine &machine, PhaseSeconds &phases) {
  constexpr int rounds_behind = 2;
  const double rounds = std::max(1, counts.rounds), ranks = std::max(1, counts.most_ranks_on_node),
               cores = std::min<double>(machine.cores_per_node, ranks);
  const double work = (phases.pack + phases.send + phases.compress) / rounds, write = phases.write / rounds;
  const double on_cores = work + write * machine.writer_core_part / cores;  // of them, what writing takes
  const double first = first_done(on_cores * cores / ranks, ranks / cores, machine.core_turn_seconds);
  const double both = std::min(work + write, std::max(first + write, on_cores + write / ranks));
  const double later = std::min<double>(rounds_behind, rounds);
  phases.transfer = rounds * both;
  phases.behind = later * (work + write - both);
}

}  // namespace

double put_seconds(int ranks, const Machine &machine) {
  if (machine.put_seconds >= 0) return machine.put_seconds + machine.put_seconds_per_rank * (ranks - 1);
  return 2 * agreement_seconds(ranks, machine);
}

double agreement_seconds(int ranks, const Machine &machine) {
  if (machine.agreement_seconds >= 0)
    return ranks < 2 ? 0 : machine.agreement_seconds + machine.agreement_seconds_per_rank * (ranks - 1);
  return std::ceil(std::log2(std::max(1, ranks))) * machine.message_seconds;
}

PhaseSeconds predict(const PlanCounts &counts, const Machine &machine, int64_t written_before) {
  PhaseSeconds phases;
  const double together = agreement_seconds(counts.ranks, machine);
  phases.open = machine.open_seconds + machine.open_seconds_per_rank * (counts.openers - 1) + together;
  const int packing = std::min(machine.cores_per_node, counts.most_ranks_on_node);
  phases.pack = real(counts.most_placed_bytes) /
                std::min(machine.pack_bytes_per_second * packing, machine.memory_bytes_per_second);
  phases.send = real(counts.most_node_messages) * machine.message_seconds +
                real(counts.most_node_bytes) / machine.message_bytes_per_second;
  const bool compresses = counts.most_compressed_bytes > 0;
  const Writing w = compresses ? writing_of(left_of(counts, machine.compress_ratio), machine, written_before)
                               : writing_of(counts, machine, written_before);
  phases.write = w.seconds;
  const double rounds = std::max(1, counts.rounds), collect = phases.pack + phases.send;
  const double own = real(counts.most_writer_placed_bytes) / machine.pack_bytes_per_second;
  phases.transfer = (collect + phases.write + (rounds - 1) * std::max(collect, phases.write + own)) / rounds;
  if (compresses) {
    phases.compress = compress_seconds(counts, machine);
    compress_in_rounds(counts, machine, phases);
  }
  if (counts.netcdf4_variables > 0)
    phases.open += machine.netcdf4_file_seconds + counts.netcdf4_variables * machine.netcdf4_variable_seconds;
  // The ranks of a node meet in every stage of every round; a put's own seconds have the first.
  const double meetings = rounds * counts.stages - (machine.put_seconds >= 0 ? 1 : 0);
  if (machine.agreement_seconds >= 0)
    phases.transfer += meetings * agreement_seconds(counts.most_ranks_on_node, machine);
  phases.close = 2 * machine.write_seconds + together;  // the header and the record count
  const bool waits_for_storage = w.storage > w.writer + w.calls;
  phases.limit = longest({{phases.pack, "packing"},
                          {phases.compress, "compressing"},
                          {phases.send, "messages"},
                          {waits_for_storage ? 0 : w.writer, "one writer"},
                          {waits_for_storage ? 0 : w.calls, "write calls"},
                          {waits_for_storage ? w.storage : 0, "storage"},
                          {w.locks, "locks"}});
  return phases;
}

}  // namespace sv
