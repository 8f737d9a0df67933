// sverdrup.h: writing and reading values.
#include "engine/values.hpp"
#include "arguments.hpp"
#include "engine/commit.hpp"
#include "engine/filling.hpp"
#include "engine/recorded.hpp"
#include "file/file_trace.hpp"

using namespace sv;
using namespace sv::c;

namespace {

/// The values of a put that may be recorded, and then passes no gate.
template <class Parse>
Values put_values(File *of, const char *call, const RequestArgs &asked, Parse &&parse) {
  Values values{};
  const auto problem = caught(of->context().rank(), [&] { values = parse(); });
  if (problem) refuse_put(*of, call, asked, *problem);
  return values;
}

/// What a call parses before which recorded puts are carried out.
template <class Parse>
auto checked_after_puts(File *of, int variable, const char *call, Parse &&parse) {
  require_recorded(*of);
  return checked(of, variable, call, parse);
}

/// The arguments of a sub-array, as the program passed them.
struct Part {
  const int64_t *start, *count, *stride;
};

/// `call`: the function that the program called, which errors in its arguments name. `move`: put_subarray, or
/// get_subarray, before which recorded puts are carried out.
int move_part(const char *call, sv_file *handle, int var, const Part &part, const sv_source &memory,
              void (*move)(File &, int, const Strided &, const Values &)) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    if (move == get_subarray) require_recorded(*of);
    const Strided request =
        checked(of, var, call, [&] { return request_of(of, var, part.start, part.count, part.stride); });
    const Values values = checked(of, var, call, [&] { return values_of(memory); });
    move(*of, var, request, values);
  });
}

}  // namespace

extern "C" {

int sv_sync(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    PhaseTimer timer(file(handle)->context().metrics, Phase::write);
    sync(*file(handle));
  });
}

int sv_fill_var(sv_file *handle, int var, int64_t record) {
  return guarded([&] {
    require(handle, "file");
    PhaseTimer timer(file(handle)->context().metrics, Phase::write, subject_of(*file(handle), var));
    fill_whole(*file(handle), var, record);
  });
}

int sv_put(sv_file *handle, int var, const sv_decomp *on, int64_t record, int type, const void *data,
           const int64_t *memory_strides) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    RequestArgs asked = of_field(on, record);
    asked.variable = var;
    const Values values = put_values(of, "sv_put", asked, [&] { return values_of(type, data, memory_strides); });
    put(*of, var, decomp(on), record, values);
  });
}

int sv_put_var(sv_file *handle, int var, int64_t record, int type, const void *data, const int64_t *memory_strides) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    RequestArgs asked = of_whole(record);
    asked.variable = var;
    const Values values = put_values(of, "sv_put_var", asked, [&] { return values_of(type, data, memory_strides); });
    put_replicated(*of, var, record, values);
  });
}

int sv_put_vars(sv_file *handle, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                sv_source values) {
  return move_part("sv_put_vars", handle, var, {start, count, stride}, values, put_subarray);
}

int sv_put_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                const int64_t *memory_strides) {
  return move_part("sv_put_vara", handle, var, {start, count, nullptr}, {type, data, memory_strides}, put_subarray);
}

int sv_copy_var(sv_file *from, int from_var, int64_t from_record, sv_file *to, int to_var, int64_t to_record) {
  return guarded([&] {
    require(from, "from");
    require(to, "to");
    require_recorded(*file(from));
    require_recorded(*file(to));
    const CopiedSlab slab{from_var, from_record, to_var, to_record};
    copy(*file(from), *file(to), "sv_copy_var", std::span(&slab, 1));
  });
}

int sv_get(sv_file *handle, int var, const sv_decomp *on, int64_t record, int type, void *data,
           const int64_t *memory_strides) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    const Values values = checked_after_puts(of, var, "sv_get", [&] { return values_of(type, data, memory_strides); });
    get(*of, var, decomp(on), record, values);
  });
}

int sv_get_var(sv_file *handle, int var, int64_t record, int type, void *data, const int64_t *memory_strides) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    const Values values =
        checked_after_puts(of, var, "sv_get_var", [&] { return values_of(type, data, memory_strides); });
    get_replicated(*of, var, record, values);
  });
}

int sv_get_vars(sv_file *handle, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                sv_target values) {
  return move_part("sv_get_vars", handle, var, {start, count, stride}, source_of(values), get_subarray);
}

int sv_get_vara(sv_file *handle, int var, const int64_t *start, const int64_t *count, int type, void *data,
                const int64_t *memory_strides) {
  return move_part("sv_get_vara", handle, var, {start, count, nullptr}, {type, data, memory_strides}, get_subarray);
}
}
