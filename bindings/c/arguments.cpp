#include "arguments.hpp"

#include "device/device.hpp"

namespace sv::c {

Values values_of(int type, const void *data, const int64_t *memory_strides) {
  return {type_of(type), static_cast<std::byte *>(const_cast<void *>(data)), memory_strides, Device::of(data)};
}

Strided request_of(const File *of, int var, const int64_t *start, const int64_t *count, const int64_t *stride) {
  const int n = static_cast<int>(of->variable(var).dims.size());
  if (n > 0) require(start, "start");
  if (n > 0) require(count, "count");
  Strided request = Strided::dense({Index(n, 0), Index(n, 0)});
  for (int d = 0; d < n; ++d) {
    request.start[d] = start[d];
    request.count[d] = count[d];
    // The distance from a single cell to the next means nothing, however large it is.
    if (stride != nullptr) request.stride[d] = count[d] > 1 || stride[d] < 1 ? stride[d] : 1;
  }
  return request;
}

RequestArgs of_field(const sv_decomp *on, int64_t record, const Values &values) {
  RequestArgs asked;
  asked.kind = RequestArgs::Kind::distributed;
  asked.decomp = decomp(on);
  asked.record = record;
  asked.values = values;
  return asked;
}

RequestArgs of_whole(int64_t record, const Values &values) {
  RequestArgs asked;
  asked.kind = RequestArgs::Kind::replicated;
  asked.record = record;
  asked.values = values;
  return asked;
}

RequestArgs of_region(Strided region, const Values &values) {
  RequestArgs asked;
  asked.regions.push(region);
  asked.values = values;
  return asked;
}

RequestArgs of_regions(const File *of, int var, int n, const int64_t *const *starts, const int64_t *const *counts) {
  if (n < 0) throw Error(Status::invalid, std::to_string(n) + " regions", "Pass how many there are, or 0");
  const auto dims = static_cast<int>(of->variable(var).dims.size());
  if (n > 0) require(starts, "starts");
  if (n > 0) require(counts, "counts");
  for (int i = 0; dims > 0 && i < n; ++i) {
    require(starts[i], "start");
    require(counts[i], "count");
  }
  RequestArgs asked;
  asked.regions = RegionList::of(dims, n, starts, counts);
  return asked;
}

}  // namespace sv::c
