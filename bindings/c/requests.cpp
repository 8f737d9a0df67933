// sverdrup.h, combining: requests that wait. All of it is local but sv_wait.
#include "arguments.hpp"
#include "base/first_error.hpp"
#include "engine/alone.hpp"
#include "engine/combine.hpp"
#include "engine/file_parts.hpp"
#include "engine/recorded.hpp"
#include "transfer/alone.hpp"

using namespace sv;
using namespace sv::c;

namespace {

/// Runs a local call on a file; its errors name file, variable and rank.
template <class Action>
int locally(const sv_file *handle, int variable, Action &&action) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(const_cast<sv_file *>(handle));
    name_errors(*of, variable, [&] { action(*of); });
  });
}

/// A put or get that is to wait.
struct Posted {
  sv_file *file;
  int variable;
  sv_request *request;  // NULL: nowhere
  Direction direction = Direction::write;
  bool buffered = false;
};

/// `what`: from the file to the part of the variable that is meant.
template <class What>
int later(const Posted &posted, const sv_source &memory, What &&what) {
  if (posted.request != nullptr) *posted.request = SV_NO_REQUEST;
  return locally(posted.file, posted.variable, [&](File &of) {
    RequestArgs asked = what(&of);
    asked.direction = posted.direction;
    asked.variable = posted.variable;
    asked.values = values_of(memory);
    const int64_t number = of.engine->pending.add(of, asked, posted.buffered);
    if (posted.request != nullptr) *posted.request = number;
  });
}

struct RegionArgs {
  int variable, n;
  const int64_t *const *starts, *const *counts;
};

/// Several regions, whose values follow one another.
RequestArgs of_regions_in_a_row(const File *of, const RegionArgs &regions, const int64_t *memory_strides) {
  if (memory_strides != nullptr)
    throw Error(Status::invalid, "memory strides of several regions, whose values follow one another", "Pass NULL");
  return of_regions(of, regions.variable, regions.n, regions.starts, regions.counts);
}

/// The requests that a list means, without those that are none.
std::vector<int64_t> numbers_of(File &of, int n, const sv_request *requests) {
  if (n == SV_ALL) {
    if (requests != nullptr)
      throw Error(Status::invalid, "SV_ALL, and a list of requests", "Pass NULL, or how many the list has");
    return of.engine->pending.numbers();
  }
  if (n < 0) throw Error(Status::invalid, std::to_string(n) + " requests", "Pass how many there are, or SV_ALL");
  if (n > 0) require(requests, "requests");
  std::vector<int64_t> numbers;
  for (int i = 0; i < n; ++i)
    if (requests[i] != SV_NO_REQUEST) numbers.push_back(requests[i]);
  return numbers;
}

/// Returns the outcomes of the requests of a list, or (`n` SV_ALL) of `outcomes`.
void settle(int n, sv_request *requests, int *statuses, const std::vector<int> &outcomes) {
  const size_t size = n == SV_ALL ? outcomes.size() : static_cast<size_t>(n);
  for (size_t i = 0, at = 0; i < size; ++i) {
    const bool is_none = n != SV_ALL && requests[i] == SV_NO_REQUEST;
    if (statuses != nullptr) statuses[i] = is_none ? SV_OK : outcomes[at];
    if (!is_none) ++at;
    if (n != SV_ALL) requests[i] = SV_NO_REQUEST;
  }
}

int status_of(const std::optional<Error> &error) { return error ? static_cast<int>(error->status()) : SV_OK; }

}  // namespace

extern "C" {

int sv_iput(sv_file *handle, int var, const sv_decomp *on, int64_t record, sv_source values, sv_request *request) {
  return later({handle, var, request}, values, [&](File *) { return of_field(on, record); });
}

int sv_iput_var(sv_file *handle, int var, int64_t record, sv_source values, sv_request *request) {
  return later({handle, var, request}, values, [&](File *) { return of_whole(record); });
}

int sv_iput_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, sv_source values,
                 sv_request *request) {
  return sv_iput_vars(handle, var, start, count, nullptr, values, request);
}

int sv_iput_vars(sv_file *handle, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                 sv_source values, sv_request *request) {
  return later({handle, var, request}, values,
               [&](File *of) { return of_region(request_of(of, var, start, count, stride)); });
}

int sv_iput_varn(sv_file *handle, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                 sv_source values, sv_request *request) {
  return later({handle, var, request}, values, [&](File *of) {
    return of_regions_in_a_row(of, {var, n, starts, counts}, values.memory_strides);
  });
}

int sv_iget(sv_file *handle, int var, const sv_decomp *on, int64_t record, sv_target values, sv_request *request) {
  return later({handle, var, request, Direction::read}, source_of(values),
               [&](File *) { return of_field(on, record); });
}

int sv_iget_var(sv_file *handle, int var, int64_t record, sv_target values, sv_request *request) {
  return later({handle, var, request, Direction::read}, source_of(values), [&](File *) { return of_whole(record); });
}

int sv_iget_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, sv_target values,
                 sv_request *request) {
  return sv_iget_vars(handle, var, start, count, nullptr, values, request);
}

int sv_iget_vars(sv_file *handle, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                 sv_target values, sv_request *request) {
  return later({handle, var, request, Direction::read}, source_of(values),
               [&](File *of) { return of_region(request_of(of, var, start, count, stride)); });
}

int sv_iget_varn(sv_file *handle, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                 sv_target values, sv_request *request) {
  return later({handle, var, request, Direction::read}, source_of(values), [&](File *of) {
    return of_regions_in_a_row(of, {var, n, starts, counts}, values.memory_strides);
  });
}

int sv_bput(sv_file *handle, int var, const sv_decomp *on, int64_t record, sv_source values, sv_request *request) {
  return later({handle, var, request, Direction::write, true}, values, [&](File *) { return of_field(on, record); });
}

int sv_bput_var(sv_file *handle, int var, int64_t record, sv_source values, sv_request *request) {
  return later({handle, var, request, Direction::write, true}, values, [&](File *) { return of_whole(record); });
}

int sv_bput_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, sv_source values,
                 sv_request *request) {
  return sv_bput_vars(handle, var, start, count, nullptr, values, request);
}

int sv_bput_vars(sv_file *handle, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                 sv_source values, sv_request *request) {
  return later({handle, var, request, Direction::write, true}, values,
               [&](File *of) { return of_region(request_of(of, var, start, count, stride)); });
}

int sv_bput_varn(sv_file *handle, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                 sv_source values, sv_request *request) {
  return later({handle, var, request, Direction::write, true}, values, [&](File *of) {
    return of_regions_in_a_row(of, {var, n, starts, counts}, values.memory_strides);
  });
}

int sv_attach_buffer(sv_file *handle, int64_t bytes) {
  return locally(handle, SV_GLOBAL, [&](File &of) { of.engine->pending.attach_buffer(of, bytes); });
}

int sv_detach_buffer(sv_file *handle) {
  return locally(handle, SV_GLOBAL, [](File &of) { of.engine->pending.detach_buffer(of); });
}

int sv_inq_buffer(const sv_file *handle, int64_t *bytes, int64_t *used_bytes) {
  return locally(handle, SV_GLOBAL, [&](File &of) {
    if (bytes != nullptr) *bytes = of.engine->pending.buffer_bytes(of);
    if (used_bytes != nullptr) *used_bytes = of.engine->pending.used_bytes();
  });
}

int sv_inq_pending(const sv_file *handle, int *pending) {
  return locally(handle, SV_GLOBAL, [&](File &of) {
    require(pending, "pending");
    *pending = static_cast<int>(of.engine->pending.count());
  });
}

int sv_wait(sv_file *handle, int n, sv_request *requests, int *statuses) {
  std::vector<int64_t> numbers;
  std::vector<std::optional<Error>> outcomes;
  std::vector<int> codes;
  bool listed = false;
  const int status = guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    require_recorded(*of);
    checked(of, SV_GLOBAL, "sv_wait", [&] {
      numbers = numbers_of(*of, n, requests);
      codes.resize(numbers.size());
    });
    listed = true;
    wait_for(*of, numbers, outcomes);
  });
  if (!listed) return status;
  // Without outcomes the wait as a whole has failed.
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = i < outcomes.size() ? status_of(outcomes[i]) : status;
  settle(n, requests, statuses, codes);
  return status;
}

int sv_begin_indep(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    begin_indep(*file(handle));
  });
}

int sv_end_indep(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    end_indep(*file(handle));
  });
}

int sv_wait_indep(sv_file *handle, int n, sv_request *requests, int *statuses) {
  return locally(handle, SV_GLOBAL, [&](File &of) {
    std::vector<std::optional<Error>> outcomes;
    std::vector<int> codes;
    wait_indep(of, numbers_of(of, n, requests), outcomes);
    for (const auto &each : outcomes) codes.push_back(status_of(each));
    settle(n, requests, statuses, codes);
    for (const auto &each : outcomes)
      if (each) throw *each;
  });
}

int sv_cancel(sv_file *handle, int n, sv_request *requests, int *statuses) {
  return locally(handle, SV_GLOBAL, [&](File &of) {
    FirstError first;
    std::vector<int> codes;
    for (const int64_t number : numbers_of(of, n, requests)) {
      const auto error = caught(of.context().rank(), [&] { of.engine->pending.cancel(of, number); });
      codes.push_back(status_of(error));
      first.note(error);
    }
    settle(n, requests, statuses, codes);
    first.check();
  });
}
}
