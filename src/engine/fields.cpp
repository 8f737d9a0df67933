#include "engine/fields.hpp"

#include "base/joined.hpp"
#include "delivery/file_delivery.hpp"
#include "file/file_trace.hpp"
#include "plan/stretches.hpp"
#include "transfer/facts.hpp"
#include "transfer/writing.hpp"

namespace sv {

std::string on_decomp(const Decomp *decomp, int first_axis) {
  return joined(
      {" on decomposition ", Digits(decomp == nullptr ? -1 : decomp->id), " from dimension ", Digits(first_axis)});
}

void check_decomp(const Context &context, const Decomp *decomp) {
  if (decomp == nullptr || decomp->context != &context)
    throw Error(Status::invalid, "the decomposition is missing or of another context", "Use sv_def_decomp");
}

void put_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file, variable));
  FieldMemory memory;
  PackRow row;
  FieldJob job{.file = file, .variable = variable, .record = record, .first_axis = -1};
  auto error = caught(context.rank(), [&] {
    file.check_writable();
    file.check_record(variable, record, false);
    check_decomp(context, decomp);
    job.layout = decomp->layout;
    job.first_axis = file.definitions.first_axis(variable, *job.layout);
    if (values.data == nullptr && job.layout->cells_of_rank(context.rank()) > 0)
      throw Error(Status::invalid, "no data (a null pointer) on a rank that owns cells", "Pass this rank's block");
    row = pack_row(file, variable, values.type);
    plan_decomposed(job);
    memory = field_memory(job.field, *decomp, values);
    hold_points_on_host(memory, job.field, *decomp, values);
    check_fits(job, memory, row);
    if (file.trace != nullptr) file.trace->put(*decomp, job.route.get());
  });
  const std::string call = context.names_calls()
                               ? call_text("sv_put", file, variable, record, on_decomp(decomp, job.first_axis))
                               : std::string("sv_put");
  if (error) context.agree(call, file.located(variable, error));  // throws
  write_field(job, field_pieces(job.field, memory, row), call);
}

void conclude_reading(const SlabReading &reading, std::optional<Error> error, const std::string &call) {
  File &file = reading.file;
  file.count_range_errors(reading.variable, reading.range_errors, reading.first);
  if (!error) error = range_error_of(file, reading.variable, reading.range_errors, reading.first);
  file.context().agree(call.empty() ? "end of reading " + file.name_of(reading.variable) : call,
                       file.located(reading.variable, error));
}

void check_reading(SlabReading &reading, const Values &values, bool has_cells) {
  check_readable(reading.file);
  if (values.data == nullptr && has_cells)
    throw Error(Status::invalid, "no room for the values (a null pointer)", "Pass an array");
  reading.row = unpack_row(reading.file, reading.variable, values.type);
  reading.row.keep_first(&reading.first);
}

void get_field(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  delivery_of(file).settle();
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read, subject_of(file, variable));
  SlabReading reading{file, variable, record};
  FieldMemory memory;
  FieldJob job{.file = file, .variable = variable, .record = record, .first_axis = -1};
  auto error = caught(context.rank(), [&] {
    check_readable(file);
    file.check_record(variable, record, true);
    check_decomp(context, decomp);
    job.layout = decomp->layout;
    job.first_axis = file.definitions.first_axis(variable, *job.layout);
    check_reading(reading, values, job.layout->cells_of_rank(context.rank()) > 0);
    plan_reading(job);
    memory = field_memory(job.field, *decomp, values);
    hold_points_on_host(memory, job.field, *decomp, values);
  });
  context.agree(call_text("sv_get", file, variable, record, on_decomp(decomp, job.first_axis)),
                file.located(variable, error));
  define_fixed(file, {variable});
  const auto long_stretches = [&job] { return has_long_stretches(*job.plan, *job.layout); };
  Facts facts = reading_facts(file);
  facts.points = memory.has_points;
  facts.long_stretches = LazyFact::by(long_stretches);
  const Strategy strategy = reading_strategy(facts);
  count_reading(file, strategy);
  if (strategy == Strategy::servers || strategy == Strategy::two_phase) {
    auto failed = read_through_writers(reading, job, field_pieces(job.field, memory, reading.row));
    if (!failed && memory.host != nullptr) failed = caught(context.rank(), [&] { memory.host->return_to_device(); });
    return conclude_reading(reading, failed);
  }
  reading.together = true;
  conclude_reading(reading, caught(context.rank(), [&] {
                     const auto patches = job.layout->patches_of_rank(context.rank());
                     const auto mine = static_cast<int64_t>(patches.size());
                     std::vector<std::byte> staging;
                     for (int64_t p = 0, calls = reading.calls(mine); p < calls; ++p) {
                       Piece piece{Box::whole(job.field.shape), memory.block};
                       if (p < mine)
                         piece = patch_piece(job.field, patches[static_cast<size_t>(p)], memory.block);
                       else
                         piece.box.count[0] = 0;
                       read_piece(reading, piece, staging);
                     }
                   }));
}

}  // namespace sv
