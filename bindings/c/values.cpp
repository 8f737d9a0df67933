// sverdrup.h: writing and reading values.
#include "engine/commit.hpp"
#include "engine/read.hpp"
#include "engine/write.hpp"
#include "handles.hpp"

using namespace sv;
using namespace sv::c;

namespace {

// The engine takes one kind of values for both directions; writing never changes them.
Values values_of(const char *call, sv_file *handle, int type, const void *data, const int64_t *stride) {
  const Type known = checked(file(handle)->context(), call, [type] { return type_of(type); });
  return {known, static_cast<std::byte *>(const_cast<void *>(data)), stride};
}

Box parse_box(const File &of, int var, const int64_t *start, const int64_t *count) {
  const int n = static_cast<int>(of.variable(var).dims.size());
  if (n > 0) require(start, "start");
  if (n > 0) require(count, "count");
  Box box{Index(n, 0), Index(n, 0)};
  for (int d = 0; d < n; ++d) {
    box.start[d] = start[d];
    box.count[d] = count[d];
  }
  return box;
}

Box box_of(const char *call, sv_file *handle, int var, const int64_t *start, const int64_t *count) {
  return checked(file(handle)->context(), call, [&] { return parse_box(*file(handle), var, start, count); });
}

}  // namespace

extern "C" {

int sv_sync(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    PhaseTimer timer(file(handle)->context().metrics(), Phase::write);
    commit(file(handle)->context(), {file(handle)}, "sv_sync");
  });
}

int sv_put(sv_file *handle, int var, const sv_decomp *on, int64_t record, int type, const void *data,
           const int64_t *stride) {
  return guarded([&] {
    require(handle, "file");
    put(*file(handle), var, decomp(on), record, values_of("sv_put", handle, type, data, stride));
  });
}

int sv_put_var(sv_file *handle, int var, int64_t record, int type, const void *data, const int64_t *stride) {
  return guarded([&] {
    require(handle, "file");
    put_replicated(*file(handle), var, record, values_of("sv_put_var", handle, type, data, stride));
  });
}

int sv_put_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                const int64_t *stride) {
  return guarded([&] {
    require(handle, "file");
    put_subarray(*file(handle), var, box_of("sv_put_vara", handle, var, start, count),
                 values_of("sv_put_vara", handle, type, data, stride));
  });
}

int sv_get(sv_file *handle, int var, const sv_decomp *on, int64_t record, int type, void *data, const int64_t *stride) {
  return guarded([&] {
    require(handle, "file");
    get(*file(handle), var, decomp(on), record, values_of("sv_get", handle, type, data, stride));
  });
}

int sv_get_var(sv_file *handle, int var, int64_t record, int type, void *data, const int64_t *stride) {
  return guarded([&] {
    require(handle, "file");
    get_replicated(*file(handle), var, record, values_of("sv_get_var", handle, type, data, stride));
  });
}

int sv_get_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, int type, void *data,
                const int64_t *stride) {
  return guarded([&] {
    require(handle, "file");
    get_subarray(*file(handle), var, box_of("sv_get_vara", handle, var, start, count),
                 values_of("sv_get_vara", handle, type, data, stride));
  });
}
}
