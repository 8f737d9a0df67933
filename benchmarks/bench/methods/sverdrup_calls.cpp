#include "methods/sverdrup_calls.hpp"

#include "methods/sverdrup_context.hpp"

namespace sv_bench {

namespace {

// A decomposition knows its guard cells; of a sub-array the first value is named.
int64_t place_of(const SverdrupFile &f, const Access &access) {
  return f.grid_of(access) == nullptr ? access.place : access.array_place(f.workload.variable(access).type.bytes);
}

const std::byte *values_of(const SverdrupFile &f, const Access &access) {
  if (f.from == nullptr) return nullptr;
  return f.workload.points ? f.workload.points->data(access.variable) : f.from + place_of(f, access);
}

}  // namespace

std::vector<int64_t> strides_of(const Workload &workload, const Access &access) {
  if (!access.frame) return {};
  return access.memory_steps(workload.variable(access).type.bytes);
}

RegionPointers::RegionPointers(const Access &access) {
  for (const Region &region : access.regions) {
    starts.push_back(region.start.data());
    counts.push_back(region.count.data());
  }
}

int64_t record_of(const Workload &workload, const Access &access) {
  return workload.schema.is_record(workload.variable(access)) ? access.regions.front().start[0] : SV_NO_RECORD;
}

void transfer(const SverdrupFile &f, const Access &access) {
  const int var = access.variable, type = f.workload.variable(access).type.number;
  const auto n = static_cast<int>(access.regions.size());
  const bool puts = f.from != nullptr;
  const std::byte *from = values_of(f, access);
  std::byte *to = puts ? nullptr : f.to + place_of(f, access);
  if (f.workload.variable(access).dims.empty()) {
    if (puts) check_sverdrup(sv_put_var(f.file, var, SV_NO_RECORD, type, from, nullptr), "sv_put_var");
    if (!puts) check_sverdrup(sv_get_var(f.file, var, SV_NO_RECORD, type, to, nullptr), "sv_get_var");
    return;
  }
  if (const sv_decomp *grid = f.grid_of(access)) {
    const int64_t record = record_of(f.workload, access);
    if (puts) check_sverdrup(sv_put(f.file, var, grid, record, type, from, nullptr), "sv_put");
    if (!puts) check_sverdrup(sv_get(f.file, var, grid, record, type, to, nullptr), "sv_get");
    return;
  }
  const RegionPointers at(access);
  if (n == 1) {
    const std::vector<int64_t> strides = strides_of(f.workload, access);
    const int64_t *start = at.starts[0], *count = at.counts[0];
    const int64_t *const apart = pointer(access.regions.front().apart);
    if (apart != nullptr) {
      if (puts) throw std::runtime_error("cells that stand apart are only read");
      check_sverdrup(sv_get_vars(f.file, var, start, count, apart, {type, to, pointer(strides)}), "sv_get_vars");
      return;
    }
    if (puts) check_sverdrup(sv_put_vara(f.file, var, start, count, type, from, pointer(strides)), "sv_put_vara");
    if (!puts) check_sverdrup(sv_get_vara(f.file, var, start, count, type, to, pointer(strides)), "sv_get_vara");
    return;
  }
  if (puts)
    check_sverdrup(sv_put_varn(f.file, var, n, at.starts.data(), at.counts.data(), type, from), "sv_put_varn");
  else
    check_sverdrup(sv_get_varn(f.file, var, n, at.starts.data(), at.counts.data(), type, to), "sv_get_varn");
}

void record(const SverdrupFile &f, const Access &access) {
  const int var = access.variable, type = f.workload.variable(access).type.number;
  const auto n = static_cast<int>(access.regions.size());
  const bool puts = f.from != nullptr;
  const std::byte *from = values_of(f, access);
  std::byte *to = puts ? nullptr : f.to + place_of(f, access);
  if (f.workload.variable(access).dims.empty()) {
    if (puts) check_sverdrup(sv_iput_var(f.file, var, SV_NO_RECORD, {type, from, nullptr}, nullptr), "sv_iput_var");
    if (!puts) check_sverdrup(sv_iget_var(f.file, var, SV_NO_RECORD, {type, to, nullptr}, nullptr), "sv_iget_var");
    return;
  }
  if (const sv_decomp *grid = f.grid_of(access)) {
    const int64_t record = record_of(f.workload, access);
    if (puts) check_sverdrup(sv_iput(f.file, var, grid, record, {type, from, nullptr}, nullptr), "sv_iput");
    if (!puts) check_sverdrup(sv_iget(f.file, var, grid, record, {type, to, nullptr}, nullptr), "sv_iget");
    return;
  }
  const RegionPointers at(access);
  if (n == 1) {
    const std::vector<int64_t> strides = strides_of(f.workload, access);
    const int64_t *start = at.starts[0], *count = at.counts[0], *apart = pointer(strides);
    if (puts) check_sverdrup(sv_iput_vara(f.file, var, start, count, {type, from, apart}, nullptr), "sv_iput_vara");
    if (!puts) check_sverdrup(sv_iget_vara(f.file, var, start, count, {type, to, apart}, nullptr), "sv_iget_vara");
    return;
  }
  if (puts)
    check_sverdrup(sv_iput_varn(f.file, var, n, at.starts.data(), at.counts.data(), {type, from, nullptr}, nullptr),
                   "sv_iput_varn");
  else
    check_sverdrup(sv_iget_varn(f.file, var, n, at.starts.data(), at.counts.data(), {type, to, nullptr}, nullptr),
                   "sv_iget_varn");
}

void wait(const SverdrupFile &f) { check_sverdrup(sv_wait(f.file, SV_ALL, nullptr, nullptr), "sv_wait"); }

void transfer_together(const SverdrupFile &f) {
  std::vector<int> variables;
  std::vector<const int64_t *> starts, counts;
  std::vector<sv_source> from;
  std::vector<sv_target> to;
  std::vector<std::vector<int64_t>> distances;
  for (const Access &access : f.workload.accesses()) distances.push_back(strides_of(f.workload, access));
  for (const Access &access : f.workload.accesses()) {
    const Region &region = access.regions.front();
    variables.push_back(access.variable);
    const int type = f.workload.variable(access).type.number;
    const int64_t *const strides = pointer(distances[variables.size() - 1]);
    starts.push_back(region.start.data());
    counts.push_back(region.count.data());
    if (f.from != nullptr) from.push_back({type, f.from + access.place, strides});
    if (f.to != nullptr) to.push_back({type, f.to + access.place, strides});
  }
  const auto n = static_cast<int>(variables.size());
  if (f.from != nullptr)
    check_sverdrup(sv_mput_vara(f.file, n, variables.data(), starts.data(), counts.data(), from.data()),
                   "sv_mput_vara");
  else
    check_sverdrup(sv_mget_vara(f.file, n, variables.data(), starts.data(), counts.data(), to.data()), "sv_mget_vara");
}

}  // namespace sv_bench
