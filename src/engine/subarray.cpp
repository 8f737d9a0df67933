#include "engine/subarray.hpp"

#include <algorithm>

#include "engine/write.hpp"

namespace sv {

void check_subarray(const File &file, int variable, const Box &request, bool may_grow) {
  const Variable &each = file.variable(variable);
  const auto refuse = [&](const std::string &cause) {
    return Error(Status::invalid, cause, "Starts count from 0 (in Fortran: 1)")
        .in_variable(each.name)
        .in_file(file.path());
  };
  for (int d = 0; d < request.dims(); ++d) {
    const Dimension &dim = file.schema().dims[static_cast<size_t>(each.dims[static_cast<size_t>(d)])];
    const int64_t start = request.start[d], count = request.count[d];
    if (start < 0 || count < 0)
      throw refuse("a sub-array from " + std::to_string(start) + " of " + std::to_string(count) + " along '" +
                   dim.name + "'");
    const int64_t last = dim.is_record && may_grow ? file.most_records() : file.pending_records();
    const int64_t length = dim.is_record ? last : dim.length;
    if (count > 0 && (count > length || start > length - count))
      throw refuse("a sub-array from " + std::to_string(start) + " of " + std::to_string(count) + " along '" +
                   dim.name + "', which has " + std::to_string(length));
  }
}

std::vector<Box> gather_boxes(const Context &context, const Box &mine) {
  std::vector<int64_t> numbers;
  for (int d = 0; d < mine.dims(); ++d) {
    numbers.push_back(mine.start[d]);
    numbers.push_back(mine.count[d]);
  }
  const std::vector<int64_t> all = context.comm().all_gather<int64_t>(numbers);
  std::vector<Box> boxes(static_cast<size_t>(context.comm().size()), mine);
  size_t at = 0;
  for (Box &box : boxes)
    for (int d = 0; d < mine.dims(); ++d) {
      box.start[d] = all[at++];
      box.count[d] = all[at++];
    }
  return boxes;
}

std::vector<Segment> records_of(const std::vector<Box> &boxes) {
  std::vector<Segment> ranges, joined;
  for (const Box &box : boxes)
    if (!box.empty()) ranges.push_back({box.start[0], box.start[0] + box.count[0]});
  std::sort(ranges.begin(), ranges.end(), [](const Segment &a, const Segment &b) { return a.first < b.first; });
  for (const Segment &range : ranges) {
    if (!joined.empty() && range.first <= joined.back().last)
      joined.back().last = std::max(joined.back().last, range.last);
    else
      joined.push_back(range);
  }
  return joined;
}

Box without_record(const Box &box) {
  Box rest{Index(box.dims() - 1, 0), Index(box.dims() - 1, 0)};
  for (int d = 1; d < box.dims(); ++d) {
    rest.start[d - 1] = box.start[d];
    rest.count[d - 1] = box.count[d];
  }
  return rest;
}

std::shared_ptr<const Layout> layout_of(const std::vector<Box> &boxes, const Index &shape, int64_t record) {
  std::vector<Patch> patches;
  for (int rank = 0; rank < static_cast<int>(boxes.size()); ++rank) {
    const Box &box = boxes[static_cast<size_t>(rank)];
    if (box.empty() || (record >= 0 && (record < box.start[0] || record >= box.start[0] + box.count[0]))) continue;
    patches.push_back({rank, record >= 0 ? without_record(box) : box, Index(shape.n, 0)});
  }
  return std::make_shared<const Layout>(shape, static_cast<int>(boxes.size()), std::move(patches), true);
}

MemoryView record_view(const Box &request, const Values &values, int64_t record) {
  MemoryView view = array_view(request.count, values);
  if (record < 0) return view;
  // A rank may have nothing in this record, or nothing at all: then nothing is looked at.
  if (view.first != nullptr) view.first += (record - request.start[0]) * view.stride_bytes[0];
  for (int d = 1; d < request.dims(); ++d) view.stride_bytes[d - 1] = view.stride_bytes[d];
  --view.stride_bytes.n;
  return view;
}

namespace {

struct SubarrayJob {
  File &file;
  int variable;
  std::vector<Box> boxes;  // of all ranks
  PackRow row;
};

/// One record (or all of a variable without records) of the sub-arrays. `block`: this rank's part.
void put_record(const SubarrayJob &job, int64_t record, const MemoryView &block) {
  File &file = job.file;
  const int rank = file.context().rank();
  FieldJob field{file, job.variable, record, nullptr, 0, {}};
  std::optional<Plan> plan;
  const auto error = caught(rank, [&] {
    field.layout = layout_of(job.boxes, file.field(job.variable, record).shape, record);
    field.route = file.route_of_ranges();
    if (const auto overlap = find_overlap(*field.layout, rank))
      throw Error(Status::layout, *overlap, "The sub-arrays of one call must not overlap");
    plan = plan_of(field);
  });
  file.context().agree("the sub-arrays of " + file.name_of(job.variable), file.located(job.variable, error));
  write_field(field, *plan, block, job.row);
}

}  // namespace

void put_subarray(File &file, int variable, const Box &request, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::write);
  PackRow row = nullptr;
  auto error = caught(context.rank(), [&] {
    file.check_writable();
    check_subarray(file, variable, request, true);
    if (values.data == nullptr && !request.empty())
      throw Error(Status::invalid, "no data (a null pointer) for a sub-array that is not empty", "Pass the values");
    row = pack_row(values.type, file.variable(variable).type, ByteOrder::big);
  });
  context.agree(call_text("sv_put_vara", file, variable, -1), file.located(variable, error));

  const SubarrayJob job{file, variable, gather_boxes(context, request), row};
  if (!file.variable(variable).has_records) return put_record(job, -1, record_view(request, values, -1));
  for (const Segment &range : records_of(job.boxes))
    for (int64_t record = range.first; record < range.last; ++record)
      put_record(job, record, record_view(request, values, record));
}

}  // namespace sv
