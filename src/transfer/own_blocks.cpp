#include "transfer/own_blocks.hpp"

#include <span>
#include <vector>

#include "file/file_trace.hpp"
#include "file/store_calls.hpp"
#include "layout/box_parts.hpp"
#include "plan/stretches.hpp"
#include "transfer/own_stretches.hpp"

namespace sv {

namespace {

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
    const bool as_in_file = unconverted_run_of(piece, run, *row) != nullptr;
    const auto most = [&] { return writer.part_bytes(as_in_file) / bytes; };
    for_box_parts(piece.box, 0, first, most, [&, &from = piece, how = row](const Box &part) {
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
