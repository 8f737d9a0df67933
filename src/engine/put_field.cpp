#include "engine/put_field.hpp"

#include "rounds/file_trace.hpp"
#include "rounds/writing.hpp"

namespace sv {

std::string on_decomp(const Decomp *decomp, int first_axis) {
  return " on decomposition " + std::to_string(decomp == nullptr ? -1 : decomp->id) + " from dimension " +
         std::to_string(first_axis);
}

void check_decomp(const Context &context, const Decomp *decomp) {
  if (decomp == nullptr || decomp->context != &context)
    throw Error(Status::invalid, "the decomposition is missing or of another context", "Use sv_def_decomp");
}

void put_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::write, subject_of(file, variable));
  FieldMemory memory;
  PackRow row;
  FieldJob job{.file = file, .variable = variable, .record = record, .first_axis = -1};
  auto error = caught(context.rank(), [&] {
    file.check_writable();
    file.check_record(variable, record, false);
    check_decomp(context, decomp);
    job.layout = decomp->layout;
    job.first_axis = file.definitions().first_axis(variable, *job.layout);
    if (values.data == nullptr && job.layout->cells_of_rank(context.rank()) > 0)
      throw Error(Status::invalid, "no data (a null pointer) on a rank that owns cells", "Pass this rank's block");
    row = pack_row(file, variable, values.type);
    job.route = file.home().route(job.layout);
    plan_writing(job);
    memory = field_memory(job.field, *decomp, values);
    check_fits(job, memory, row);
    if (file.attached().trace != nullptr) file.attached().trace->put(*decomp, &job.route);
  });
  context.agree(call_text("sv_put", file, variable, record) + on_decomp(decomp, job.first_axis),
                file.located(variable, error));
  write_field(job, field_pieces(job.field, memory, row));
}

}  // namespace sv
