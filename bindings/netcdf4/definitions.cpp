#include "definitions.hpp"

#include <algorithm>
#include <cstring>

#include "real.hpp"

namespace sv::netcdf4 {

namespace {

/// A variable as netCDF-C reports it.
struct Variable {
  char name[NC_MAX_NAME + 1] = "";
  nc_type type = NC_NAT;
  int ndims = 0, natts = 0;
  int dims[NC_MAX_VAR_DIMS];
  int storage = NC_CONTIGUOUS;
  size_t chunk[NC_MAX_VAR_DIMS];
  struct Filter {
    unsigned id;
    std::vector<unsigned> params;
  };
  std::vector<Filter> filters;
  int shuffle = 0, fletcher32 = 0;  // which netCDF-C does not count among the filters
  int endian = NC_ENDIAN_NATIVE, quantize_mode = 0, digits = 0, no_fill = 0;
};

struct Counts {
  int dims = 0, variables = 0, attributes = 0;
};

class Reader {
 public:
  explicit Reader(const Dataset &own) : ncid_(own.there), caller_(own.caller) {}

  Counts counts() const {
    Counts counts;
    expect(real::inq(caller_)(ncid_, &counts.dims, &counts.variables, &counts.attributes, nullptr));
    return counts;
  }
  Variable variable(int number) const {
    Variable made;
    expect(real::inq_var(caller_)(ncid_, number, made.name, &made.type, &made.ndims, made.dims, &made.natts));
    if (made.ndims > 0) expect(real::inq_var_chunking(caller_)(ncid_, number, &made.storage, made.chunk));
    made.filters = filters(number);
    expect(real::inq_var_deflate(caller_)(ncid_, number, &made.shuffle, nullptr, nullptr));
    expect(real::inq_var_fletcher32(caller_)(ncid_, number, &made.fletcher32));
    expect(real::inq_var_endian(caller_)(ncid_, number, &made.endian));
    if (made.type == NC_FLOAT || made.type == NC_DOUBLE)
      expect(real::inq_var_quantize(caller_)(ncid_, number, &made.quantize_mode, &made.digits));
    expect(real::inq_var_fill(caller_)(ncid_, number, &made.no_fill, nullptr));
    return made;
  }
  /// Calls visit(name, length, whether it is unlimited).
  template <class Visit>
  void dims(Visit &&visit) const {
    const std::vector<bool> all = unlimited();
    for (int d = 0; d < static_cast<int>(all.size()); ++d) {
      char name[NC_MAX_NAME + 1];
      size_t length = 0;
      expect(real::inq_dim(caller_)(ncid_, d, name, &length));
      visit(d, name, length, all[static_cast<size_t>(d)]);
    }
  }
  std::vector<bool> unlimited() const {
    int count = 0;
    expect(real::inq_unlimdims(caller_)(ncid_, &count, nullptr));
    std::vector<int> numbers(static_cast<size_t>(count) + 1);
    expect(real::inq_unlimdims(caller_)(ncid_, &count, numbers.data()));
    std::vector<bool> unlimited(static_cast<size_t>(counts().dims));
    for (int i = 0; i < count; ++i) unlimited[static_cast<size_t>(numbers[static_cast<size_t>(i)])] = true;
    return unlimited;
  }
  /// Calls visit(name, type, count, values). They are of types that Sverdrup has, too.
  template <class Visit>
  void attributes(int variable, int count, Visit &&visit) const {
    for (int a = 0; a < count; ++a) {
      char name[NC_MAX_NAME + 1];
      nc_type type = NC_NAT;
      size_t length = 0;
      expect(real::inq_attname(caller_)(ncid_, variable, a, name));
      expect(real::inq_att(caller_)(ncid_, variable, name, &type, &length));
      std::vector<uint64_t> values(length + 1);
      expect(real::get_att(caller_)(ncid_, variable, name, values.data()));
      visit(name, type, length, values.data());
    }
  }

 private:
  std::vector<Variable::Filter> filters(int number) const {
    size_t count = 0;
    expect(real::inq_var_filter_ids(caller_)(ncid_, number, &count, nullptr));
    std::vector<unsigned> ids(count + 1);
    if (count > 0) expect(real::inq_var_filter_ids(caller_)(ncid_, number, &count, ids.data()));
    std::vector<Variable::Filter> filters;
    for (size_t f = 0; f < count; ++f) {
      size_t n = 0;
      expect(real::inq_var_filter_info(caller_)(ncid_, number, ids[f], &n, nullptr));
      filters.push_back({ids[f], std::vector<unsigned>(n)});
      if (n > 0) expect(real::inq_var_filter_info(caller_)(ncid_, number, ids[f], &n, filters.back().params.data()));
    }
    return filters;
  }

  int ncid_;
  const void *caller_;
};

void store_as(sv_file *file, int number, const Variable &variable) {
  if (variable.ndims == 0) return;
  std::vector<int64_t> lengths(variable.chunk, variable.chunk + variable.ndims);
  if (variable.storage == NC_CHUNKED) must(sv_def_var_chunking(file, number, SV_CHUNKED, lengths.data()));
  if (variable.storage == NC_CONTIGUOUS) must(sv_def_var_chunking(file, number, SV_CONTIGUOUS, nullptr));
  must(sv_def_var_deflate(file, number, variable.shuffle, 0));
  if (variable.fletcher32 != 0) must(sv_def_var_fletcher32(file, number, 1));
  for (const Variable::Filter &each : variable.filters)
    must(sv_def_var_filter(file, number, each.id, each.params.size(), each.params.data()));
  if (variable.endian != NC_ENDIAN_NATIVE) must(sv_def_var_endian(file, number, variable.endian));
  if (variable.quantize_mode > 0) must(sv_def_var_quantize(file, number, variable.quantize_mode, variable.digits));
}

bool is_same(const sv_file *file, int variable, const char *name, nc_type type, size_t length, const void *values) {
  int known_type = 0;
  int64_t known = 0, width = 0;
  if (sv_inq_att(file, variable, name, &known_type, &known) != SV_OK) return false;
  if (known_type != type || known != static_cast<int64_t>(length)) return false;
  std::vector<uint64_t> own(length + 1);
  must(sv_get_att(file, variable, name, type, own.data()));
  must(sv_inq_type(type, nullptr, &width));
  return std::memcmp(own.data(), values, length * static_cast<size_t>(width)) == 0;
}

void bring_attributes(const Dataset &own, const Reader &reader, int variable, int count) {
  std::vector<std::string> names;
  reader.attributes(variable, count, [&](const char *name, nc_type type, size_t length, const void *values) {
    names.emplace_back(name);
    if (!is_same(own.file, variable, name, type, length, values))
      must(sv_put_att(own.file, variable, name, type, static_cast<int64_t>(length), values));
  });
  if (own.shapes.empty()) return;  // a new file
  int known = 0;
  must(variable == NC_GLOBAL ? sv_inq(own.file, nullptr, nullptr, &known, nullptr)
                             : sv_inq_var(own.file, variable, nullptr, nullptr, nullptr, nullptr, &known));
  for (int a = known; a-- > 0 && known > count;) {
    char name[SV_MAX_NAME];
    must(sv_inq_attname(own.file, variable, a, name));
    const bool stays = std::find(names.begin(), names.end(), name) != names.end();
    const bool is_own = std::strncmp(name, "quantization", 12) == 0 || std::strncmp(name, "_Quantize", 9) == 0;
    if (!stays && !is_own) must(sv_del_att(own.file, variable, name));
  }
}

}  // namespace

std::vector<Shape> shapes_of(const Dataset &own) {
  const Reader reader(own);
  std::vector<int64_t> lengths;
  const std::vector<bool> unlimited = reader.unlimited();
  reader.dims([&](int, const char *, size_t length, bool) { lengths.push_back(static_cast<int64_t>(length)); });
  std::vector<Shape> shapes;
  for (int v = 0; v < reader.counts().variables; ++v) {
    const Variable variable = reader.variable(v);
    Shape shape;
    shape.type = variable.type;
    shape.dims.assign(variable.dims, variable.dims + variable.ndims);
    shape.is_filtered = !variable.filters.empty() || variable.shuffle != 0 || variable.fletcher32 != 0;
    shape.is_filled = variable.no_fill == 0;
    shape.is_quantized = variable.quantize_mode > 0;
    for (const int dim : shape.dims) {
      const bool is_first = shape.lengths.empty(), is_unlimited = unlimited[static_cast<size_t>(dim)];
      (is_first ? shape.has_records : shape.grows_inside) |= is_unlimited;
      shape.lengths.push_back(is_unlimited ? SV_UNLIMITED : lengths[static_cast<size_t>(dim)]);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

void bring_to_sverdrup(const Dataset &own) {
  const Reader reader(own);
  const Counts counts = reader.counts();
  int dims = 0, variables = 0, made = -1;
  must(sv_inq(own.file, &dims, &variables, nullptr, nullptr));
  reader.dims([&](int d, const char *name, size_t length, bool is_unlimited) {
    char known[SV_MAX_NAME];
    if (d >= dims)
      return must(sv_def_dim(own.file, name, is_unlimited ? SV_UNLIMITED : static_cast<int64_t>(length), &made));
    must(sv_inq_dim(own.file, d, known, nullptr));
    if (std::strcmp(known, name) != 0) must(sv_rename_dim(own.file, d, name));
  });
  bring_attributes(own, reader, NC_GLOBAL, counts.attributes);
  for (int v = 0; v < counts.variables; ++v) {
    const Variable variable = reader.variable(v);
    char known[SV_MAX_NAME];
    if (v >= variables) {
      must(sv_def_var(own.file, variable.name, variable.type, variable.ndims, variable.dims, &made));
      store_as(own.file, v, variable);
    } else {
      must(sv_inq_var(own.file, v, known, nullptr, nullptr, nullptr, nullptr));
      if (std::strcmp(known, variable.name) != 0) must(sv_rename_var(own.file, v, variable.name));
    }
    bring_attributes(own, reader, v, variable.natts);
  }
}

void bring_to_library(const Dataset &own, int to) {
  const Reader reader(own);
  const Counts counts = reader.counts();
  const void *const caller = own.caller;
  const auto bring = [&](int variable, int count) {
    reader.attributes(variable, count, [&](const char *name, nc_type type, size_t length, const void *values) {
      expect(real::put_att(caller)(to, variable, name, type, length, values));
    });
  };
  reader.dims([&](int, const char *name, size_t length, bool is_unlimited) {
    expect(real::def_dim(caller)(to, name, is_unlimited ? NC_UNLIMITED : length, nullptr));
  });
  bring(NC_GLOBAL, counts.attributes);
  for (int v = 0; v < counts.variables; ++v) {
    const Variable variable = reader.variable(v);
    expect(real::def_var(caller)(to, variable.name, variable.type, variable.ndims, variable.dims, nullptr));
    if (variable.ndims > 0) expect(real::def_var_chunking(caller)(to, v, variable.storage, variable.chunk));
    if (variable.quantize_mode > 0)
      expect(real::def_var_quantize(caller)(to, v, variable.quantize_mode, variable.digits));
    if (variable.shuffle != 0) expect(real::def_var_deflate(caller)(to, v, 1, 0, 0));
    if (variable.fletcher32 != 0) expect(real::def_var_fletcher32(caller)(to, v, 1));
    for (const Variable::Filter &each : variable.filters)
      expect(real::def_var_filter(caller)(to, v, each.id, each.params.size(), each.params.data()));
    if (variable.endian != NC_ENDIAN_NATIVE) expect(real::def_var_endian(caller)(to, v, variable.endian));
    bring(v, variable.natts);
    if (variable.no_fill != 0) expect(real::def_var_fill(caller)(to, v, 1, nullptr));
  }
}

}  // namespace sv::netcdf4
