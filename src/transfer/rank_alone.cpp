#include "transfer/rank_alone.hpp"

#include <memory>

#include "file/file_trace.hpp"

namespace sv {

void write_alone(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  File &file = job.file;
  StepTimer timer(file.context().metrics, subject_of(file, job.variable));
  timer.begin(Step::pack);
  const auto [piece, row] = pieces.of_patch(job.layout->patches().front());
  const Share share{piece.box, 0, piece.box.elements()};
  const auto bytes = static_cast<size_t>(share.elements() * job.field.element_bytes);
  const std::unique_ptr<std::byte[]> packed(new std::byte[bytes]);
  file.count_range_errors(job.variable, pack(piece, share, *row, Form::compact, packed.get()));
  timer.begin(Step::output);
  file.home().store().write(slab_of(job.variable, job.record, share), {packed.get(), bytes});
}

}  // namespace sv
