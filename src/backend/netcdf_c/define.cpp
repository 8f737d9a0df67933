#include <netcdf.h>
// needs the one above
#include <netcdf_filter.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/convert.hpp"
#include "base/error.hpp"
#include "model/enumeration.hpp"
#include "model/error_encoder.hpp"

namespace sv::netcdf4 {

namespace {

void put_strings(int id, int variable, const Attribute &attribute) {
  const std::vector<std::string> strings = strings_of(attribute);
  std::vector<const char *> values;
  for (const std::string &each : strings) values.push_back(each.c_str());
  check(nc_put_att_string(id, variable, attribute.name.c_str(), values.size(), values.data()),
        "nc_put_att_string of '" + attribute.name + "'");
}

/// `type`: of the variable, which its fill value has.
void put_attributes(int id, int variable, const std::vector<Attribute> &attributes, nc_type type = NC_NAT) {
  for (const Attribute &each : attributes)
    if (each.type == Type::string)
      put_strings(id, variable, each);
    else
      check(nc_put_att(id, variable, each.name.c_str(),
                       each.name == "_FillValue" && type != NC_NAT ? type : static_cast<nc_type>(each.type),
                       static_cast<size_t>(each.count), each.values.data()),
            "nc_put_att of '" + each.name + "'");
}

struct QuantizationKind {
  int number;                         // netCDF's; of a bound, which netCDF does not know, none
  const char *algorithm, *attribute;  // of the CF conventions
};

QuantizationKind kind_of(Quantization::Mode mode) {
  using Mode = Quantization::Mode;
  if (mode == Mode::bit_groom) return {NC_QUANTIZE_BITGROOM, "bitgroom", "quantization_nsd"};
  if (mode == Mode::granular) return {NC_QUANTIZE_GRANULARBR, "granular_bitround", "quantization_nsd"};
  if (mode >= Mode::absolute) return {NC_NOQUANTIZE, "bitround", "quantization_nsb"};
  return {NC_QUANTIZE_BITROUND, "bitround", "quantization_nsb"};
}

/// CF conventions 1.12, section 8.4.2: a container variable says how values were quantized. `of_file`: the mode that
/// has the plain name.
std::string container_of(const Quantization &how, Quantization::Mode of_file) {
  const std::string plain = "sverdrup_quantization";
  if (const auto encoder = find_encoder(how.encoder)) return plain + "_error_bound_" + encoder->word;
  if (how.mode == Quantization::Mode::information) return plain + "_information";
  if (kind_of(how.mode).number == NC_NOQUANTIZE) return plain + "_error_bound";
  return how.mode == of_file ? plain : plain + "_" + kind_of(how.mode).algorithm;
}

void put_text(int id, int variable, const char *name, const std::string &text) {
  check(nc_put_att_text(id, variable, name, text.size(), text.data()),
        std::string("nc_put_att_text of '") + name + "'");
}

std::string implementation_of(const Quantization &how) {
  if (kind_of(how.mode).number != NC_NOQUANTIZE) return std::string("libnetcdf version ") + nc_inq_libvers();
  if (how.mode == Quantization::Mode::information)
    return "Sverdrup version " SV_VERSION
           " (the bits that hold a share of the information of a chunk, quantization_nsb at most)";
  const auto encoder = find_encoder(how.encoder);
  return std::string("Sverdrup version " SV_VERSION) +
         (encoder ? " (HDF5 filter " + std::to_string(static_cast<unsigned>(encoder->filter)) +
                        "; a chunk that would break the error bound is stored without it, by bitround)"
                  : " (each value keeps the fewest bits within the error bound, quantization_nsb at most)");
}

void define_quantization(int id, const Quantization &how, const std::string &name) {
  int container = 0;
  const auto encoder = find_encoder(how.encoder);
  check(nc_def_var(id, name.c_str(), NC_CHAR, 0, nullptr, &container), "nc_def_var");
  put_text(id, container, "algorithm", encoder ? encoder->word : kind_of(how.mode).algorithm);
  put_text(id, container, "implementation", implementation_of(how));
}

/// The first filter of all: netCDF-C puts the shuffle in front of it, which chunks without it pass through.
void store_encoder(int id, int variable, const Quantization &how) {
  const auto encoder = find_encoder(how.encoder);
  if (!encoder) return;
  const std::vector<unsigned> parameters = filter_parameters(how);
  check(nc_def_var_filter(id, variable, static_cast<unsigned>(encoder->filter), parameters.size(), parameters.data()),
        std::string("nc_def_var_filter of ") + encoder->name);
}

void store_filters(int id, int variable, const Chunks &chunks) {
  store_encoder(id, variable, chunks.quantization);
  if (chunks.deflate > 0 || chunks.shuffle)
    check(nc_def_var_deflate(id, variable, chunks.shuffle ? 1 : 0, chunks.deflate > 0 ? 1 : 0, chunks.deflate),
          "nc_def_var_deflate");
  if (chunks.zstd > 0) {
    const auto level = static_cast<unsigned>(chunks.zstd);
    check(nc_def_var_filter(id, variable, static_cast<unsigned>(FilterNumber::zstd), 1, &level),
          "nc_def_var_filter of zstd");
  }
  if (chunks.fletcher32) check(nc_def_var_fletcher32(id, variable, NC_FLETCHER32), "nc_def_var_fletcher32");
}

void store_as(int id, int variable, const Chunks &chunks, Quantization::Mode of_file) {
  if (chunks.kind == Chunks::Kind::shaped) {
    std::vector<size_t> shape;
    for (int d = 0; d < chunks.shape.n; ++d) shape.push_back(static_cast<size_t>(chunks.shape[d]));
    check(nc_def_var_chunking(id, variable, NC_CHUNKED, shape.data()), "nc_def_var_chunking");
  } else if (chunks.kind == Chunks::Kind::contiguous) {
    check(nc_def_var_chunking(id, variable, NC_CONTIGUOUS, nullptr), "nc_def_var_chunking");
  }
  store_filters(id, variable, chunks);
  if (chunks.endian != Endian::native)
    check(nc_def_var_endian(id, variable, static_cast<int>(chunks.endian)), "nc_def_var_endian");
  const Quantization &how = chunks.quantization;
  if (how.amount == 0) return;
  const QuantizationKind kind = kind_of(how.mode);
  put_text(id, variable, "quantization", container_of(how, of_file));
  if (how.has_bound()) return;
  check(nc_def_var_quantize(id, variable, kind.number, how.amount), "nc_def_var_quantize");
  check(nc_put_att_int(id, variable, kind.attribute, NC_INT, 1, &how.amount), "nc_put_att_int");
}

/// The largest error is the bound until the file is closed, so that the file is right if its program is killed.
void state_bound(int id, int variable, Type type, const Quantization &how) {
  if (!how.has_bound()) return;
  const int bits = most_bits(type, how);
  if (how.encoder == Quantization::Encoder::rounding)
    check(nc_put_att_int(id, variable, "quantization_nsb", NC_INT, 1, &bits), "nc_put_att_int");
  const BoundAttributes names = bound_attributes(how.mode);
  const double worst = how.most_error();
  check(nc_put_att_double(id, variable, names.bound, NC_DOUBLE, 1, &how.bound), "nc_put_att_double");
  check(nc_put_att_double(id, variable, names.worst, NC_DOUBLE, 1, &worst), "nc_put_att_double");
}

/// The enumerations of a file, by their names.
using Types = std::map<std::string, nc_type>;

Types define_enumerations(int id, const std::vector<Variable> &variables) {
  Types types;
  for (const Variable &each : variables) {
    if (each.enumeration == nullptr || types.count(each.enumeration->name) > 0) continue;
    const std::string &name = each.enumeration->name;
    nc_type made = NC_NAT;
    check(nc_def_enum(id, static_cast<nc_type>(each.type), name.c_str(), &made), "nc_def_enum of '" + name + "'");
    for (const auto &[member, value] : each.enumeration->members) {
      Element bytes{};
      pack_row(Type::int64, each.type, ByteOrder::native)(reinterpret_cast<const std::byte *>(&value), sizeof value,
                                                          bytes.data(), 1);
      check(nc_insert_enum(id, made, member.c_str(), bytes.data()), "nc_insert_enum of '" + member + "'");
    }
    types.emplace(name, made);
  }
  return types;
}

struct Making {
  const Schema &schema;
  ChunkRequest request;
  int writers;
  Prefilling prefilling;
  Types types;

  nc_type type_of(const Variable &variable) const {
    return variable.enumeration == nullptr ? static_cast<nc_type>(variable.type) : types.at(variable.enumeration->name);
  }
};

/// Returns how it is quantized. `id`: of its group.
Quantization define_variable(int id, const Making &making, const Variable &variable) {
  int made = -1;
  Chunks chunks;
  try {
    check(nc_def_var(id, std::string(base_of(variable.name)).c_str(), making.type_of(variable),
                     static_cast<int>(variable.dims.size()), variable.dims.data(), &made),
          "nc_def_var");
    // Before the attributes: this takes a _FillValue away.
    if ((making.prefilling == Prefilling::none || variable.no_fill) && variable.type != Type::string)
      check(nc_def_var_fill(id, made, 1, nullptr), "nc_def_var_fill");
    put_attributes(id, made, variable.attributes, making.type_of(variable));
    if (variable.dims.empty()) return {};
    chunks = chunks_of(making.schema, variable, making.request, making.writers);
    store_as(id, made, chunks, making.request.quantization.mode);
    state_bound(id, made, variable.type, chunks.quantization);
  } catch (Error &error) {
    throw error.in_variable(variable.name);
  }
  return chunks.quantization;
}

}  // namespace

void define(int id, const Schema &schema, const Access &access, Prefilling prefilling) {
  int before = 0;
  if (prefilling == Prefilling::none) check(nc_set_fill(id, NC_NOFILL, &before), "nc_set_fill");
  std::map<std::string, int, std::less<>> groups{{"", id}};
  const auto group_with = [&groups](const std::string &name) { return groups.at(std::string(group_of(name))); };
  for (const Group &group : schema.groups) {
    int made = -1;
    check(nc_def_grp(group_with(group.name), std::string(base_of(group.name)).c_str(), &made),
          "nc_def_grp of '" + group.name + "'");
    groups.emplace(group.name, made);
    put_attributes(made, NC_GLOBAL, group.attributes);
  }
  for (const Dimension &dim : schema.dims) {
    int made = -1;
    check(nc_def_dim(group_with(dim.name), std::string(base_of(dim.name)).c_str(),
                     dim.is_unlimited() ? NC_UNLIMITED : static_cast<size_t>(dim.length), &made),
          "nc_def_dim of '" + dim.name + "'");
  }
  put_attributes(id, NC_GLOBAL, schema.attributes);
  const Making making{schema, summed(access.chunks, schema), access.writers, prefilling,
                      define_enumerations(id, schema.variables)};
  const Quantization &of_file = access.chunks.quantization;
  std::map<std::string, Quantization> containers;  // by name
  const auto add_container = [&](const Quantization &how) {
    if (how.amount > 0) containers.emplace(container_of(how, of_file.mode), how);
  };
  add_container(of_file);
  for (const Variable &variable : schema.variables)
    add_container(define_variable(group_with(variable.name), making, variable));
  for (const auto &[name, how] : containers)
    if (schema.find_variable(name) < 0) define_quantization(id, how, name);
  check(nc_enddef(id), "nc_enddef");
}

}  // namespace sv::netcdf4
