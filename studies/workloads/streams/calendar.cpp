#include "calendar.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace sv_bench {

namespace {

Schema schema_of(const Stream &stream, const StreamWish &wish, int64_t outputs) {
  Schema schema;
  if (wish.growing) {
    schema.dims.push_back({"time", 0});
    schema.records = outputs;
  }
  std::vector<int> surface, volume;
  const auto add = [&](const char *name, int64_t length, bool of_surfaces) {
    volume.push_back(static_cast<int>(schema.dims.size()));
    if (of_surfaces) surface.push_back(volume.back());
    schema.dims.push_back({name, length});
  };
  if (wish.growing) surface.push_back(0), volume.push_back(0);
  if (!stream.volumes.empty()) add("depth", wish.model.levels, false);
  add("nlat", rows_of(wish), true);
  add("nlon", columns_of(wish), true);
  const ElementType type = element_type(stream.type);
  for (const std::string &name : stream.volumes) schema.variables.push_back({name, type, volume});
  for (const std::string &name : stream.surfaces) schema.variables.push_back({name, type, surface});
  return schema;
}

std::unique_ptr<Workload> workload_of(const Stream &stream, const StreamWish &wish, const Team &team, int64_t outputs) {
  auto workload = std::make_unique<Workload>(team.comm, schema_of(stream, wish, outputs));
  workload->reuse_memory();
  if (!wish.growing) workload->file_per_step();
  workload->grid = block_grid(rows_of(wish), columns_of(wish), wish.ranks, team.rank, 1);
  for (int64_t output = 0; output < outputs; ++output) {
    for (size_t v = 0; v < workload->schema.variables.size(); ++v)
      workload->add(block_access(workload->schema, static_cast<int>(v), *workload->grid, output));
    workload->end_step();
  }
  return workload;
}

/// Passes the steps up to each moment.
class UntilMoment : public Model {
 public:
  UntilMoment(const Workload &workload, const ComputeWish &wish, const Ranks &ranks, std::vector<double> steps)
      : timed_(workload, wish, ranks.x, ranks.y), steps_(std::move(steps)) {}
  Computed compute(size_t moment, const std::function<void(bool)> &communicates) override {
    return timed_.pass(steps_[moment], communicates);
  }

 private:
  TimedModel timed_;
  const std::vector<double> steps_;
};

}  // namespace

int64_t rows_of(const StreamWish &wish) { return scaled_length(wish.model.rows, wish.scale); }
int64_t columns_of(const StreamWish &wish) { return scaled_length(wish.model.columns, wish.scale); }

std::vector<DescribedStream> described(const StreamWish &wish) {
  std::vector<DescribedStream> streams;
  for (const Stream &stream : wish.model.streams) {
    const int64_t outputs = outputs_of(stream, wish.model, wish.steps);
    if (outputs == 0) continue;
    streams.push_back({stream.name, schema_of(stream, wish, outputs), wish.growing ? 1 : outputs, {}});
    for (int64_t number = 0; number < outputs; ++number)
      streams.back().after.push_back(step_of_output(stream, wish.model, wish.steps, number));
  }
  return streams;
}

StreamRun::StreamRun(const Team &team, const StreamWish &wish) : schedule_{team, {}, {}} {
  std::map<int64_t, std::vector<Moment::Part>> due;  // by the step after which they come
  for (const Stream &stream : wish.model.streams) {
    const int64_t outputs = outputs_of(stream, wish.model, wish.steps);
    if (outputs == 0) continue;
    const size_t file = workloads_.size();
    for (int64_t n = 0; n < outputs; ++n)
      due[step_of_output(stream, wish.model, wish.steps, n)].push_back({file, static_cast<size_t>(n)});
    workloads_.push_back(workload_of(stream, wish, team, outputs));
    schedule_.files.push_back({workloads_.back().get(), stream.name});
  }
  if (due.empty())
    throw std::invalid_argument(std::to_string(wish.steps) + " steps of " + wish.model.name +
                                " have no output: ask for more --steps");
  if (due.rbegin()->first < wish.steps) due[wish.steps];  // the steps after the last output
  std::vector<double> steps;
  int64_t before = 0;
  for (auto &[step, parts] : due) {
    steps.push_back(static_cast<double>(step - before));
    before = step;
    schedule_.moments.push_back({true, std::move(parts)});
  }
  schedule_.model = std::make_shared<UntilMoment>(*workloads_.front(), wish.compute, wish.ranks, std::move(steps));
  schedule_.as_loop = true;
}

void StreamRun::fill() { sv_bench::fill(workloads_); }

int64_t StreamRun::bytes() const {
  int64_t bytes = 0;
  for (const auto &workload : workloads_) bytes += workload->bytes();
  return bytes;
}

int64_t StreamRun::needed_bytes() const { return sv_bench::needed_bytes(workloads_); }

int64_t StreamRun::largest_slab_bytes() const {
  int64_t bytes = 0;
  for (const auto &workload : workloads_) bytes = std::max(bytes, workload->schema.largest_slab_bytes());
  return bytes;
}

}  // namespace sv_bench
