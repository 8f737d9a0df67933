#include <algorithm>
#include <map>

#include "transfer/fields_job.hpp"
#include "transfer/run_values.hpp"
#include "transfer/store_calls.hpp"

namespace sv {

namespace {

constexpr int64_t most_bytes = 4 << 20;  // of a batch
constexpr int64_t widest_gap = 4 << 10;  // what a system call costs

/// A rank's runs of a table, read by itself in the order of the file.
class RunReading {
 public:
  RunReading(const FieldsJob &job, RequestRows<UnpackRow> &rows)
      : job_(job), own_(job.fields.table->own), rows_(rows) {}
  void run();

 private:
  /// Neighbouring runs of one field, and what lies between them: one slab.
  struct Group {
    size_t first, last;
    int64_t begin, end;  // bytes of the file
    Slab slab;
  };
  struct Dependencies {
    Box box;
    int64_t base_bytes, step_bytes, element_bytes;
  };
  const Dependencies &ground_of(int variable);
  void list();
  void read(size_t first, size_t last);

  const FieldsJob &job_;
  const OwnRuns &own_;
  RequestRows<UnpackRow> &rows_;
  std::map<int, Dependencies> variables_;
  std::vector<Group> groups_;
  std::vector<size_t> ends_;  // of the batches
  std::vector<std::byte> staging_;
};

const RunReading::Dependencies &RunReading::ground_of(int variable) {
  const auto [found, added] = variables_.try_emplace(variable);
  if (added) {
    const Places &places = job_.file.home().places();
    const bool records = job_.file.variable(variable).has_records;
    const Field field = places.field(variable, records ? 0 : -1);
    found->second = {Box::whole(field.shape), field.offset_bytes, records ? places.step_bytes(variable) : 0,
                     field.element_bytes};
  }
  return found->second;
}

/// Batches are bounded, and of disjoint cells: PnetCDF mistakes the values of requests that overlap.
void RunReading::list() {
  for (size_t i = 0; i < own_.runs.size();) {
    const int variable = own_.of[static_cast<size_t>(own_.runs[i].request)].variable;
    const Dependencies &ground = ground_of(variable);
    Group group{i, i + 1, own_.runs[i].offset_bytes, own_.end_of(own_.runs[i]), {}};
    const int64_t record = ground.step_bytes > 0 ? (group.begin - ground.base_bytes) / ground.step_bytes : 0;
    const int64_t field = ground.base_bytes + record * ground.step_bytes;
    const int64_t field_end = field + ground.box.elements() * ground.element_bytes;
    for (; group.last < own_.runs.size(); ++group.last) {
      const OwnRun &next = own_.runs[group.last];
      const int64_t end = std::max(group.end, own_.end_of(next));
      if (next.offset_bytes >= std::min(field_end, group.end + widest_gap) || end - group.begin > most_bytes) break;
      group.end = end;
    }
    group.slab = {variable, record, ground.box, (group.begin - field) / ground.element_bytes,
                  (group.end - field) / ground.element_bytes};
    groups_.push_back(group);
    i = group.last;
  }
  int64_t bytes = 0;
  for (size_t g = 0; g < groups_.size(); ++g) {
    const int64_t more = groups_[g].end - groups_[g].begin;
    if (g > 0 && (bytes + more > most_bytes || groups_[g].begin < groups_[g - 1].end)) {
      ends_.push_back(g);
      bytes = 0;
    }
    bytes += more;
  }
  if (!groups_.empty()) ends_.push_back(groups_.size());
}

void RunReading::read(size_t first, size_t last) {
  File &file = job_.file;
  const bool together = file.home().readers() == Readers::together;
  int64_t bytes = 0;
  for (size_t g = first; g < last; ++g) bytes += groups_[g].end - groups_[g].begin;
  staging_.resize(static_cast<size_t>(bytes));
  std::vector<SlabPart> parts;
  std::byte *at = staging_.data();
  for (size_t g = first; g < last; ++g) {
    const int64_t length = groups_[g].end - groups_[g].begin;
    parts.push_back({groups_[g].slab, {at, static_cast<size_t>(length)}, false});
    at += length;
  }
  (together ? file.home().store() : file.home().lone_store()).read_many(parts);
  for (size_t g = first; g < last; ++g)
    for (size_t i = groups_[g].first; i < groups_[g].last; ++i)
      unpack_run(own_, own_.runs[i], rows_,
                 parts[g - first].values.data() + (own_.runs[i].offset_bytes - groups_[g].begin));
}

void RunReading::run() {
  std::optional<Error> error = caught(job_.file.context().rank(), [&] { list(); });
  const auto mine = error ? 0 : std::ssize(ends_);
  const auto batch = [&](int64_t call) {
    const size_t number = call < 0 ? ends_.size() : static_cast<size_t>(call);
    const size_t first = number == 0 ? 0 : ends_[number - 1];
    read(first, call < 0 ? first : ends_[number]);
  };
  if (job_.file.home().readers() == Readers::together) {
    if (const auto failed = make_calls(job_.file, {Direction::read, 0, mine, error.has_value()}, batch); !error)
      error = failed;
  } else {
    for (int64_t call = 0; call < mine; ++call) batch(call);
  }
  if (error) throw Error(*error);
}

}  // namespace

void read_own_runs(const FieldsJob &job, RequestRows<UnpackRow> &rows) { RunReading(job, rows).run(); }

}  // namespace sv
