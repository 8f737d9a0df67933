#include <netcdf.h>
// needs the one above
#include <netcdf_filter.h>

#include <vector>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/error.hpp"

namespace sv::netcdf4 {

namespace {

void put_attributes(int id, int variable, const std::vector<Attribute> &attributes) {
  for (const Attribute &each : attributes)
    check(nc_put_att(id, variable, each.name.c_str(), static_cast<nc_type>(each.type), static_cast<size_t>(each.count),
                     each.values.data()),
          "nc_put_att of '" + each.name + "'");
}

struct QuantizationKind {
  int number;                         // netCDF's
  const char *algorithm, *attribute;  // of the CF conventions
};

QuantizationKind kind_of(Quantization::Mode mode) {
  using Mode = Quantization::Mode;
  if (mode == Mode::bit_groom) return {NC_QUANTIZE_BITGROOM, "bitgroom", "quantization_nsd"};
  if (mode == Mode::granular) return {NC_QUANTIZE_GRANULARBR, "granular_bitround", "quantization_nsd"};
  return {NC_QUANTIZE_BITROUND, "bitround", "quantization_nsb"};
}

/// CF conventions 1.12, section 8.4.2: a container variable that says how values were quantized.
constexpr const char *quantization = "sverdrup_quantization";

void put_text(int id, int variable, const char *name, const std::string &text) {
  check(nc_put_att_text(id, variable, name, text.size(), text.data()),
        std::string("nc_put_att_text of '") + name + "'");
}

void define_quantization(int id, const Quantization &how) {
  int container = 0;
  check(nc_def_var(id, quantization, NC_CHAR, 0, nullptr, &container), "nc_def_var");
  put_text(id, container, "algorithm", kind_of(how.mode).algorithm);
  put_text(id, container, "implementation", std::string("libnetcdf version ") + nc_inq_libvers());
}

void store_as(int id, int variable, const Chunks &chunks) {
  if (chunks.kind == Chunks::Kind::shaped) {
    std::vector<size_t> shape;
    for (int d = 0; d < chunks.shape.n; ++d) shape.push_back(static_cast<size_t>(chunks.shape[d]));
    check(nc_def_var_chunking(id, variable, NC_CHUNKED, shape.data()), "nc_def_var_chunking");
  } else if (chunks.kind == Chunks::Kind::contiguous) {
    check(nc_def_var_chunking(id, variable, NC_CONTIGUOUS, nullptr), "nc_def_var_chunking");
  }
  if (chunks.deflate > 0 || chunks.shuffle)
    check(nc_def_var_deflate(id, variable, chunks.shuffle ? 1 : 0, chunks.deflate > 0 ? 1 : 0, chunks.deflate),
          "nc_def_var_deflate");
  if (chunks.zstd > 0) {
    constexpr unsigned zstd = 32015;  // of HDF5's registered filters
    const auto level = static_cast<unsigned>(chunks.zstd);
    check(nc_def_var_filter(id, variable, zstd, 1, &level), "nc_def_var_filter of zstd");
  }
  if (chunks.fletcher32) check(nc_def_var_fletcher32(id, variable, NC_FLETCHER32), "nc_def_var_fletcher32");
  if (const auto &[mode, amount] = chunks.quantization; amount > 0) {
    const QuantizationKind kind = kind_of(mode);
    check(nc_def_var_quantize(id, variable, kind.number, amount), "nc_def_var_quantize");
    put_text(id, variable, "quantization", quantization);
    check(nc_put_att_int(id, variable, kind.attribute, NC_INT, 1, &amount), "nc_put_att_int");
  }
}

struct Making {
  const Schema &schema;
  ChunkRequest request;
  int writers;
  Prefilling prefilling;
};

void define_variable(int id, const Making &making, const Variable &variable) {
  int made = -1;
  try {
    check(nc_def_var(id, variable.name.c_str(), static_cast<nc_type>(variable.type),
                     static_cast<int>(variable.dims.size()), variable.dims.data(), &made),
          "nc_def_var");
    // Before the attributes: this takes a _FillValue away.
    if (making.prefilling == Prefilling::none) check(nc_def_var_fill(id, made, 1, nullptr), "nc_def_var_fill");
    put_attributes(id, made, variable.attributes);
    if (!variable.dims.empty()) store_as(id, made, chunks_of(making.schema, variable, making.request, making.writers));
  } catch (Error &error) {
    throw error.in_variable(variable.name);
  }
}

}  // namespace

void define(int id, const Schema &schema, const Access &access, Prefilling prefilling) {
  int before = 0;
  if (prefilling == Prefilling::none) check(nc_set_fill(id, NC_NOFILL, &before), "nc_set_fill");
  for (const Dimension &dim : schema.dims) {
    int made = -1;
    check(nc_def_dim(id, dim.name.c_str(), dim.is_unlimited() ? NC_UNLIMITED : static_cast<size_t>(dim.length), &made),
          "nc_def_dim of '" + dim.name + "'");
  }
  put_attributes(id, NC_GLOBAL, schema.attributes);
  const Making making{schema, summed(access.chunks, schema), access.writers, prefilling};
  for (const Variable &variable : schema.variables) define_variable(id, making, variable);
  if (const Quantization &how = access.chunks.quantization; how.amount > 0) define_quantization(id, how);
  check(nc_enddef(id), "nc_enddef");
}

}  // namespace sv::netcdf4
