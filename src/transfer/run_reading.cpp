#include <algorithm>
#include <map>

#include "transfer/combined_transfer.hpp"
#include "transfer/field_lines.hpp"
#include "transfer/run_values.hpp"
#include "transfer/slab_batches.hpp"

namespace sv {

namespace {

constexpr int64_t widest_gap = 4 << 10;  // the price of a system call

/// A rank's runs of a table, read by itself in the order of the file.
class RunReading {
 public:
  RunReading(const AskedFields &fields, RequestRows<UnpackRow> &rows)
      : fields_(fields), own_(fields.table->own), rows_(rows), batches_(fields.file()) {}
  void run();

 private:
  /// Neighbouring runs of one field, with the bytes between them: one slab.
  struct Group {
    size_t first, last;
    int64_t begin, end;  // bytes of the file
  };
  const StoredFields &stored(int variable);
  void list();
  void take(const Group &group, const std::byte *values);

  const AskedFields &fields_;
  const OwnRuns &own_;
  RequestRows<UnpackRow> &rows_;
  std::map<int, StoredFields> variables_;
  SlabBatches batches_;
  std::vector<Group> groups_;
};

const StoredFields &RunReading::stored(int variable) {
  const auto [found, added] = variables_.try_emplace(variable);
  if (added) found->second = stored_fields(fields_.file(), variable);
  return found->second;
}

void RunReading::list() {
  for (size_t i = 0; i < own_.runs.size(); i = groups_.back().last) {
    const int variable = own_.of[static_cast<size_t>(own_.runs[i].request)].variable;
    const StoredFields &field = stored(variable);
    Group group{i, i + 1, own_.runs[i].offset_bytes, own_.end_of(own_.runs[i])};
    const int64_t record = field.step_bytes > 0 ? (group.begin - field.base_bytes) / field.step_bytes : 0;
    const int64_t begin = field.base_bytes + record * field.step_bytes;
    const int64_t end_of_field = begin + field.box.elements() * field.element_bytes;
    for (; group.last < own_.runs.size(); ++group.last) {
      const OwnRun &next = own_.runs[group.last];
      const int64_t end = std::max(group.end, own_.end_of(next));
      if (next.offset_bytes >= std::min(end_of_field, group.end + widest_gap) ||
          end - group.begin > SlabBatches::most_bytes)
        break;
      group.end = end;
    }
    const int64_t bytes = group.end - group.begin;
    const int64_t first = (group.begin - begin) / field.element_bytes;
    batches_.add({variable, record, field.box, first, first + bytes / field.element_bytes}, bytes,
                 groups_.empty() || group.begin >= groups_.back().end);
    groups_.push_back(group);
  }
}

void RunReading::take(const Group &group, const std::byte *values) {
  for (size_t i = group.first; i < group.last; ++i)
    unpack_run(own_, own_.runs[i], rows_, values + (own_.runs[i].offset_bytes - group.begin));
}

void RunReading::run() {
  batches_.read([this] { list(); }, [this](size_t slab, const std::byte *values) { take(groups_[slab], values); });
}

}  // namespace

void read_own_runs(const AskedFields &fields, RequestRows<UnpackRow> &rows) { RunReading(fields, rows).run(); }

}  // namespace sv
