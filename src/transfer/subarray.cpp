#include "transfer/subarray.hpp"

#include <algorithm>

#include "transfer/field_job.hpp"

namespace sv {

void check_subarray(const File &file, int variable, const Strided &request, bool may_grow) {
  const Variable &each = file.variable(variable);
  for (int d = 0; d < request.dims(); ++d) {
    const int id = each.dims[static_cast<size_t>(d)];
    const Dimension &dim = file.schema().dims[static_cast<size_t>(id)];
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
    const int64_t length = file.length_of(id, may_grow);
    if (count > 0 && (start >= length || count - 1 > (length - 1 - start) / stride))
      throw refuse(", which has " + std::to_string(length));
  }
}

void check_regions(const File &file, int variable, const RegionList &regions, bool may_grow) {
  if (!regions.are_cells() || !regions.strides().empty()) {
    for (const Strided &each : regions) check_subarray(file, variable, each, may_grow);
    return;
  }
  const Variable &of = file.variable(variable);
  const auto dims = static_cast<size_t>(regions.dims());
  Index lengths;
  for (const int dim : of.dims) lengths.push(file.length_of(dim, may_grow));
  const std::span<const int64_t> starts = regions.starts();
  for (size_t at = 0; at < starts.size(); at += dims)
    for (size_t d = 0; d < dims; ++d)
      if (starts[at + d] < 0 || starts[at + d] >= lengths[static_cast<int>(d)])
        return check_subarray(file, variable, regions.at(static_cast<int64_t>(at / dims)), may_grow);
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

}  // namespace sv
