// Puts and gets, one at a time. The Python side has compared the shape of the array with the expected one.
#include <nanobind/ndarray.h>

#include "handles.hpp"

namespace sv::python {

namespace {

/// sv_put and sv_get.
template <auto call, bool writable>
void field(Handle file, int var, Handle decomp, int64_t record, int type, const nb::object &array) {
  const Memory memory(array, writable);
  collective(file, [&] {
    return call(as<sv_file>(file), var, as<sv_decomp>(decomp), record, type, memory.data(), memory.stride());
  });
}

/// sv_put_var and sv_get_var.
template <auto call, bool writable>
void whole(Handle file, int var, int64_t record, int type, const nb::object &array) {
  const Memory memory(array, writable);
  collective(file, [&] { return call(as<sv_file>(file), var, record, type, memory.data(), memory.stride()); });
}

/// sv_put_vars and sv_get_vars; without `stride`, sv_put_vara and sv_get_vara.
template <auto call, bool writable>
void part(Handle file, int var, const Numbers &start, const Numbers &count, const std::optional<Numbers> &stride,
          int type, const nb::object &array) {
  const Memory memory(array, writable);
  collective(file, [&] {
    return call(as<sv_file>(file), var, start.data(), count.data(), stride ? stride->data() : nullptr,
                {type, memory.data(), memory.stride()});
  });
}

/// sv_put_varn and sv_get_varn: the array is contiguous.
template <auto call, bool writable>
void regions(Handle file, int var, const std::vector<Numbers> &starts, const std::vector<Numbers> &counts, int type,
             const nb::object &array) {
  const Memory memory(array, writable);
  const std::vector<const int64_t *> from = pointers(starts), size = pointers(counts);
  collective(file, [&] {
    return call(as<sv_file>(file), var, static_cast<int>(from.size()), from.data(), size.data(), type, memory.data());
  });
}

/// As C takes them; NULL of none, which C refuses where the variable has cells. Needs the interpreter's lock.
std::vector<const char *> texts_of(const std::vector<Text> &strings) {
  std::vector<const char *> texts;
  for (const Text &each : strings) texts.push_back(each.c("a string"));
  return texts;
}

const char *const *given(const std::vector<const char *> &texts) { return texts.empty() ? nullptr : texts.data(); }

void put_var_string(Handle file, int var, int64_t record, const std::vector<Text> &strings) {
  const std::vector<const char *> texts = texts_of(strings);
  collective(file, [&] { return sv_put_var_string(as<sv_file>(file), var, record, given(texts)); });
}

void put_vara_string(Handle file, int var, const Numbers &start, const Numbers &count,
                     const std::vector<Text> &strings) {
  const std::vector<const char *> texts = texts_of(strings);
  collective(file,
             [&] { return sv_put_vara_string(as<sv_file>(file), var, start.data(), count.data(), given(texts)); });
}

/// `cells`: of the part; C refuses it where there are none and the variable has some.
template <class Call>
std::vector<Text> taken(Handle file, int64_t cells, const Call &call) {
  std::vector<char *> strings(static_cast<size_t>(cells));
  collective(file, [&] { return call(cells > 0 ? strings.data() : nullptr); });
  std::vector<Text> all;
  for (const char *each : strings) all.push_back({each});
  sv_free_string(cells, strings.data());
  return all;
}

std::vector<Text> get_var_string(Handle file, int var, int64_t record, int64_t cells) {
  return taken(file, cells, [&](char **to) { return sv_get_var_string(as<sv_file>(file), var, record, to); });
}

std::vector<Text> get_vara_string(Handle file, int var, const Numbers &start, const Numbers &count) {
  int64_t cells = 1;
  for (const int64_t each : count) cells *= each;
  return taken(file, cells,
               [&](char **to) { return sv_get_vara_string(as<sv_file>(file), var, start.data(), count.data(), to); });
}

void copy_var(Handle from, int from_var, int64_t from_record, Handle to, int to_var, int64_t to_record) {
  between(from, to, true,
          [&] { return sv_copy_var(as<sv_file>(from), from_var, from_record, as<sv_file>(to), to_var, to_record); });
}

/// Whether the library copies this memory itself.
bool is_on_device(uintptr_t address) {
  int on_device = 0;
  check(sv_inq_memory(reinterpret_cast<const void *>(address), &on_device));
  return on_device != 0;
}

/// The address, shape, strides in bytes and type (as NumPy has it) of an array.
std::tuple<uintptr_t, Numbers, Numbers, std::string> of_dlpack(const nb::ndarray<nb::ro> &array) {
  constexpr int bits_of_byte = 8;
  const nb::dlpack::dtype type = array.dtype();
  const int64_t bytes = type.bits / bits_of_byte;
  const auto code = static_cast<nb::dlpack::dtype_code>(type.code);
  const char kind = code == nb::dlpack::dtype_code::Int     ? 'i'
                    : code == nb::dlpack::dtype_code::UInt  ? 'u'
                    : code == nb::dlpack::dtype_code::Float ? 'f'
                                                            : 'V';
  Numbers shape, strides;
  for (size_t d = 0; d < array.ndim(); ++d) {
    shape.push_back(static_cast<int64_t>(array.shape(d)));
    strides.push_back(array.stride(d) * bytes);
  }
  return std::make_tuple(reinterpret_cast<uintptr_t>(array.data()), shape, strides, kind + std::to_string(bytes));
}

}  // namespace

void bind_values(nb::module_ &module) {
  using namespace nb::literals;
  const auto array = "array"_a.none();
  const auto stride = "stride"_a.none();
  module.def("put", field<sv_put, false>, "file"_a, "var"_a, "decomp"_a, "record"_a, "type"_a, array);
  module.def("get", field<sv_get, true>, "file"_a, "var"_a, "decomp"_a, "record"_a, "type"_a, array);
  module.def("put_var", whole<sv_put_var, false>, "file"_a, "var"_a, "record"_a, "type"_a, array);
  module.def("get_var", whole<sv_get_var, true>, "file"_a, "var"_a, "record"_a, "type"_a, array);
  module.def("put_vars", part<sv_put_vars, false>, "file"_a, "var"_a, "start"_a, "count"_a, stride, "type"_a, array);
  module.def("get_vars", part<sv_get_vars, true>, "file"_a, "var"_a, "start"_a, "count"_a, stride, "type"_a, array);
  module.def("put_varn", regions<sv_put_varn, false>, "file"_a, "var"_a, "starts"_a, "counts"_a, "type"_a, array);
  module.def("get_varn", regions<sv_get_varn, true>, "file"_a, "var"_a, "starts"_a, "counts"_a, "type"_a, array);
  module.def("put_var_string", put_var_string);
  module.def("put_vara_string", put_vara_string);
  module.def("get_var_string", get_var_string);
  module.def("get_vara_string", get_vara_string);
  module.def("copy_var", copy_var);
  module.def("is_on_device", is_on_device);
  module.def("of_dlpack", of_dlpack);
}

}  // namespace sv::python
