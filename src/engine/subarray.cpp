#include "engine/subarray.hpp"

#include <algorithm>

#include "engine/combine.hpp"
#include "engine/conversion.hpp"
#include "engine/write.hpp"

namespace sv {

void check_subarray(const File &file, int variable, const Strided &request, bool may_grow) {
  const Variable &each = file.variable(variable);
  for (int d = 0; d < request.dims(); ++d) {
    const Dimension &dim = file.schema().dims[static_cast<size_t>(each.dims[static_cast<size_t>(d)])];
    const int64_t start = request.start[d], count = request.count[d], stride = request.stride[d];
    const auto refuse = [&](const std::string &more) {
      return Error(Status::invalid,
                   "a sub-array from " + std::to_string(start) + " of " + std::to_string(count) +
                       (stride == 1 ? "" : " every " + std::to_string(stride)) + " along '" + dim.name + "'" + more,
                   stride < 1 ? "Strides are 1 or more" : "Starts count from 0 (in Fortran: 1)")
          .in_variable(each.name)
          .in_file(file.path());
    };
    if (start < 0 || count < 0 || stride < 1) throw refuse("");
    const int64_t last = dim.is_record && may_grow ? file.most_records() : file.pending_records();
    const int64_t length = dim.is_record ? last : dim.length;
    if (count > 0 && (start >= length || count - 1 > (length - 1 - start) / stride))
      throw refuse(", which has " + std::to_string(length));
  }
}

MemoryView record_view(const Strided &request, const Values &values, int64_t record) {
  MemoryView view = array_view(request.count, values);
  if (record < 0) return view;
  // A rank may have nothing in this record, or nothing at all: then nothing is looked at.
  const int64_t index = request.empty() ? -1 : request.find(0, record);
  if (view.first != nullptr && index >= 0) view.first += index * view.stride_bytes[0];
  for (int d = 1; d < request.dims(); ++d) view.stride_bytes[d - 1] = view.stride_bytes[d];
  --view.stride_bytes.n;
  return view;
}

std::vector<Strided> gather_requests(const Context &context, const Strided &mine) {
  std::vector<int64_t> numbers;
  for (int d = 0; d < mine.dims(); ++d)
    for (const Index *part : {&mine.start, &mine.count, &mine.stride}) numbers.push_back((*part)[d]);
  const std::vector<int64_t> all = context.comm().all_gather<int64_t>(numbers);
  std::vector<Strided> requests(static_cast<size_t>(context.comm().size()), mine);
  size_t at = 0;
  for (Strided &each : requests)
    for (int d = 0; d < mine.dims(); ++d)
      for (Index *part : {&each.start, &each.count, &each.stride}) (*part)[d] = all[at++];
  return requests;
}

int64_t parts_at_once(const std::vector<Strided> &requests) {
  constexpr int64_t most_patches = 1 << 15;  // of a layout, of all ranks
  return std::max<int64_t>(1, most_patches / static_cast<int64_t>(requests.size()));
}

namespace {

struct SubarrayJob {
  File &file;
  int variable;
  std::vector<Strided> requests;  // of all ranks
  PackRow row;
};

/// Parts of one record (or of a variable without records) of the sub-arrays. `block`: this rank's part.
void put_parts(const SubarrayJob &job, int64_t record, const PartRange &parts, const MemoryView &block) {
  File &file = job.file;
  FieldJob field{file, job.variable, record, nullptr, 0, {}};
  std::optional<Plan> plan;
  const auto error = caught(file.context().rank(), [&] {
    field.layout = layout_of(job.requests, file.field(job.variable, record).shape, record, parts);
    field.route = file.route_of_ranges();
    plan = plan_of(field);
  });
  file.context().agree("the sub-arrays of " + file.name_of(job.variable), file.located(job.variable, error));
  write_field(field, *plan, pieces_of_block(plan->field, block, job.row));
}

void put_record(const SubarrayJob &job, int64_t record, const MemoryView &block) {
  const int64_t parts = most_parts(job.requests, record);
  const int64_t step = parts_at_once(job.requests);
  for (int64_t first = 0; first < parts; first += step) put_parts(job, record, {first, first + step}, block);
}

/// Whether they are better combined: records of a file whose places we know, of cells that follow one another.
bool are_many_fields(const File &file, int variable, const std::vector<Strided> &requests) {
  if (!file.variable(variable).has_records || !file.has_places()) return false;
  const bool dense = std::all_of(requests.begin(), requests.end(), [](const Strided &each) {
    return std::all_of(each.stride.v.begin() + 1, each.stride.v.begin() + each.stride.n,
                       [](int64_t stride) { return stride == 1; });
  });
  const int64_t first = next_record(requests, 0);
  return dense && first >= 0 && next_record(requests, first + 1) >= 0;
}

}  // namespace

void put_subarray(File &file, int variable, const Strided &request, const Values &values) {
  const Asked asked{.variable = variable, .regions = {request}, .values = &values};
  if (record_put(file, "sv_put_vara", asked)) return;
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::write, file.subject(variable));
  PackRow row;
  auto error = caught(context.rank(), [&] {
    file.check_writable();
    check_subarray(file, variable, request, true);
    if (values.data == nullptr && !request.empty())
      throw Error(Status::invalid, "no data (a null pointer) for a sub-array that is not empty", "Pass the values");
    row = pack_row(file, variable, values.type);
    check_fits(file, variable, {Box::whole(request.count), array_view(request.count, values)}, row);
  });
  context.agree(call_text("sv_put_vara", file, variable, -1), file.located(variable, error));

  const SubarrayJob job{file, variable, gather_requests(context, request), row};
  const bool allowed = file.settings().overlap == Overlap::allow;
  bool meet = false;
  error = caught(context.rank(), [&] {
    const auto common = find_common_cell(job.requests, context.rank());
    meet = common.has_value();
    if (meet && !allowed)
      throw Error(Status::layout, *common, "Put each cell once, or set 'overlap' to allow: then the higher rank wins");
  });
  const Agreed anywhere =
      context.agree("who puts what of " + file.name_of(variable), file.located(variable, error), {meet ? 1 : 0});
  if (anywhere[0] != 0 || are_many_fields(file, variable, job.requests))
    return carry_out(file, "sv_put_vara", std::span(&asked, 1));
  if (!file.variable(variable).has_records) return put_record(job, -1, record_view(request, values, -1));
  for (int64_t record = next_record(job.requests, 0); record >= 0; record = next_record(job.requests, record + 1))
    put_record(job, record, record_view(request, values, record));
}

}  // namespace sv
