#include "engine/write.hpp"

#include <algorithm>

#include "assemble/point_schedules.hpp"
#include "assemble/segments.hpp"
#include "engine/client.hpp"
#include "engine/combine.hpp"
#include "engine/conversion.hpp"
#include "engine/file_trace.hpp"
#include "engine/orders.hpp"
#include "engine/own_points.hpp"
#include "engine/owners.hpp"
#include "engine/point_values.hpp"
#include "engine/points.hpp"
#include "plan/make_plan.hpp"
#include "transport/exchange.hpp"

namespace sv {

namespace {

/// What an I/O PE has collected, on its way to the writers: the slices of the collecting stage, each of which holds one
/// writer's part of the I/O domain, one row after the other.
class CollectedSource final : public PatchSource {
 public:
  CollectedSource(const Plan &plan, int rank, const Exchange &collecting)
      : PatchSource(plan, 1, rank), collecting_(collecting) {}

 protected:
  void place_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) override {
    spread_rows(plan_.extend(patch.box), share, plan_.field.element_bytes, slice_for(turn, patch), to);
  }
  // A copy of what lies contiguous already: the window of the collecting stage is needed for its next round.
  void write_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) override {
    const Box &box = plan_.extend(patch.box);
    std::copy_n(slice_for(turn, patch), elements_in(box, share) * plan_.field.element_bytes, to);
  }

 private:
  const std::byte *slice_for(const Turn &turn, const Patch &domain) const {
    return collecting_.slice(plan_.collecting_sink(domain, turn.sink), turn.round);
  }

  const Exchange &collecting_;
};

/// Carries a plan out: runs its rounds, and writes what arrives at this rank.
class Writing {
 public:
  /// `whole_shares`: every cell of a share is owned or filled; otherwise only owned cells are written.
  Writing(const FieldJob &job, const Plan &plan, bool whole_shares)
      : job_(job), plan_(plan), whole_shares_(whole_shares) {
    if (!whole_shares)
      for (const Patch &patch : job.layout->patches()) owned_.push_back(plan.extend(patch.box));
  }

  /// A writer's error is returned, after every round has been gone through. `fill`: nullptr where nothing is to be
  /// filled.
  std::optional<Error> run(Source &source, const std::byte *fill);

 private:
  /// Elements [first, last) of a box, which stand at `values`.
  struct Run {
    Share share;
    const std::byte *values;
  };
  std::unique_ptr<Source> collected_source(const Exchange &collecting) const;
  void write_slices(const Exchange &exchange, int round);
  void add_runs(const Share &share, const std::byte *values);
  void add_bodies(int sink, int round, const std::byte *slice);
  void write_run(const Run &run);

  const FieldJob &job_;
  const Plan &plan_;
  bool whole_shares_;
  std::vector<Box> owned_;
  std::vector<Run> runs_;  // of a round
  const std::byte *fill_ = nullptr;
  std::vector<std::byte> filled_;
  std::optional<Error> error_;
};

void Writing::write_run(const Run &run) {
  const Share &share = run.share;
  job_.file.attached_store().write(slab_of(job_.variable, job_.record, share),
                                   {run.values, static_cast<size_t>(share.elements() * plan_.field.element_bytes)});
}

void Writing::add_runs(const Share &share, const std::byte *values) {
  if (whole_shares_) return runs_.push_back({share, values});
  const bool points = plan_.stages.back().sources->points() != nullptr;
  for (const Segment &part : points ? owned_segments(plan_, share) : covered_segments(owned_, share))
    runs_.push_back(
        {{share.box, part.first, part.last}, values + (part.first - share.first) * plan_.field.element_bytes});
}

/// Without reordering: a run at a time, as they have come; what nobody owns, with the first writing of a slab.
void Writing::add_bodies(int sink, int round, const std::byte *slice) {
  const CollectSchedule bodies(plan_, 0);
  const PointTable &points = *plan_.stages.front().sources->points();
  const Share share = plan_.share(0, sink, round);
  const CellRanges ranges = bodies.ranges(sink, round);
  bodies.for_bodies(sink, round, slice, [&](int rank, const std::byte *body) {
    for_point_runs(points.of(rank), ranges, [&](int64_t position, int64_t elements) {
      runs_.push_back({{share.box, share.first + position, share.first + position + elements}, body});
      body += elements * plan_.field.element_bytes;
    });
  });
  if (fill_ == nullptr) return;
  for (const Segment &hole : hole_segments(plan_, share)) {
    filled_.resize(std::max(filled_.size(), static_cast<size_t>(plan_.round_elements * plan_.field.element_bytes)));
    fill_elements(filled_.data(), hole.last - hole.first, fill_, plan_.field.element_bytes);
    runs_.push_back({{share.box, hole.first, hole.last}, filled_.data()});
  }
}

/// A rank that has failed, or has less to write, still makes its part of the calls that a store wants to be collective.
void Writing::write_slices(const Exchange &exchange, int round) {
  const int last_stage = static_cast<int>(plan_.stages.size()) - 1;
  runs_.clear();
  for (const int sink : exchange.own_sinks()) {
    const Share share = plan_.share(last_stage, sink, round);
    if (error_ || share.elements() == 0) continue;
    if (plan_.route.reorder)
      add_runs(share, exchange.slice(sink, round));
    else
      add_bodies(sink, round, exchange.slice(sink, round));
  }
  const auto failed = caught(job_.file.context().rank(), [&] {
    const auto mine = static_cast<int64_t>(runs_.size());
    const int64_t calls = job_.file.most_calls(Direction::write, job_.variable, error_ ? -1 : mine);
    for (int64_t c = 0; c < calls; ++c)
      write_run(c < mine ? runs_[static_cast<size_t>(c)] : Run{{Box::whole(plan_.field.shape), 0, 0}, nullptr});
  });
  if (failed && !error_) error_ = failed;
}

std::unique_ptr<Source> Writing::collected_source(const Exchange &collecting) const {
  const int rank = job_.file.context().rank();
  if (!plan_.groups.empty()) return std::make_unique<PrimarySource>(plan_, rank, collecting);
  return std::make_unique<CollectedSource>(plan_, rank, collecting);
}

std::optional<Error> Writing::run(Source &source, const std::byte *fill) {
  Context &context = job_.file.context();
  fill_ = fill;
  Transfers transfers(context.node(), "writing " + job_.file.name_of(job_.variable));
  const auto stages = static_cast<int>(plan_.stages.size());
  std::vector<std::unique_ptr<Schedule>> schedules;
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (int stage = 0; stage < stages; ++stage) {
    schedules.push_back(schedule_of(plan_, stage, fill));
    exchanges.push_back(
        std::make_unique<Exchange>(*schedules.back(), StagePlace{stages, stage}, context.window(), transfers));
  }
  Exchange &last = *exchanges.back(), &first = *exchanges.front();
  error_ = caught(context.rank(), [&] { job_.file.make_room(job_.variable, job_.record); });
  const std::unique_ptr<Source> collected = collected_source(first);
  SentBytes sent(job_.file, &context.trace_ranks());
  const auto sinks_of = [&schedules](int stage) {
    return [&schedule = *schedules[static_cast<size_t>(stage)]](int sink) { return schedule.rank_of(sink); };
  };
  Source &own = sent.counting(source, sinks_of(0)), &passed_on = sent.counting(*collected, sinks_of(stages - 1));
  StepTimer timer(context.metrics(), job_.file.subject(job_.variable));
  for (int round = 0; round < plan_.rounds; ++round) {
    timer.begin(Step::pack);
    first.place(round, own);
    timer.begin(Step::collect);
    first.collect(round);
    if (stages == 2) {
      timer.begin(Step::reorder);
      last.place(round, passed_on);
      first.release(round);
      timer.begin(Step::scatter);
      last.collect(round);
    }
    timer.begin(Step::output);
    // Not before: the ranks that wait for the last round's half take the cores from a writer that could write this one.
    if (round > 0) last.release(round - 1);
    write_slices(last, round);
  }
  timer.end();
  sent.tell(job_.variable);
  if (plan_.rounds > 0) last.release(plan_.rounds - 1);
  transfers.finish("the nodes that take its data");
  for (const auto &exchange : exchanges) context.metrics().placed_bytes += exchange->placed_bytes();
  context.count(transfers);
  return error_;
}

}  // namespace

MemoryView array_view(const Index &shape, const Values &values) {
  MemoryView view{values.data, contiguous_strides(shape, size_of(values.type))};
  for (int d = 0; values.stride != nullptr && d < shape.n; ++d) view.stride_bytes[d] = values.stride[d];
  return view;
}

MemoryView block_view(const Field &field, const Decomp &decomp, const Values &values) {
  Index shape = field.shape;
  for (int d = 0; d < decomp.count.n; ++d)
    shape[field.first_axis + d] = decomp.halo_low[d] + decomp.count[d] + decomp.halo_high[d];
  MemoryView view = array_view(shape, values);
  if (view.first == nullptr) return view;  // of a rank that owns nothing
  for (int d = 0; d < decomp.count.n; ++d) view.first += decomp.halo_low[d] * view.stride_bytes[field.first_axis + d];
  return view;
}

Piece patch_piece(const Field &field, const Patch &patch, const MemoryView &block) {
  Box box = Box::whole(field.shape);
  Index local(field.shape.n, 0);
  for (int d = 0; d < patch.box.dims(); ++d) {
    box.start[field.first_axis + d] = patch.box.start[d];
    box.count[field.first_axis + d] = patch.box.count[d];
    local[field.first_axis + d] = patch.local[d];
  }
  return piece_of(block, box, local);
}

FieldMemory field_memory(const Field &field, const Decomp &decomp, const Values &values) {
  const Layout &layout = *decomp.layout;
  if (layout.points() == nullptr) return {false, block_view(field, decomp, values), {}, {}};
  const int64_t points = layout.cells_of_rank(decomp.context->rank());
  PointView view = point_view(field, layout.shape().n, points, size_of(values.type), values.stride);
  view.first = values.data;
  Index shape = view.outer;
  shape.push(points);
  for (int d = 0; d < view.inner.n; ++d) shape.push(view.inner[d]);
  return {.has_points = true, .block = array_view(shape, values), .points = view, .shape = shape};
}

void check_fits(const FieldJob &job, const Field &field, const FieldMemory &memory, const PackRow &row) {
  if (memory.has_points) return check_fits(job.file, job.variable, {Box::whole(memory.shape), memory.block}, row);
  for (const Patch &patch : job.layout->patches_of_rank(job.file.context().rank()))
    check_fits(job.file, job.variable, patch_piece(field, patch, memory.block), row);
}

Plan plan_of(const FieldJob &job) {
  Context &context = job.file.context();
  Field field = job.file.field(job.variable, job.record);
  field.first_axis = job.first_axis;
  if (job.route.name == "servers") {  // rounds are those of served_plan
    Plan described;
    described.field = field;
    described.stages.push_back({job.layout, {}, {}});
    return described;
  }
  const bool collects = (job.route.io_nx > 0 && !job.route.self) || !job.route.primaries.empty();
  const int stages = collects ? 2 : 1;
  return make_plan(
      job.layout, field, job.route,
      {context.topology(), *job.file.extents(job.variable), job.file.stripe_bytes(job.variable),
       context.window().budget(stages), job.route.self ? job.file.pieces(job.variable) : std::vector<Territory>{}});
}

void write_field(const FieldJob &job, const Plan &plan, const FieldPieces<PackRow> &pieces) {
  File &file = job.file;
  Context &context = file.context();
  if (file.is_served()) {
    context.client()->put(job, pieces, context.metrics());
    return file.touch(job.variable, job.record);
  }
  std::optional<Error> error;
  const auto left = caught(context.rank(), [&] {
    // Holes are defined: the first writing of a slab fills what nobody owns; later ones leave what is there.
    const bool holes = job.layout->has_holes();
    const bool fills = holes && file.settings().fill && !file.touched(job.variable, job.record);
    const std::vector<std::byte> fill = fill_in_file_order(file, job.variable);
    if (job.layout->points() != nullptr && job.route.self) {
      error = write_own_points(job, plan, pieces, fills);
      return;
    }
    know_points(context, plan);
    const std::unique_ptr<FieldSource> source = source_of(plan, context.rank(), pieces);
    error = Writing(job, plan, fills || !holes).run(*source, fills ? fill.data() : nullptr);
    file.count_misfits(job.variable, source->out_of_range);
  });
  if (left) context.node().give_up(*left);  // this rank has left the rounds: nobody must wait for it
  conclude_writing(file, job.variable, job.record, error);
}

void conclude_writing(File &file, int variable, int64_t record, std::optional<Error> error) {
  const auto closed = caught(file.context().rank(), [&] { file.rest(); });
  if (closed && !error) error = closed;
  if (error) error->in_variable(file.variable(variable).name).in_file(file.path());
  try {
    file.context().agree("end of writing " + file.name_of(variable), error);
  } catch (const Error &failure) {
    file.fail(failure);
    throw;
  }
  file.touch(variable, record);
}

std::string on_decomp(const Decomp *decomp, int first_axis) {
  return " on decomposition " + std::to_string(decomp == nullptr ? -1 : decomp->id) + " from dimension " +
         std::to_string(first_axis);
}

void put(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  const Asked asked{.variable = variable,
                    .kind = Asked::Kind::distributed,
                    .decomp = decomp,
                    .record = record,
                    .regions = {},
                    .values = &values};
  if (record_put(file, "sv_put", asked)) return;
  decomp = in_places(file, call_text("sv_put", file, variable, record), variable, decomp);
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::write, file.subject(variable));
  FieldMemory memory;
  PackRow row;
  std::optional<Plan> plan;
  FieldJob job{file, variable, record, nullptr, -1, {}};
  auto error = caught(context.rank(), [&] {
    file.check_writable();
    file.check_record(variable, record, false);
    if (decomp == nullptr || decomp->context != &context)
      throw Error(Status::invalid, "the decomposition is missing or of another context", "Use sv_def_decomp");
    job.layout = decomp->layout;
    job.first_axis = file.first_axis(variable, *job.layout);
    if (values.data == nullptr && job.layout->cells_of_rank(context.rank()) > 0)
      throw Error(Status::invalid, "no data (a null pointer) on a rank that owns cells", "Pass this rank's block");
    row = pack_row(file, variable, values.type);
    job.route = file.route(job.layout);
    plan = plan_of(job);
    memory = field_memory(plan->field, *decomp, values);
    check_fits(job, plan->field, memory, row);
    if (file.trace() != nullptr) file.trace()->put(*decomp, &job.route);
  });
  context.agree(call_text("sv_put", file, variable, record) + on_decomp(decomp, job.first_axis),
                file.located(variable, error));
  write_field(job, *plan, field_pieces(plan->field, memory, row));
}

namespace {

/// To servers, the first rank brings all of it.
void put_by_first(File &file, int variable, int64_t record, const Values &values, const PackRow &row) {
  const Field field = file.field(variable, record);
  std::vector<Patch> whole{{0, Box::whole(field.shape), Index(field.shape.n, 0)}};
  const FieldJob job{file,   variable,
                     record, std::make_shared<const Layout>(field.shape, file.context().comm().size(), whole, false),
                     0,      {}};
  write_field(job, {}, pieces_of_block(field, array_view(field.shape, values), row));
}

}  // namespace

void put_replicated(File &file, int variable, int64_t record, const Values &values) {
  const Asked asked{
      .variable = variable, .kind = Asked::Kind::replicated, .record = record, .regions = {}, .values = &values};
  if (record_put(file, "sv_put_var", asked)) return;
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::write, file.subject(variable));
  PackRow row;
  auto error = caught(context.rank(), [&] {
    file.check_writable();
    file.check_record(variable, record, false);
    if (values.data == nullptr)
      throw Error(Status::invalid, "no data (a null pointer)", "Every rank passes the whole variable");
    row = pack_row(file, variable, values.type);
    const Index shape = file.field(variable, record).shape;
    check_fits(file, variable, {Box::whole(shape), array_view(shape, values)}, row);
  });
  context.agree(call_text("sv_put_var", file, variable, record), file.located(variable, error));
  if (file.is_served()) return put_by_first(file, variable, record, values, row);

  constexpr int64_t share_bytes = 1 << 20;
  error = caught(context.rank(), [&] {
    file.make_room(variable, record);
    const Field field = file.field(variable, record);
    const Piece piece{Box::whole(field.shape), array_view(field.shape, values)};
    std::vector<std::byte> staging;
    for_own_ranges(file, variable, record, share_bytes, [&](const Share &share) {
      staging.resize(static_cast<size_t>(share.elements() * field.element_bytes));
      file.count_misfits(variable, pack_in_place(piece, share, field.element_bytes, row, staging.data()));
      file.attached_store().write(slab_of(variable, record, share), staging);
    });
  });
  conclude_writing(file, variable, record, error);
}

}  // namespace sv
