// The plans of a case's fields, as the engine makes them.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "chunk_counts.hpp"
#include "counts.hpp"
#include "forecast.hpp"
#include "plan/pieces.hpp"
#include "plan/plan.hpp"
#include "scene.hpp"

namespace sv_plan {

namespace {

using sv::real;

constexpr int64_t most_samples = 12;  // of the fields of a file that differ only in where they stand
constexpr int64_t own_stripe_bytes = 1 << 20;
constexpr int64_t large_bytes = 1 << 20, batch_bytes = 4 << 20;  // a server writes smaller parts together
constexpr int64_t most_served_round_bytes = 16 << 20, most_combined_round_bytes = 4 << 20;

[[noreturn]] void refuse(const std::string &cause, const std::string &remedy) {
  throw sv::Error(sv::Status::config, cause, remedy);
}

/// Who computes, who writes what the calls hand over, and where they are. Ranks that are kept ready do neither.
struct Crowd {
  sv::Topology topology;
  std::vector<int> clients, servers;
  std::vector<int> writers;  // servers, or the first rank of each node, whose thread writes; none: the calls write
  int px = 0, py = 0;
};

/// As square as possible, the smaller number in x: as sv-bench has it.
void make_square(Crowd &crowd) {
  const auto n = static_cast<int>(crowd.clients.size());
  for (crowd.px = static_cast<int>(std::sqrt(n) + 0.5); n % crowd.px != 0;) --crowd.px;
  crowd.py = n / crowd.px;
  if (crowd.px > crowd.py) std::swap(crowd.px, crowd.py);
}

std::vector<int> writers_of(const Crowd &crowd, Writing writing) {
  if (writing == Writing::calls) return {};
  if (writing == Writing::servers) return crowd.servers;
  std::vector<int> first;
  for (const int rank : crowd.clients)
    if (first.empty() ||
        crowd.topology.node_of[static_cast<size_t>(rank)] > crowd.topology.node_of[static_cast<size_t>(first.back())])
      first.push_back(rank);
  return first;
}

Crowd crowd_of(const Case &what, const sv::Settings &settings, Writing writing) {
  Crowd crowd;
  const int per_node = settings.ranks_per_node > 0 ? settings.ranks_per_node : what.ranks_per_node;
  crowd.topology = sv::Topology::uniform(what.ranks, per_node);
  crowd.servers = sv::servers_of(settings.servers, crowd.topology);
  for (int rank = 0; rank < what.ranks; ++rank)
    if (!std::binary_search(crowd.servers.begin(), crowd.servers.end(), rank)) crowd.clients.push_back(rank);
  crowd.writers = writers_of(crowd, writing);
  crowd.px = what.px;
  crowd.py = what.py;
  if (crowd.px * crowd.py != static_cast<int>(crowd.clients.size())) make_square(crowd);
  return crowd;
}

/// The blocks of the computing ranks; servers own nothing.
std::shared_ptr<const sv::Layout> layout_of(const Crowd &crowd, int64_t nx, int64_t ny) {
  if (crowd.px > nx || crowd.py > ny)
    throw sv::Error(sv::Status::layout,
                    std::to_string(crowd.px) + " x " + std::to_string(crowd.py) + " ranks have no cell each of " +
                        std::to_string(nx) + " x " + std::to_string(ny),
                    "Take fewer ranks");
  const auto blocks = sv::block_layout(nx, ny, crowd.px, crowd.py);
  if (crowd.servers.empty()) return blocks;
  std::vector<sv::Patch> patches(blocks->patches().begin(), blocks->patches().end());
  for (sv::Patch &patch : patches) patch.rank = crowd.clients[static_cast<size_t>(patch.rank)];
  return std::make_shared<const sv::Layout>(blocks->shape(), crowd.topology.ranks(), std::move(patches), false);
}

/// What those who compute on a node read of a variable by themselves: into buffers, and row by row.
struct OwnReads {
  double buffers, rows;
};

/// What the plans of fields of one shape have in common.
struct FieldPlans {
  std::shared_ptr<const sv::Layout> layout;
  sv::Route chosen;
  sv::Budget budget;
  std::vector<sv::Territory> pieces;
};

/// Counts the fields of one case with one configuration.
class Counting {
 public:
  Counting(const Case &what, const Configuration &configuration, const sv::Machine &machine, Writing writing)
      : what_(what), settings_(configuration.settings), crowd_(crowd_of(what, settings_, writing)) {
    const int64_t asked = settings_.file.stripe_bytes;
    stripe_bytes_ = asked > 0 ? asked : own_stripe_bytes;
    striping_ = striping_on(machine, stripe_bytes_, configuration.stripes);
    surroundings_ = {crowd_.topology.nodes() > 1, stripe_bytes_, striping_.targets};
  }
  FileCounts file(const CaseFile &file);
  const Crowd &crowd() const { return crowd_; }
  int most_writers() const { return most_writers_; }
  int most_clients_of_node() const;

 private:
  /// Whether what the calls hand over is written by others, all of a step together.
  bool hands_over() const { return !crowd_.writers.empty(); }
  OwnReads own_reads(const CaseVariable &variable) const;
  sv::Route route(const sv::Layout &layout) const;
  FieldPlans plans_of(const CaseVariable &variable) const;
  sv::Plan plan(const FieldPlans &plans, const CaseVariable &variable, const CaseExtents &extents,
                int64_t offset_bytes) const;
  sv::Plan plan_of_chunks(const CaseVariable &variable, const sv::Index &chunk, int64_t number) const;
  bool add_chunks(FileCounts &counts, const CaseFile &file, size_t which);
  void add_field(FileCounts &counts, const sv::Plan &plan, double number);
  void add_to_step(FileCounts &counts, const std::vector<sv::Traffic> &by_rank, double number);
  double targets_of(double bytes) const;
  double serial_bytes(double bytes, double piece) const;
  void end_step(sv::PlanCounts &step) const;
  int64_t combining_owners() const;
  void combine(FileCounts &counts, int64_t step_bytes);

  const Case &what_;
  const sv::Settings &settings_;
  const Crowd crowd_;
  int64_t stripe_bytes_ = own_stripe_bytes;
  sv::Striping striping_;
  sv::Surroundings surroundings_;
  int most_writers_ = 0;
  /// In the step of a file: the values that a writer of handed-over values joins with others, and those that it writes
  /// alone.
  struct HandedOver {
    double small_bytes = 0, large_bytes = 0, large_writes = 0;
  };
  std::vector<HandedOver> step_;  // by rank
};

int Counting::most_clients_of_node() const {
  std::vector<int> on_node(static_cast<size_t>(crowd_.topology.nodes()), 0);
  for (const int client : crowd_.clients)
    ++on_node[static_cast<size_t>(crowd_.topology.node_of[static_cast<size_t>(client)])];
  return *std::max_element(on_node.begin(), on_node.end());
}

/// The computing ranks of a node read each level of their parts into a buffer of netCDF's size. Counts the buffers for
/// the rows, or for all bytes from the first row to the last, the fewer of both. Whole rows are one stretch
/// of the level, and whole levels one of the variable.
OwnReads Counting::own_reads(const CaseVariable &variable) const {
  const sv::Index &shape = variable.shape;
  const double row_bytes = real(shape[shape.n - 1] * variable.element_bytes),
               rows = real(shape[shape.n - 2]) / crowd_.py,
               levels = real(variable.slab_bytes()) / (row_bytes * real(shape[shape.n - 2]));
  const double of_level =
      std::min(rows * (row_bytes / crowd_.px / read_buffer_bytes + 1), rows * row_bytes / read_buffer_bytes + 1);
  const double stretches = crowd_.px > 1 ? levels * rows : crowd_.py > 1 ? levels : 1;
  return {levels * of_level * most_clients_of_node(), stretches * most_clients_of_node()};
}

sv::Route Counting::route(const sv::Layout &layout) const {
  if (!hands_over()) return sv::resolve(settings_.file.route, layout, crowd_.topology, surroundings_);
  sv::Route route{"handed over", 0, 0, false, crowd_.writers, {}};
  const sv::RouteRequest &asked = settings_.file.route;
  size_t owners = crowd_.writers.size();
  if (asked.name == "serial") owners = 1;
  if (asked.writers.kind == sv::Writers::Kind::count) owners = std::min(owners, static_cast<size_t>(asked.writers.n));
  route.writers.resize(owners);
  return route;
}

FieldPlans Counting::plans_of(const CaseVariable &variable) const {
  const int columns = variable.shape.n - 1, rows = columns - 1;
  const auto layout = layout_of(crowd_, variable.shape[columns], variable.shape[rows]);
  const sv::Route chosen = route(*layout);
  const int stages = chosen.io_nx > 0 && !chosen.self ? 2 : 1;
  sv::Budget budget = budget_of(settings_.window_bytes, crowd_.topology, stages);
  if (hands_over()) {
    std::vector<int64_t> on_node(static_cast<size_t>(crowd_.topology.nodes()), 0);
    for (const int writer : chosen.writers)
      ++on_node[static_cast<size_t>(crowd_.topology.node_of[static_cast<size_t>(writer)])];
    const int64_t quarter = settings_.server_memory_bytes / 4;
    budget = {std::min(quarter, most_served_round_bytes * *std::max_element(on_node.begin(), on_node.end())),
              crowd_.topology.nodes() > 1 ? quarter : 0};
  }
  std::vector<sv::Territory> pieces = sv::pieces_of(*layout, chosen);
  for (auto &[rank, box] : pieces) {  // with all levels
    sv::Box whole = sv::Box::whole(variable.shape);
    for (int d = 0; d < 2; ++d) {
      whole.start[rows + d] = box.start[d];
      whole.count[rows + d] = box.count[d];
    }
    box = whole;
  }
  return {layout, chosen, budget, std::move(pieces)};
}

sv::Plan Counting::plan(const FieldPlans &plans, const CaseVariable &variable, const CaseExtents &extents,
                        int64_t offset_bytes) const {
  const sv::Field field{variable.shape, variable.shape.n - 2, variable.element_bytes, offset_bytes};
  return sv::make_plan(plans.layout, field, plans.chosen,
                       {crowd_.topology, extents, stripe_bytes_, plans.budget, plans.pieces});
}

/// Of the `number`-th variable of the file.
sv::Plan Counting::plan_of_chunks(const CaseVariable &variable, const sv::Index &chunk, int64_t number) const {
  const int columns = variable.shape.n - 1, rows = columns - 1;
  const auto layout = layout_of(crowd_, variable.shape[columns], variable.shape[rows]);
  const sv::Route chosen =
      sv::resolve(owners_of_chunks(settings_.file, crowd_.topology.ranks()), *layout, crowd_.topology, surroundings_);
  sv::Field field{variable.shape, rows, variable.element_bytes, stripe_bytes_};
  field.chunk = chunk;
  field.first_owner = static_cast<int>(number % std::ssize(chosen.writers));
  const CaseExtents unused{CaseFile{}};  // chunks have their owners by number
  return sv::make_plan(layout, field, chosen,
                       {crowd_.topology, unused, stripe_bytes_, budget_of(settings_.window_bytes, crowd_.topology, 1)});
}

/// Adds the fields of a variable that has chunks; false where it has none.
bool Counting::add_chunks(FileCounts &counts, const CaseFile &file, size_t which) {
  std::vector<ChunkedVariable> alike;
  for (const CaseVariable &each : file.variables)
    alike.push_back({each.shape, each.element_bytes, each.count, each.records > 0});
  const CaseVariable &variable = file.variables[which];
  const int columns = variable.shape.n - 1;
  const auto layout = layout_of(crowd_, variable.shape[columns], variable.shape[columns - 1]);
  const sv::Route chosen =
      sv::resolve(owners_of_chunks(settings_.file, crowd_.topology.ranks()), *layout, crowd_.topology, surroundings_);
  const sv::Index chunk = chunk_of(alike, which, settings_.file, static_cast<int>(chosen.writers.size()));
  if (chunk.n == 0) return false;
  int64_t before = 0;
  for (size_t v = 0; v < which; ++v) before += file.variables[v].count;
  const int64_t records = std::max<int64_t>(1, variable.records), samples = std::min(variable.count, most_samples);
  for (int64_t sample = 0; sample < samples; ++sample) {
    const sv::Plan plan = plan_of_chunks(variable, chunk, before + sample * variable.count / samples);
    counts.fields.push_back({counts_of_chunks(plan, crowd_.topology, striping_, settings_.file.chunks.compresses()),
                             real(variable.count * records) / real(samples)});
    most_writers_ = std::max(most_writers_, counts.fields.back().counts.openers);
  }
  return true;
}

void Counting::add_field(FileCounts &counts, const sv::Plan &plan, double number) {
  const std::vector<sv::Traffic> by_rank = sv::traffic_of_all(plan, crowd_.topology);
  counts.fields.push_back({sv_plan::counts_of(plan, crowd_.topology, by_rank, striping_), number});
  most_writers_ = std::max(most_writers_, counts.fields.back().counts.openers);
  if (hands_over()) add_to_step(counts, by_rank, number / real(counts.steps));
}

/// Adds so many fields to the step that is handed over.
void Counting::add_to_step(FileCounts &counts, const std::vector<sv::Traffic> &by_rank, double number) {
  const sv::PlanCounts &field = counts.fields.back().counts;
  sv::PlanCounts &step = counts.step;
  const auto add = [number](auto &to, auto value) {
    to = static_cast<std::remove_reference_t<decltype(to)>>(
        std::llround(real(to) + number * static_cast<double>(value)));
  };
  step.ranks = field.ranks;
  step.openers = std::max(step.openers, field.openers);
  step.most_ranks_on_node = field.most_ranks_on_node;
  add(step.most_placed_bytes, field.most_placed_bytes);
  add(step.most_node_bytes, field.most_node_bytes);
  add(step.most_node_messages, field.most_node_messages);
  add(step.bytes, field.bytes);
  step_.resize(by_rank.size());
  double large = 0, all = 0;  // bytes
  for (size_t rank = 0; rank < by_rank.size(); ++rank) {
    const sv::Traffic &traffic = by_rank[rank];
    const double bytes = real(traffic.written_bytes);
    all += bytes;
    if (traffic.written_bytes < large_bytes) {
      step_[rank].small_bytes += number * bytes;
      continue;
    }
    large += bytes;
    step_[rank].large_bytes += number * bytes;
    step_[rank].large_writes += number * real(traffic.writes);
  }
  const double apart = number * large / std::max(1.0, all);  // fields of which each part is a write of its own
  step.load.most_serial_bytes += apart * field.load.most_serial_bytes / std::max(1, field.openers);
  step.load.targets.resize(field.load.targets.size());
  for (size_t t = 0; t < field.load.targets.size(); ++t) {
    step.load.targets[t].bytes += number * field.load.targets[t].bytes;
    step.load.targets[t].requests += apart * field.load.targets[t].requests;
  }
}

/// Targets that so many bytes lie on which stand one after the other.
double Counting::targets_of(double bytes) const {
  return std::clamp<double>(std::ceil(bytes / real(striping_.bytes)), 1, striping_.targets);
}

/// Of so many bytes, written a piece at a time: the sum of the largest parts of each piece on one target.
double Counting::serial_bytes(double bytes, double piece) const {
  const auto most = [this](double part) {
    return std::max(std::min(part, real(striping_.bytes)), part / striping_.targets);
  };
  const double whole = std::floor(bytes / piece);
  return whole * most(piece) + most(bytes - whole * piece);
}

/// Called when all fields of a step were added: the bytes that are written together, and the most of a writer.
void Counting::end_step(sv::PlanCounts &step) const {
  double most_bytes = 0, most_writes = 0, most_serial = 0, requests = 0;
  for (const HandedOver &writer : step_) {
    const double batches = std::ceil(writer.small_bytes / real(batch_bytes));
    most_bytes = std::max(most_bytes, writer.small_bytes + writer.large_bytes);
    most_writes = std::max(most_writes, batches + writer.large_writes);
    most_serial = std::max(most_serial, serial_bytes(writer.small_bytes, real(batch_bytes)));
    requests += batches * targets_of(std::min(writer.small_bytes, real(batch_bytes)));
  }
  for (sv::TargetLoad &target : step.load.targets) target.requests += requests / striping_.targets;
  step.most_writer_bytes = std::llround(most_bytes);
  step.most_writes = std::llround(std::ceil(most_writes));
  step.load.most_serial_bytes += most_serial;
}

/// Owners of ranges, also where a field by itself would be written by others: as the engine's File has it.
int64_t Counting::combining_owners() const {
  sv::RouteRequest asked = settings_.file.route;
  const bool counted =
      asked.writers.kind == sv::Writers::Kind::count || asked.writers.kind == sv::Writers::Kind::per_node;
  if (!counted) asked.writers = {};
  if (asked.name != "serial") asked.name = "ranges";
  asked.io_nx = asked.io_ny = 0;
  const sv::Layout any({1}, crowd_.topology.ranks(), {}, true);
  return static_cast<int64_t>(sv::resolve(asked, any, crowd_.topology, surroundings_).writers.size());
}

/// With combine=step the fields of a step are one stretch of the file for each writer, in rounds of its own.
void Counting::combine(FileCounts &counts, int64_t step_bytes) {
  const sv::PlanCounts one = counts.fields.front().counts;
  // A single field may lie in the stripes of a few of them; every writer of files of their own has some.
  const int64_t writers = settings_.file.route.name.starts_with("per_")
                              ? std::max(1, one.openers)
                              : std::min(combining_owners(), (step_bytes + stripe_bytes_ - 1) / stripe_bytes_);
  const int64_t half = budget_of(settings_.window_bytes, crowd_.topology, 1).slices;
  const int64_t round = std::min(most_combined_round_bytes, half / writers),
                each = (step_bytes + writers - 1) / writers;
  sv::PlanCounts all = one;
  all.rounds = static_cast<int>((each + round - 1) / round);
  all.bytes = step_bytes;
  all.most_writer_bytes = each;
  all.stages = 1;
  all.most_writes = all.rounds;
  all.most_node_writes = all.rounds * ((writers + crowd_.topology.nodes() - 1) / crowd_.topology.nodes());
  all.load = {};
  // Targets that a step's stripes lie on, and those of one write.
  const double used = targets_of(real(step_bytes)), spread = targets_of(real(std::min(round, each)));
  all.load.targets.assign(static_cast<size_t>(striping_.targets),
                          {real(writers * all.rounds) * spread / used, real(step_bytes) / used, 0});
  all.load.most_serial_bytes = serial_bytes(real(each), real(round));
  const double scale = real(step_bytes) / real(one.bytes);
  for (int64_t *bytes : {&all.most_placed_bytes, &all.most_node_bytes, &all.most_writer_placed_bytes})
    *bytes = std::llround(real(*bytes) * scale);
  counts.fields = {{all, real(counts.steps)}};
}

FileCounts Counting::file(const CaseFile &file) {
  FileCounts counts;
  counts.reads = file.reads;
  counts.times = real(file.times);
  counts.steps = std::max<int64_t>(1, file.records());
  counts.after = file.after;
  counts.bytes = real(file.bytes());
  counts.readers = static_cast<int>(crowd_.clients.size());
  counts.by_itself = file.reading == "self";
  counts.is_netcdf4 = is_netcdf4(settings_.file);
  counts.commits = settings_.file.kind == sv::Kind::growing ? counts.steps : 1;
  step_.clear();
  int64_t step_bytes = 0;
  const CaseExtents extents(file);
  for (size_t v = 0; v < file.variables.size(); ++v) {
    const CaseVariable &variable = file.variables[v];
    const int64_t fields = variable.count * std::max<int64_t>(1, variable.records),
                  samples = std::min(fields, most_samples);
    step_bytes += variable.slab_bytes() * variable.count;
    counts.collective_calls += real(variable.count);
    if (counts.by_itself) {
      const OwnReads own = own_reads(variable);
      counts.most_node_reads += real(fields) * own.buffers;
      counts.most_node_rows += real(fields) * own.rows;
    }
    if (file.reads) continue;
    if (counts.is_netcdf4 && add_chunks(counts, file, v)) continue;
    const FieldPlans plans = plans_of(variable);
    for (int64_t sample = 0; sample < samples; ++sample) {
      const int64_t nth = sample * fields / samples,
                    offset = extents.offset(v, nth % variable.count, nth / variable.count);
      add_field(counts, plan(plans, variable, extents, offset), real(fields) / real(samples));
    }
  }
  for (FieldCounts &field : counts.fields)
    if (counts.is_netcdf4)
      for (const CaseVariable &each : file.variables) field.counts.netcdf4_variables += static_cast<int>(each.count);
  if (!file.reads && hands_over()) end_step(counts.step);
  if (!file.reads && !hands_over() && settings_.file.combine == sv::Combine::step) combine(counts, step_bytes);
  return counts;
}

void require_common(const sv::Settings &settings) {
  if (settings.transport == sv::Transport::send) refuse("transport = send is not predicted", "Measure it");
  if (settings.file.durability != sv::Durability::written)
    refuse("durability = on_disk and ordered are not predicted", "Measure it");
}

void require_known_of_netcdf4(const sv::Settings &settings) {
  require_common(settings);
  if (!settings.servers.is_none() || settings.servers.writes_behind())
    refuse("netCDF-4 by servers or threads is not predicted", "Measure it");
  if (settings.file.combine == sv::Combine::step)
    refuse("combine = step of netCDF-4 is not predicted", "Measure it, or leave combine out");
  if (settings.file.route.divides_file()) refuse("sets of netCDF-4 files are not predicted", "Measure them");
}

}  // namespace

void require_known(const sv::Settings &settings) {
  const sv::FileSettings &file = settings.file;
  if (file.store == "netcdf4_library")
    refuse("the costs of HDF5 besides the bytes are not predicted", "Measure it, or take store netcdf4");
  if (file.store == "pnetcdf")
    refuse("the effect of hints (aggregators, their buffers) in PnetCDF and MPI-IO is not predicted",
           "Measure it, or take store cdf");
  if (is_netcdf4(file)) return require_known_of_netcdf4(settings);
  if ((file.store != "auto" && file.store != "cdf") || file.format == sv::Format::zarr)
    refuse("the store '" + file.store + "' is not predicted", "Measure it, or take store cdf");
  require_common(settings);
  if (settings.servers.writes_behind() && file.route.divides_file())
    refuse("sets of files that threads write are not predicted", "Measure them");
}

std::vector<Writing> writings_of(const sv::ServerRequest &asked) {
  if (!asked.chooses())
    return {asked.writes_behind() ? Writing::threads : asked.is_none() ? Writing::calls : Writing::servers};
  std::vector<Writing> all{Writing::calls, Writing::threads};
  if (asked.are_ready) all.push_back(Writing::servers);
  return all;
}

CaseCounts counts_of(const Case &what, const Configuration &configuration, const sv::Machine &machine,
                     Writing writing) {
  require_known(configuration.settings);
  Counting counting(what, configuration, machine, writing);
  CaseCounts counts;
  counts.writing = writing;
  for (const CaseFile &file : what.files) counts.files.push_back(counting.file(file));
  counts.computing = static_cast<int>(counting.crowd().clients.size());
  counts.computing_on_node = counting.most_clients_of_node();
  counts.servers = static_cast<int>(counting.crowd().servers.size());
  counts.writers = counting.most_writers();
  counts.steps = what.steps;
  counts.compute_seconds = what.compute_seconds;
  const bool is_shared = configuration.settings.servers.are_ready;  // threads and servers have half of it each
  counts.server_memory_bytes = configuration.settings.server_memory_bytes / (is_shared ? 2 : 1);
  return counts;
}

}  // namespace sv_plan
