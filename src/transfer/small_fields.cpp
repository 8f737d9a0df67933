#include "transfer/small_fields.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "delivery/file_delivery.hpp"
#include "file/store_calls.hpp"
#include "packing/point_values.hpp"
#include "packing/side_by_side.hpp"
#include "packing/written_parts.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/rounds.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

constexpr int64_t most_round_bytes = 4 << 20;  // whose pages each rank of a node maps

/// Whether chunks of a field may come together with those of others: no store is called once for each of them.
bool is_small(const FieldJob &job) {
  if (job.file.home().maker.kind().placing != Placing::by_chunk || !job.plan) return false;
  if (job.plan->stages.size() > 1 || job.plan->rounds > 1 || job.layout->points() != nullptr) return false;
  return job.field.shape.product() * job.field.element_bytes <= most_round_bytes / 2;
}

/// Fields that come in rounds of all of them.
class SmallFields final : public RoundSink {
 public:
  explicit SmallFields(std::span<const ExchangedField> fields);

  void bring();
  void write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) override;
  const std::optional<Error> &error() const { return error_.error(); }  // of this rank, as a writer

 private:
  struct Field {
    std::vector<std::byte> fill;  // in file order; empty: holes stay
    std::unique_ptr<Schedule> schedule;
    std::unique_ptr<FieldSource> source;
    std::unique_ptr<WrittenParts> parts;
  };
  const FieldJob &job(int field) const { return fields_[static_cast<size_t>(field)].job; }
  std::vector<ArrivedRun> arrived(const Exchange &exchange, int round) const;
  std::unique_ptr<SideBySide> side_by_side() const;

  const std::span<const ExchangedField> fields_;
  File &file_;
  FileDelivery &delivery_;
  std::vector<Field> own_;
  const SideBySide *schedule_ = nullptr;
  FirstError error_;
};

SmallFields::SmallFields(std::span<const ExchangedField> fields)
    : fields_(fields),
      file_(fields.front().job.file),
      delivery_(delivery_of(file_)),
      own_(fields.size()),
      error_(file_.context().rank()) {
  for (size_t f = 0; f < fields.size(); ++f) {
    const FieldJob &of = fields[f].job;
    const bool fills = fills_holes(of);
    if (fills) own_[f].fill = fill_in_file_order(file_, of.variable);
    own_[f].schedule = schedule_of(*of.plan, 0, fills ? own_[f].fill.data() : nullptr);
    own_[f].source = source_of(*of.plan, file_.context().rank(), fields[f].pieces);
    own_[f].parts = std::make_unique<WrittenParts>(*of.plan, *of.layout, fills);
  }
}

std::unique_ptr<SideBySide> SmallFields::side_by_side() const {
  std::vector<const Schedule *> schedules;
  for (const Field &each : own_) schedules.push_back(each.schedule.get());
  Budget budget = delivery_.round_budget(1);
  budget.slices = std::min(budget.slices, most_round_bytes);
  return std::make_unique<SideBySide>(std::move(schedules), file_.context().topology(), budget);
}

void SmallFields::bring() {
  std::vector<WrittenSlab> slabs;
  for (const ExchangedField &each : fields_) slabs.push_back({each.job.variable, each.job.record});
  delivery_.begin(slabs, WriterAssignment::ranges);
  error_.attempt([&] { make_room(file_, slabs); });
  std::unique_ptr<SideBySide> made = side_by_side();
  schedule_ = made.get();
  std::vector<Source *> sources;
  for (const Field &each : own_) sources.push_back(each.source.get());
  SideBySideSource source(*made, std::move(sources));
  std::vector<std::unique_ptr<Schedule>> stages;
  stages.push_back(std::move(made));
  write_rounds({.file = file_,
                .variable = -1,
                .doing = "writing small fields of '" + file_.path() + "'",
                .for_whom = "the nodes that take its data",
                .stages = std::move(stages),
                .source = source,
                .sink = *this});
  for (size_t f = 0; f < own_.size(); ++f)
    file_.count_range_errors(fields_[f].job.variable, own_[f].source->out_of_range);
}

std::vector<ArrivedRun> SmallFields::arrived(const Exchange &exchange, int round) const {
  std::vector<ArrivedRun> runs;
  for (const int sink : exchange.own_sinks())
    for (const SideBySide::Portion &each : schedule_->portions(sink, round)) {
      const FieldJob &of = job(each.schedule);
      const Share share = of.plan->share(0, each.sink, 0);
      if (share.elements() == 0) continue;
      const std::vector<Segment> written = own_[static_cast<size_t>(each.schedule)].parts->of(share);
      add_runs(runs, runs_of(slab_of(of.variable, of.record, share), written, of.field.element_bytes),
               exchange.slice(sink, round) + each.begin_bytes);
    }
  return runs;
}

void SmallFields::write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) {
  if (!exchange.own_sinks().empty() && !error_)
    error_.attempt([&] { delivery_.write_together(arrived(exchange, round), room); });
  if (!file_.home().shares_calls()) return;
  for (int f = schedule_->first(round); f < schedule_->last(round); ++f)
    error_.attempt([&] { file_.home().store().deliver(job(f).variable, Delivery::now); });
}

std::optional<Error> exchange_small(std::span<const ExchangedField> fields) {
  File &file = fields.front().job.file;
  std::optional<Error> error;
  const auto left = caught(file.context().rank(), [&] {
    SmallFields small(fields);
    small.bring();
    error = small.error();
  });
  return end_exchange(file, left, error);
}

}  // namespace

std::optional<Error> exchange_fields(std::span<const ExchangedField> fields) {
  FirstError first;
  while (!fields.empty()) {
    const auto next =
        std::find_if_not(fields.begin(), fields.end(), [](const ExchangedField &each) { return is_small(each.job); });
    const auto small = static_cast<size_t>(next - fields.begin()), taken = std::max<size_t>(small, 1);
    first.note(small > 1 ? exchange_small(fields.first(small))
                         : exchange_field(fields.front().job, fields.front().pieces));
    fields = fields.subspan(taken);
  }
  return first.error();
}

}  // namespace sv
