#include "rounds/own_blocks.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

#include "rounds/behind.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/store_calls.hpp"
#include "transport/wait.hpp"

namespace sv {

namespace {

/// Below it, one rank that writes what all have brought is faster: a call of the system and a second meeting cost more
/// than another copy.
constexpr int64_t long_bytes = 64 << 10;
/// Packed and written at once; what is not packed, in one call.
constexpr int64_t packed_bytes = 64 << 10;

/// The dimension from which on the cells of a box, for each index before, follow one another in an array of this shape.
int first_of_run(const Box &box, const Index &shape) {
  int d = shape.n - 1;
  while (d > 0 && box.count[d] == shape[d]) --d;
  return d;
}

/// One of the runs of a box.
Box first_run(Box box, int first) {
  for (int d = 0; d < first; ++d) box.count[d] = 1;
  return box;
}

/// Where the quickest call takes longer than to write its bytes at a slow rate, by so much, each call has a price.
constexpr int64_t slow_call_us = 100, slow_bytes_per_us = 250;

int64_t microseconds_since(Moment begun) {
  return std::chrono::duration_cast<std::chrono::microseconds>(moment_now() - begun).count();
}

/// Visits the runs of a box in parts of at most so many elements, boxes that follow one another.
template <class Visit>
void for_parts(const Box &box, int first, int64_t most, Visit &&visit) {
  int cut = first;
  int64_t inner = first_run(box, first + 1).elements();  // of one index of the dimension that is cut
  while (inner > most) inner /= box.count[++cut];
  const int64_t step = std::max<int64_t>(1, most / inner);
  Box part = first_run(box, cut);
  for (;;) {
    for (int64_t done = 0; done < box.count[cut]; done += step) {
      part.start[cut] = box.start[cut] + done;
      part.count[cut] = std::min(step, box.count[cut] - done);
      visit(part);
    }
    int d = cut - 1;
    while (d >= 0 && ++part.start[d] == box.start[d] + box.count[d]) part.start[d] = box.start[d], --d;
    if (d < 0) return;
  }
}

/// This rank's blocks. Returns the time in µs, beyond the one for their bytes, of the quickest call of one part.
int64_t write_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  File &file = job.file;
  Context &context = file.context();
  const int64_t bytes = job.field.element_bytes;
  StepTimer timer(context.metrics, subject_of(file, job.variable));
  // What a call costs is not known before the first put: one rank finds out, and the others make as few as they can.
  const bool is_known = file.home().owners.surroundings.slow_calls.has_value();
  const bool finds_out = !is_known && context.rank() == job.layout->patches().front().rank;
  int64_t quickest = INT64_MAX;
  std::vector<std::byte> packed;
  for (const Patch &patch : job.layout->patches_of_rank(context.rank())) {
    const auto [piece, row] = pieces.of_patch(patch);
    const int first = first_of_run(piece.box, job.field.shape);
    const Box run = first_run(piece.box, first);
    const bool as_in_file = row->is_plain() && !row->swaps() && run_of(piece, run, bytes) != nullptr;
    const bool in_parts = finds_out || (is_known && !as_in_file);
    const int64_t most = in_parts ? packed_bytes / bytes : run.elements();
    for_parts(piece.box, first, most, [&, &from = piece, how = row](const Box &part) {
      const Share share{part, 0, part.elements()};
      const auto size = static_cast<size_t>(share.elements() * bytes);
      const std::byte *values = as_in_file ? run_of(from, part, bytes) : nullptr;
      if (values == nullptr) {
        timer.begin(Step::pack);
        packed.resize(size);
        file.count_misfits(job.variable, pack(from, share, *how, Form::compact, packed.data()));
        values = packed.data();
      }
      timer.begin(Step::output);
      const Moment begun = moment_now();
      file.home().store().write(slab_of(job.variable, job.record, share), {values, size});
      if (in_parts)
        quickest = std::min(quickest, microseconds_since(begun) - static_cast<int64_t>(size) / slow_bytes_per_us);
    });
  }
  return quickest;
}

/// Every block is made of long stretches of one file, which all ranks can open by themselves.
bool are_long_stretches(const FieldJob &job) {
  const File &file = job.file;
  Home &home = file.home();
  const Surroundings &surroundings = home.owners.surroundings;
  if (!job.plan || !home.places_here() || !home.has_offsets() || behind_of(file) != nullptr) return false;
  if (job.layout->points() != nullptr || surroundings.shared_file_system || surroundings.late) return false;
  const std::span<const Patch> patches = job.layout->patches();
  return !patches.empty() && std::all_of(patches.begin(), patches.end(), [&](const Patch &patch) {
    const Box box = job.plan->extend(patch.box);
    const Box run = first_run(box, first_of_run(box, job.field.shape));
    return run.elements() * job.field.element_bytes >= long_bytes;
  });
}

}  // namespace

bool writes_own_blocks(const FieldJob &job) {
  const Home &home = job.file.home();
  const bool slow_calls = home.owners.surroundings.slow_calls.value_or(false);
  if (!home.owners.asked.is_open() || slow_calls || !home.maker.told_way().empty()) return false;
  // In several rounds, ranks pack one while another is written.
  return job.plan && job.plan->rounds <= 1 && job.file.context().topology().nodes() == 1 && are_long_stretches(job);
}

bool reads_own_blocks(const FieldJob &job) {
  return job.file.settings().reading == Reading::automatic && are_long_stretches(job);
}

OwnBlocks write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  OwnBlocks done;
  done.error = caught(job.file.context().rank(), [&] {
    make_room(job.file, job.variable, job.record);
    done.extra_us = write_blocks(job, pieces);
  });
  return done;
}

void learn_calls(File &file, int64_t extra_us) {
  if (extra_us < INT64_MAX) file.home().owners.surroundings.slow_calls = extra_us > slow_call_us;
}

}  // namespace sv
