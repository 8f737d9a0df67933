#include "engine/read.hpp"

#include <algorithm>

#include "assemble/memory_view.hpp"
#include "engine/subarray.hpp"
#include "engine/write.hpp"
#include "transport/distribution.hpp"

namespace sv {

namespace {

constexpr int64_t staging_bytes = 1 << 20;  // small enough to stay in the cache between reading and converting

/// One slab (a variable, or a record of it) that this rank reads by itself.
struct SlabReading {
  File &file;
  int variable;
  int64_t record;
  UnpackRow row;
};

/// Reads the cells of `piece`, in bounded memory.
void read_piece(const SlabReading &reading, const Piece &piece, std::vector<std::byte> &staging) {
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type);
  const int64_t elements = piece.box.elements(), step = staging_bytes / bytes;
  Store &store = reading.file.attached_store();
  for (int64_t first = 0; first < elements; first += step) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    staging.resize(static_cast<size_t>(share.elements() * bytes));
    store.read({reading.variable, std::max<int64_t>(reading.record, 0), share.box, share.first, share.last}, staging);
    reading.file.context().metrics().out_of_range += unpack_in_place(piece, share, bytes, reading.row, staging.data());
  }
}

/// The caller's array, unpacked straight from what was read.
class ArrayTarget final : public Target {
 public:
  ArrayTarget(const Plan &plan, const MemoryView &block, UnpackRow row) : plan_(plan), block_(block), row_(row) {}

  void take(const Patch &patch, const Share &share, const std::byte *from) override {
    out_of_range +=
        unpack_in_place(patch_piece(plan_.field, patch, block_), share, plan_.field.element_bytes, row_, from);
  }
  void read_message(const Patch &patch, const Share &share, const std::byte *from) override {
    out_of_range +=
        unpack_compact(patch_piece(plan_.field, patch, block_), share, plan_.field.element_bytes, row_, from);
  }

  OutOfRange out_of_range = 0;

 private:
  const Plan &plan_;
  MemoryView block_;
  UnpackRow row_;
};

/// Reads a distributed field through the writers: each reads its whole ranges once, and distributes them.
std::optional<Error> read_through_writers(const SlabReading &reading, const Plan &plan, const MemoryView &block) {
  Context &context = reading.file.context();
  ArrayTarget target(plan, block, reading.row);
  std::optional<Error> error;
  const auto read = [&](const Share &share, std::byte *to) {
    if (error) return;
    error = caught(context.rank(), [&] {
      reading.file.attached_store().read(
          {reading.variable, std::max<int64_t>(reading.record, 0), share.box, share.first, share.last},
          {to, static_cast<size_t>(share.elements() * plan.field.element_bytes)});
    });
  };
  const auto left = caught(context.rank(), [&] {
    Transfers transfers(context.node(), "reading " + reading.file.name_of(reading.variable));
    Distribution distribution(plan, context.window(), transfers);
    for (int round = 0; round < plan.rounds; ++round) distribution.round(round, read, target);
    transfers.finish("the nodes that take what it has read");
    context.count(transfers);
  });
  if (left) context.node().give_up(*left);  // this rank has left the rounds: nobody must wait for it
  context.metrics().out_of_range += target.out_of_range;
  return error;
}

/// Passes the gate at the end of a call in which each rank read by itself.
void conclude(const SlabReading &reading, std::optional<Error> error) {
  const File &file = reading.file;
  file.context().agree("end of reading " + file.name_of(reading.variable), file.located(reading.variable, error));
}

/// The checks every reading call makes.
UnpackRow check(const File &file, int variable, const Values &values, bool has_cells) {
  file.check_readable();
  if (values.data == nullptr && has_cells)
    throw Error(Status::invalid, "no room for the values (a null pointer)", "Pass an array");
  return unpack_row(file.variable(variable).type, values.type, ByteOrder::big);
}

}  // namespace

void get(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  SlabReading reading{file, variable, record, nullptr};
  MemoryView block;
  FieldJob job{file, variable, record, nullptr, -1, {}};
  std::optional<Plan> plan;
  auto error = caught(context.rank(), [&] {
    file.check_readable();
    file.check_record(variable, record, true);
    if (decomp == nullptr || decomp->context != &context)
      throw Error(Status::invalid, "the decomposition is missing or of another context", "Use sv_def_decomp");
    job.layout = decomp->layout;
    job.first_axis = file.first_axis(variable, *job.layout);
    job.route = file.reading_route();
    reading.row = check(file, variable, values, job.layout->cells_of_rank(context.rank()) > 0);
    plan = plan_of(job);
    block = block_view(plan->field, *decomp, values);
  });
  context.agree(call_text("sv_get", file, variable, record) + on_decomp(decomp, job.first_axis),
                file.located(variable, error));
  if (file.reads_through_writers()) return conclude(reading, read_through_writers(reading, *plan, block));
  conclude(reading, caught(context.rank(), [&] {
             std::vector<std::byte> staging;
             for (const Patch &patch : job.layout->patches_of_rank(context.rank()))
               read_piece(reading, patch_piece(plan->field, patch, block), staging);
           }));
}

void get_subarray(File &file, int variable, const Box &request, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  SlabReading reading{file, variable, -1, nullptr};
  auto error = caught(context.rank(), [&] {
    reading.row = check(file, variable, values, !request.empty());
    check_subarray(file, variable, request, false);
  });
  context.agree(call_text("sv_get_vara", file, variable, -1), file.located(variable, error));
  conclude(reading, caught(context.rank(), [&] {
             if (request.empty()) return;
             std::vector<std::byte> staging;
             if (!file.variable(variable).has_records)
               return read_piece(reading, {request, array_view(request.count, values)}, staging);
             for (int64_t r = 0; r < request.count[0]; ++r) {
               reading.record = request.start[0] + r;
               read_piece(reading, {without_record(request), record_view(request, values, reading.record)}, staging);
             }
           }));
}

void get_replicated(File &file, int variable, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  SlabReading reading{file, variable, record, nullptr};
  std::vector<std::byte> staging;
  auto error = caught(context.rank(), [&] {
    reading.row = check(file, variable, values, true);
    file.check_record(variable, record, true);
    staging.resize(static_cast<size_t>(staging_bytes));
  });
  context.agree(call_text("sv_get_var", file, variable, record), file.located(variable, error));

  const Field field = file.field(variable, record);
  const Piece piece{Box::whole(field.shape), array_view(field.shape, values)};
  const int64_t elements = piece.box.elements(), step = staging_bytes / field.element_bytes;
  for (int64_t first = 0; first < elements; first += step) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    const std::span<std::byte> part =
        std::span(staging).first(static_cast<size_t>(share.elements() * field.element_bytes));
    if (context.rank() == 0 && !error)
      error = caught(0, [&] {
        file.attached_store().read({variable, std::max<int64_t>(record, 0), share.box, share.first, share.last}, part);
      });
    context.comm().broadcast(part.data(), static_cast<int64_t>(part.size()), 0);
    context.metrics().out_of_range += unpack_in_place(piece, share, field.element_bytes, reading.row, part.data());
  }
  conclude(reading, error);
}

}  // namespace sv
