// How single variables are stored.
#include "handles.hpp"

namespace sv::python {

namespace {

/// A call that takes numbers: sv_def_var_deflate and its kin.
template <auto call, class... Numbers>
void define(Handle file, int var, Numbers... numbers) {
  local(file, [&] { return call(as<sv_file>(file), var, numbers...); });
}

void def_var_chunking(Handle file, int var, const std::optional<Numbers> &lengths) {
  local(file, [&] {
    int ndims = 0;
    const int status = sv_inq_var(as<sv_file>(file), var, nullptr, nullptr, &ndims, nullptr, nullptr);
    if (status != SV_OK || !lengths) return sv_def_var_chunking(as<sv_file>(file), var, SV_CONTIGUOUS, nullptr);
    Numbers all = *lengths;
    all.resize(static_cast<size_t>(ndims));  // 0 of a dimension is refused
    return sv_def_var_chunking(as<sv_file>(file), var, SV_CHUNKED, all.data());
  });
}

void def_var_filter(Handle file, int var, unsigned id, const std::vector<unsigned> &params) {
  local(file, [&] { return sv_def_var_filter(as<sv_file>(file), var, id, params.size(), params.data()); });
}

template <auto inquire>
int one(Handle file, int var) {
  int number = 0;
  local(file, [&] { return inquire(as<sv_file>(file), var, &number); });
  return number;
}

template <auto inquire>
std::tuple<int, int> two(Handle file, int var) {
  int first = 0, second = 0;
  local(file, [&] { return inquire(as<sv_file>(file), var, &first, &second); });
  return std::make_tuple(first, second);
}

/// The kind, the bound and the largest error.
std::tuple<int, double, double> inq_var_error_bound(Handle file, int var) {
  int kind = SV_ERROR_NONE;
  double bound = 0, largest = 0;
  local(file, [&] { return sv_inq_var_error_bound(as<sv_file>(file), var, &kind, &bound, &largest); });
  return std::make_tuple(kind, bound, largest);
}

/// Cells of a chunk in each dimension, or None.
std::optional<Numbers> inq_var_chunking(Handle file, int var) {
  int storage = SV_CONTIGUOUS, ndims = 0;
  int64_t lengths[SV_MAX_DIMS];
  local(file, [&] {
    const int status = sv_inq_var(as<sv_file>(file), var, nullptr, nullptr, &ndims, nullptr, nullptr);
    return status == SV_OK ? sv_inq_var_chunking(as<sv_file>(file), var, &storage, lengths) : status;
  });
  if (storage == SV_CONTIGUOUS) return std::nullopt;
  return Numbers(lengths, lengths + ndims);
}

std::vector<unsigned> inq_var_filter_ids(Handle file, int var) {
  size_t count = 0;
  unsigned ids[SV_MAX_FILTERS];
  local(file, [&] { return sv_inq_var_filter_ids(as<sv_file>(file), var, &count, ids); });
  return {ids, ids + count};
}

void def_var_enum(Handle file, int var, const Text &type_name, const std::vector<Text> &names, const Numbers &values) {
  const char *const type = type_name.c();
  std::vector<const char *> texts;
  for (const Text &each : names) texts.push_back(each.c());
  local(file, [&] {
    return sv_def_var_enum(as<sv_file>(file), var, type, static_cast<int>(std::min(texts.size(), values.size())),
                           texts.data(), values.data());
  });
}

/// The name of the type, and the names of integers with their values.
std::tuple<Text, std::vector<std::tuple<Text, int64_t>>> inq_var_enum(Handle file, int var) {
  char name[SV_MAX_NAME];
  int members = 0;
  local(file, [&] { return sv_inq_var_enum(as<sv_file>(file), var, name, &members); });
  const Text type{name};
  std::vector<std::tuple<Text, int64_t>> all;
  for (int m = 0; m < members; ++m) {
    int64_t value = 0;
    local(file, [&] { return sv_inq_var_enum_member(as<sv_file>(file), var, m, name, &value); });
    all.emplace_back(Text{name}, value);
  }
  return {type, all};
}

}  // namespace

void bind_storage(nb::module_ &module) {
  module.def("def_var_chunking", def_var_chunking, nb::arg(), nb::arg(), nb::arg().none());
  module.def("def_var_deflate", define<sv_def_var_deflate, int, int>);
  module.def("def_var_zstandard", define<sv_def_var_zstandard, int>);
  module.def("def_var_fletcher32", define<sv_def_var_fletcher32, int>);
  module.def("def_var_filter", def_var_filter);
  module.def("def_var_quantize", define<sv_def_var_quantize, int, int>);
  module.def("def_var_error_bound", define<sv_def_var_error_bound, int, double>);
  module.def("def_var_endian", define<sv_def_var_endian, int>);
  module.def("def_var_nofill", define<sv_def_var_nofill, int>);
  module.def("inq_var_nofill", [](Handle file, int var) {
    int on = 0;
    local(file, [&] { return sv_inq_var_nofill(as<sv_file>(file), var, &on); });
    return on != 0;
  });
  module.def("def_var_enum", def_var_enum);
  module.def("inq_var_enum", inq_var_enum);
  module.def("inq_var_chunking", inq_var_chunking);
  module.def("inq_var_deflate", two<sv_inq_var_deflate>);
  module.def("inq_var_zstandard", one<sv_inq_var_zstandard>);
  module.def("inq_var_fletcher32", one<sv_inq_var_fletcher32>);
  module.def("inq_var_filter_ids", inq_var_filter_ids);
  module.def("inq_var_quantize", two<sv_inq_var_quantize>);
  module.def("inq_var_error_bound", inq_var_error_bound);
  module.def("inq_var_endian", one<sv_inq_var_endian>);
}

}  // namespace sv::python
