#include "engine/read.hpp"

#include <algorithm>
#include <cstring>

#include "assemble/memory_view.hpp"
#include "assemble/stage_schedule.hpp"
#include "engine/conversion.hpp"
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
  UnpackRow row = {};
  FirstMisfit first = {};
  OutOfRange misfits = 0;
  bool together = false;  // all ranks read at once, with equal numbers of calls

  Store &store() { return together ? file.attached_store() : file.lone_store(); }
  int64_t calls(int64_t mine) { return together ? file.most_calls(Direction::read, variable, mine) : mine; }
  void took(OutOfRange more) {
    misfits += more;
    file.context().metrics().out_of_range += more;
  }
};

/// Reads the cells of `piece`, in bounded memory.
void read_piece(SlabReading &reading, const Piece &piece, std::vector<std::byte> &staging) {
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type);
  const int64_t elements = piece.box.elements(), step = staging_bytes / bytes;
  for (int64_t first = 0, calls = reading.calls((elements + step - 1) / step); calls > 0;
       first = std::min(first + step, elements), --calls) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    staging.resize(static_cast<size_t>(share.elements() * bytes));
    reading.store().read(slab_of(reading.variable, reading.record, share), staging);
    reading.took(unpack_in_place(piece, share, bytes, reading.row, staging.data()));
  }
}

/// Reads rows of cells that do not follow one another: stretches of bounded size, of which the cells are picked.
/// `block`: the caller's part.
void read_picked(SlabReading &reading, const Strided &request, const MemoryView &block,
                 std::vector<std::byte> &staging) {
  constexpr int64_t gap_bytes = 4096;  // less is read through
  const int last = request.dims() - 1;
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type);
  const int64_t stride = request.stride[last], distance = stride * bytes;
  const int64_t step = distance > gap_bytes ? 1 : staging_bytes / distance;
  Index rows = request.count;
  rows[last] = 1;
  for (int64_t row = 0; row < Box::whole(rows).elements(); ++row) {
    const Patch part = part_of(request, rows, row, 0);
    for (int64_t first = 0; first < request.count[last]; first += step) {
      const int64_t cells = std::min(step, request.count[last] - first);
      Patch stretch = part;
      stretch.box.start[last] += first * stride;
      stretch.box.count[last] = (cells - 1) * stride + 1;
      stretch.local[last] = first;
      const int64_t length = stretch.box.elements();
      staging.resize(static_cast<size_t>(length * bytes));
      reading.store().read(slab_of(reading.variable, reading.record, {stretch.box, 0, length}), staging);
      for (int64_t i = 1; i < cells; ++i)
        std::memmove(staging.data() + i * bytes, staging.data() + i * distance, static_cast<size_t>(bytes));
      const Piece target = piece_of(block, stretch.box, stretch.local);
      reading.took(reading.row(staging.data(), target.memory.first, block.stride_bytes[last], cells));
    }
  }
}

/// One slab of a request.
void read_strided(SlabReading &reading, const Strided &request, const MemoryView &block,
                  std::vector<std::byte> &staging) {
  const int last = request.dims() - 1;
  if (last >= 0 && request.stride[last] > 1 && request.count[last] > 1)
    return read_picked(reading, request, block, staging);
  const Index divisions = divisions_of(request);
  for (int64_t number = 0; number < Box::whole(divisions).elements(); ++number) {
    const Patch part = part_of(request, divisions, number, 0);
    read_piece(reading, piece_of(block, part.box, part.local), staging);
  }
}

/// The caller's array, unpacked straight from what was read.
class ArrayTarget final : public Target {
 public:
  ArrayTarget(const Plan &plan, int rank, const BlockPieces &pieces, UnpackRow row)
      : plan_(plan), rank_(rank), pieces_(pieces), row_(row) {}

  void take(int sink, int round, const std::byte *slice) override {
    const Share share = plan_.share(0, sink, round);
    for (const Patch &patch : patches())
      out_of_range += unpack_in_place(pieces_(patch), share, plan_.field.element_bytes, row_, slice);
  }
  void read_message(int sink, int round, const std::byte *message) override {
    const Share share = plan_.share(0, sink, round);
    for (const Patch &patch : patches()) {
      out_of_range += unpack_compact(pieces_(patch), share, plan_.field.element_bytes, row_, message);
      message += plan_.elements(0, patch.box, sink, round) * plan_.field.element_bytes;
    }
  }

  OutOfRange out_of_range = 0;

 private:
  std::span<const Patch> patches() const { return plan_.stages.front().sources->patches_of_rank(rank_); }

  const Plan &plan_;
  const int rank_;
  const BlockPieces &pieces_;
  UnpackRow row_;
};

Slab empty_slab(const SlabReading &reading, const Index &shape) {
  return slab_of(reading.variable, reading.record, {Box::whole(shape), 0, 0});
}

/// Where the store wants collective calls: those that this rank makes for nothing, before its real ones. False where
/// some rank has failed, so that nobody reads any more.
bool make_empty_calls(const SlabReading &reading, const Plan &plan, int round, bool failed) {
  int64_t mine = 0;
  for (size_t s = 0; s < plan.stages.front().sinks.size(); ++s)
    if (plan.stages.front().sinks[s].rank == reading.file.context().rank() &&
        plan.share(0, static_cast<int>(s), round).elements() > 0)
      ++mine;
  const int64_t calls = reading.file.most_calls(Direction::read, reading.variable, failed ? -1 : mine);
  for (int64_t c = mine; c < calls; ++c) reading.file.attached_store().read(empty_slab(reading, plan.field.shape), {});
  return calls >= mine;
}

/// Reads a distributed field through the writers: each reads its whole ranges once, and distributes them.
std::optional<Error> read_through_writers(SlabReading &reading, const Plan &plan, const BlockPieces &pieces) {
  Context &context = reading.file.context();
  ArrayTarget target(plan, context.rank(), pieces, reading.row);
  std::optional<Error> error;
  bool reads = true;
  const auto read = [&](int sink, int round, std::byte *to) {
    const Share share = plan.share(0, sink, round);
    if (share.elements() == 0) return false;
    if (!reads) return true;
    const auto failed = caught(context.rank(), [&] {
      reading.file.attached_store().read(slab_of(reading.variable, reading.record, share),
                                         {to, static_cast<size_t>(share.elements() * plan.field.element_bytes)});
    });
    if (failed && !error) error = failed;
    return true;
  };
  const auto left = caught(context.rank(), [&] {
    Transfers transfers(context.node(), "reading " + reading.file.name_of(reading.variable));
    const StageSchedule schedule(plan, 0);
    Distribution distribution(schedule, context.window(), transfers);
    for (int round = 0; round < plan.rounds; ++round) {
      reads = make_empty_calls(reading, plan, round, error.has_value());
      distribution.round(round, read, target);
    }
    transfers.finish("the nodes that take what it has read");
    context.count(transfers);
  });
  if (left) context.node().give_up(*left);  // this rank has left the rounds: nobody must wait for it
  reading.took(target.out_of_range);
  return error;
}

/// Passes the gate at the end of a call in which each rank read by itself.
void conclude(const SlabReading &reading, std::optional<Error> error) {
  const File &file = reading.file;
  if (!error) error = misfit_error(file, reading.variable, reading.misfits, reading.first);
  file.context().agree("end of reading " + file.name_of(reading.variable), file.located(reading.variable, error));
}

/// Rank 0 reads a share that all will get. The others only where the store wants collective calls.
void read_for_all(const SlabReading &reading, const Share &share, std::span<std::byte> values, bool failed) {
  File &file = reading.file;
  const bool reads = file.context().rank() == 0;
  const Slab slab = slab_of(reading.variable, reading.record, share);
  if (!file.only_writers_read()) {
    if (reads && !failed) file.lone_store().read(slab, values);
    return;
  }
  const int64_t calls = file.most_calls(Direction::read, reading.variable, failed ? -1 : reads ? 1 : 0);
  if (calls > 0 && reads) file.attached_store().read(slab, values);
  if (calls > 0 && !reads) file.attached_store().read(empty_slab(reading, file.field(slab.variable, 0).shape), {});
}

/// The checks every reading call makes; then its row is known.
void check(SlabReading &reading, const Values &values, bool has_cells) {
  reading.file.check_readable();
  if (values.data == nullptr && has_cells)
    throw Error(Status::invalid, "no room for the values (a null pointer)", "Pass an array");
  reading.row = unpack_row(reading.file, reading.variable, values.type);
  reading.row.keep_first(&reading.first);
}

/// Sub-arrays of a file that only its writers have open.
void get_through_writers(SlabReading &reading, const Strided &request, const Values &values) {
  File &file = reading.file;
  const std::vector<Strided> requests = gather_requests(file.context(), request);
  const int64_t step = parts_at_once(requests);
  const auto get = [&](int64_t record) {
    reading.record = record;
    const Index shape = file.field(reading.variable, record).shape;
    for (int64_t first = 0; first < most_parts(requests, record); first += step) {
      const auto layout = layout_of(requests, shape, record, {first, first + step});
      const Plan plan = plan_of({file, reading.variable, record, layout, 0, file.reading_route()});
      conclude(reading,
               read_through_writers(reading, plan, pieces_of_block(plan.field, record_view(request, values, record))));
    }
  };
  if (!file.variable(reading.variable).has_records) return get(-1);
  for (int64_t record = next_record(requests, 0); record >= 0; record = next_record(requests, record + 1)) get(record);
}

}  // namespace

void get(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  SlabReading reading{file, variable, record};
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
    check(reading, values, job.layout->cells_of_rank(context.rank()) > 0);
    plan = plan_of(job);
    block = block_view(plan->field, *decomp, values);
  });
  context.agree(call_text("sv_get", file, variable, record) + on_decomp(decomp, job.first_axis),
                file.located(variable, error));
  if (file.reads_through_writers())
    return conclude(reading, read_through_writers(reading, *plan, pieces_of_block(plan->field, block)));
  reading.together = true;
  conclude(reading, caught(context.rank(), [&] {
             const auto patches = job.layout->patches_of_rank(context.rank());
             const auto mine = static_cast<int64_t>(patches.size());
             std::vector<std::byte> staging;
             for (int64_t p = 0, calls = reading.calls(mine); p < calls; ++p) {
               Piece piece{Box::whole(plan->field.shape), block};
               if (p < mine)
                 piece = patch_piece(plan->field, patches[static_cast<size_t>(p)], block);
               else
                 piece.box.count[0] = 0;
               read_piece(reading, piece, staging);
             }
           }));
}

void get_subarray(File &file, int variable, const Strided &request, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  SlabReading reading{file, variable, -1};
  auto error = caught(context.rank(), [&] {
    check(reading, values, !request.empty());
    check_subarray(file, variable, request, false);
  });
  context.agree(call_text("sv_get_vara", file, variable, -1), file.located(variable, error));
  if (file.only_writers_read()) return get_through_writers(reading, request, values);
  conclude(reading, caught(context.rank(), [&] {
             if (request.empty()) return;
             std::vector<std::byte> staging;
             if (!file.variable(variable).has_records)
               return read_strided(reading, request, record_view(request, values, -1), staging);
             for (int64_t r = 0; r < request.count[0]; ++r) {
               reading.record = request.start[0] + r * request.stride[0];
               read_strided(reading, request.without_record(), record_view(request, values, reading.record), staging);
             }
           }));
}

void get_replicated(File &file, int variable, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  SlabReading reading{file, variable, record};
  std::vector<std::byte> staging;
  auto error = caught(context.rank(), [&] {
    check(reading, values, true);
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
    const auto failed = caught(context.rank(), [&] { read_for_all(reading, share, part, error.has_value()); });
    if (failed && !error) error = failed;
    context.comm().broadcast(part.data(), static_cast<int64_t>(part.size()), 0);
    reading.took(unpack_in_place(piece, share, field.element_bytes, reading.row, part.data()));
  }
  conclude(reading, error);
}

}  // namespace sv
