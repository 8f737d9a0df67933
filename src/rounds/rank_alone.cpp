#include "rounds/rank_alone.hpp"

#include <memory>

#include "rounds/behind.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/own_stretches.hpp"

namespace sv {

bool writes_alone(const File &file) {
  return file.context().gate.is_of_one() && file.home().places_here() && behind_of(file) == nullptr;
}

bool is_small_and_alone(const FieldJob &job) {
  if (!writes_alone(job.file) || !job.plan || job.plan->set || job.layout->points() != nullptr) return false;
  if (job.layout->has_holes() || job.layout->patches().size() != 1) return false;
  return Box::whole(job.field.shape).elements() * job.field.element_bytes < long_stretch_bytes;
}

std::optional<Error> write_alone(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  File &file = job.file;
  return caught(file.context().rank(), [&] {
    StepTimer timer(file.context().metrics, subject_of(file, job.variable));
    timer.begin(Step::pack);
    const auto [piece, row] = pieces.of_patch(job.layout->patches().front());
    const Share share{piece.box, 0, piece.box.elements()};
    const auto bytes = static_cast<size_t>(share.elements() * job.field.element_bytes);
    const std::unique_ptr<std::byte[]> packed(new std::byte[bytes]);
    file.count_misfits(job.variable, pack(piece, share, *row, Form::compact, packed.get()));
    timer.begin(Step::output);
    file.home().store().write(slab_of(job.variable, job.record, share), {packed.get(), bytes});
  });
}

}  // namespace sv
