// sverdrup/string_values.h: variables of strings.
#include "sverdrup/string_values.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "base/arithmetic.hpp"
#include "engine/strings.hpp"
#include "handles.hpp"
#include "string_arrays.hpp"

using namespace sv;
using namespace sv::c;

namespace {

/// Cells of a variable, by start and count or by record.
using Cells = std::function<Box(const File &)>;

Cells part_of(int var, const int64_t *start, const int64_t *count) {
  return [=](const File &of) {
    const Strided request = request_of(&of, var, start, count, nullptr);
    return Box{request.start, request.count};
  };
}

Cells record_of(int var, int64_t record) {
  return [=](const File &of) { return cells_of_record(of, var, record); };
}

int64_t strings_in(const Box &cells) {
  int64_t strings = 1;
  for (int d = 0; d < cells.dims(); ++d)
    if (cells.count[d] <= 0 || !multiply_into(strings, cells.count[d])) return 0;  // a wrong count is refused later
  return strings;
}

std::vector<std::string> strings_at(const char *const *values, int64_t count) {
  if (count > 0) require(values, "values");
  std::vector<std::string> strings;
  for (int64_t i = 0; i < count; ++i) {
    require(values[i], "values");
    strings.emplace_back(values[i]);
  }
  return strings;
}

int put(const char *call, sv_file *handle, int var, const Cells &cells_of, const char *const *values,
        StringSource source) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    std::vector<std::string> strings;
    const Box cells = checked(of, var, call, [&] {
      const Box found = cells_of(*of);
      strings = strings_at(values, strings_in(found));
      return found;
    });
    put_strings(*of, var, {cells, source}, strings);
  });
}

int get(const char *call, sv_file *handle, int var, const Cells &cells_of, char **values) {
  return guarded([&] {
    require(handle, "file");
    File *const of = file(handle);
    const Box cells = checked(of, var, call, [&] {
      const Box found = cells_of(*of);
      if (strings_in(found) > 0) require(values, "values");
      return found;
    });
    give_strings(values, get_strings(*of, var, cells));
  });
}

}  // namespace

extern "C" {

int sv_put_vara_string(sv_file *handle, int var, const int64_t *start, const int64_t *count,
                       const char *const *values) {
  return put("sv_put_vara_string", handle, var, part_of(var, start, count), values, StringSource::each_rank);
}

int sv_put_var_string(sv_file *handle, int var, int64_t record, const char *const *values) {
  return put("sv_put_var_string", handle, var, record_of(var, record), values, StringSource::first_rank);
}

int sv_get_vara_string(sv_file *handle, int var, const int64_t *start, const int64_t *count, char **values) {
  return get("sv_get_vara_string", handle, var, part_of(var, start, count), values);
}

int sv_get_var_string(sv_file *handle, int var, int64_t record, char **values) {
  return get("sv_get_var_string", handle, var, record_of(var, record), values);
}
}
