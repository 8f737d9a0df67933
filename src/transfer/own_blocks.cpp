#include "transfer/own_blocks.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "delivery/file_trace.hpp"
#include "file/store_calls.hpp"
#include "plan/stretches.hpp"
#include "transfer/own_stretches.hpp"

namespace sv {

namespace {

/// Visits the runs of a box in parts, boxes that follow one another, of at most `most()` elements, which is asked for
/// each. `d`: where to begin.
template <class Most, class Visit>
void for_parts(const Box &box, int d, int first, const Most &most, const Visit &visit) {
  if (box.empty()) return;
  if (d == box.count.n) return visit(box);  // of no dimensions
  const int64_t inner = box.elements() / box.count[d];
  Box part = box;
  for (int64_t done = 0; done < box.count[d]; done += part.count[d]) {
    const int64_t fit = d < first ? 0 : most() / inner;
    part.start[d] = box.start[d] + done;
    part.count[d] = std::clamp<int64_t>(fit, 1, box.count[d] - done);
    if (fit == 0 && d + 1 < box.count.n)
      for_parts(part, d + 1, first, most, visit);
    else
      visit(part);
  }
}

void write_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces, StretchWriter &writer) {
  File &file = job.file;
  Context &context = file.context();
  const int64_t bytes = job.field.element_bytes;
  StepTimer timer(context.metrics, subject_of(file, job.variable));
  std::vector<std::byte> packed;
  for (const Patch &patch : job.layout->patches_of_rank(context.rank())) {
    const auto [piece, row] = pieces.of_patch(patch);
    const int first = first_of_run(piece.box, job.field.shape);
    const Box run = first_run(piece.box, first);
    const bool as_in_file = row->is_plain() && !row->swaps() && run_of(piece, run, bytes) != nullptr;
    const auto most = [&] { return writer.part_bytes(as_in_file) / bytes; };
    for_parts(piece.box, 0, first, most, [&, &from = piece, how = row](const Box &part) {
      const Share share{part, 0, part.elements()};
      const auto size = static_cast<size_t>(share.elements() * bytes);
      const std::byte *values = as_in_file ? run_of(from, part, bytes) : nullptr;
      if (values == nullptr) {
        timer.begin(Step::pack);
        packed.resize(size);
        file.count_range_errors(job.variable, pack(from, share, *how, Form::compact, packed.data()));
        values = packed.data();
      }
      timer.begin(Step::output);
      writer.write(slab_of(job.variable, job.record, share), {values, size});
    });
  }
}

}  // namespace

OwnBlocks write_own_blocks(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  const PatchList patches = job.layout->patches();
  StretchWriter writer(job.file, patches.empty() ? owner_rank : patches.front().rank);
  const auto error = caught(job.file.context().rank(), [&] {
    make_room(job.file, job.variable, job.record);
    write_blocks(job, pieces, writer);
  });
  return {error, writer.price()};
}

}  // namespace sv
