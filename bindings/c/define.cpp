// sverdrup.h: files, definitions, inquiry.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "engine/creating.hpp"
#include "file/file_trace.hpp"
#include "handles.hpp"

using namespace sv;
using namespace sv::c;

namespace {

constexpr int64_t most_attribute_values = 1 << 26;  // no header is longer than these as bytes

FileSettings settings_of(const Context &context, const char *path, int flags) {
  FileSettings settings = context.settings.for_file(path);
  constexpr int classic_model = SV_NETCDF4 | SV_CLASSIC;
  const int formats = flags & (SV_CLASSIC | SV_64BIT_OFFSET | SV_64BIT_DATA | SV_NETCDF4 | SV_ZARR);
  const int kinds = flags & (SV_PUBLISHED | SV_GROWING);
  const bool series_kept = (flags & SV_SERIES) != 0 && (flags & (SV_NOCLOBBER | SV_PUBLISHED)) != 0;
  const bool named_twice = (flags & SV_SERIES) != 0 && (flags & SV_LITERAL) != 0;
  const int known = SV_NOCLOBBER | SV_CLASSIC | SV_64BIT_OFFSET | SV_64BIT_DATA | SV_NETCDF4 | SV_ZARR | SV_PUBLISHED |
                    SV_GROWING | SV_SERIES | SV_LITERAL;
  const bool one_format = (formats & (formats - 1)) == 0 || formats == classic_model;
  if ((flags & ~known) != 0 || !one_format || (kinds & (kinds - 1)) != 0 || series_kept || named_twice)
    throw Error(Status::invalid, "flags that are unknown or contradict each other", "See sv_create in sverdrup.h")
        .in_file(path);
  const bool asks_nothing = settings.format == Format::automatic && settings.store == "auto";
  if (asks_nothing && std::string_view(path).ends_with(".zarr")) settings.format = Format::zarr;
  if (formats == SV_ZARR) settings.format = Format::zarr;
  if (formats == SV_CLASSIC) settings.format = Format::cdf1;
  if (formats == SV_64BIT_OFFSET) settings.format = Format::cdf2;
  if (formats == SV_64BIT_DATA) settings.format = Format::cdf5;
  if (formats == SV_NETCDF4) settings.format = Format::netcdf4;
  if (formats == classic_model) settings.format = Format::netcdf4_classic;
  if (kinds == SV_PUBLISHED) settings.kind = Kind::published;
  if (kinds == SV_GROWING) settings.kind = Kind::growing;
  settings.is_literal = (flags & SV_LITERAL) != 0;
  return settings;
}

/// Collective. Frees the handle in any case.
int ended(sv_file *handle, void (*end)(File &)) {
  return guarded([&] {
    require(handle, "file");
    File *own = own_file(handle);
    handle_freed(handle);
    Context &of = own->context();
    PhaseTimer timer(of.metrics, Phase::close, subject_of(*own));
    struct Release {
      Context &context;
      File *file;
      ~Release() { sv::release(context, file); }
    } release{of, own};
    end(*own);
  });
}

void copy_name(char *to, const std::string &name) {
  if (to != nullptr) copy_text(to, SV_MAX_NAME, name);
}

/// Of this name, or of its own name in an outer group; −1: none.
int visible_dim(const Definitions &definitions, const std::string &name) {
  int found = definitions.find_dim(name);
  std::string group(group_of(name));
  while (found < 0 && !group.empty()) {
    group = std::string(group_of(group));
    found = definitions.find_dim((group.empty() ? "" : group + "/") + std::string(base_of(name)));
  }
  return found;
}

/// `what`: "variable 'a'". It may be in the file, and have been left out.
Error not_found(const File &in, const std::string &what, const std::string &cause) {
  for (const Omission &each : in.schema().omissions)
    if (each.is_lost && each.what == what)
      return Error(Status::not_found, each.what + ": " + each.reason,
                   "Read it with the library of its format, such as netCDF-C, or write it in a type of netCDF's "
                   "classic model")
          .in_file(in.path());
  return Error(Status::not_found, cause, "See ncdump -h").in_file(in.path());
}

Error not_found(const File &in, const std::string &cause) {
  return Error(Status::not_found, cause, "See ncdump -h").in_file(in.path());
}

}  // namespace

namespace sv::c {

Error no_attribute(const File &of, int var, const char *name) {
  const std::string what = std::string("attribute '") + name + "'";
  const std::string owner = var < 0 ? "" : " of variable '" + of.variable(var).name + "'";
  return not_found(of, what + owner, "there is no " + what);
}

const Attribute &attribute_of(const File &of, int var, const char *name) {
  if (const Attribute *found = of.definitions.find_attribute(var, name)) return *found;
  throw no_attribute(of, var, name);
}

}  // namespace sv::c

extern "C" {

int sv_create(sv_context *io, const char *path, int flags, sv_file **made) {
  return guarded([&] {
    require(io, "io");
    Context &own = session(io)->context("sv_create");
    PhaseTimer timer(own.metrics, Phase::open);
    const FileSettings settings = checked(own, "sv_create", [&] {
      require(path, "path");
      require(made, "file");
      *made = nullptr;
      return settings_of(own, path, flags);
    });
    *made = handle_of(adopt((flags & SV_SERIES) != 0
                                ? create_series(own, FileName(path), settings)
                                : create_file(own, FileName(path), settings, (flags & SV_NOCLOBBER) != 0)));
  });
}

int sv_open(sv_context *io, const char *path, int flags, sv_file **opened) {
  return guarded([&] {
    require(io, "io");
    Context &own = session(io)->context("sv_open");
    checked(own, "sv_open", [&] {
      require(path, "path");
      require(opened, "file");
      *opened = nullptr;
      if ((flags & ~(SV_WRITE | SV_LITERAL)) != 0)
        throw Error(Status::invalid, "flags that are unknown", "See sv_open in sverdrup.h").in_file(path);
    });
    FileSettings settings = own.settings.for_file(path);
    settings.is_literal = (flags & SV_LITERAL) != 0;
    *opened = handle_of(adopt(open_file(own, FileName(path), settings, (flags & SV_WRITE) != 0)));
  });
}

int sv_enddef(sv_file *handle) {
  return guarded([&] {
    require(handle, "file");
    PhaseTimer timer(file(handle)->context().metrics, Phase::open, subject_of(*file(handle)));
    end_definitions(*file(handle));
  });
}

int sv_close(sv_file *handle) { return ended(handle, close); }
int sv_abort(sv_file *handle) { return ended(handle, close_as_defined); }

int sv_def_dim(sv_file *handle, const char *name, int64_t length, int *dim) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    require(dim, "dim");
    *dim = file(handle)->defining("sv_def_dim").define_dim(name, length);
  });
}

int sv_def_var(sv_file *handle, const char *name, int type, int ndims, const int *dims, int *var) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    require(var, "var");
    if (ndims < 0 || ndims > SV_MAX_DIMS)
      throw Error(Status::invalid, std::to_string(ndims) + " dimensions",
                  "A variable has 0 to " + std::to_string(SV_MAX_DIMS))
          .in_variable(name)
          .in_file(file(handle)->path());
    if (ndims > 0) require(dims, "dims");
    *var = file(handle)
               ->defining("sv_def_var")
               .define_variable(name, definable_type(type), std::vector<int>(dims, dims + ndims));
  });
}

int sv_undef_var(sv_file *handle, int var) {
  return guarded([&] {
    require(handle, "file");
    File &own = *file(handle);
    own.defining("sv_undef_var").variable(var);  // checks the id
    const PlacedSchema *const before = own.before();
    if (var + 1 < std::ssize(own.schema().variables) || (before != nullptr && var < std::ssize(before->variables)))
      throw Error(Status::order,
                  "sv_undef_var of a variable that is not the last one to be defined in this define mode",
                  "Call it directly after sv_def_var")
          .in_variable(own.variable(var).name)
          .in_file(own.path());
    own.definitions.undefine_last_variable();
  });
}

int sv_def_fill(sv_file *handle, int var, const void *value) {
  return guarded([&] {
    require(handle, "file");
    require(value, "value");
    file(handle)->defining("sv_def_fill").define_fill(var, value);
  });
}

int sv_def_packing(sv_file *handle, int var, double scale_factor, double add_offset) {
  return guarded([&] {
    require(handle, "file");
    file(handle)->defining("sv_def_packing").define_packing(var, {scale_factor, add_offset});
  });
}

int sv_use_packing(sv_file *handle, int var, int on) {
  return guarded([&] {
    require(handle, "file");
    file(handle)->definitions.use_packing(var, on != 0);
    if (own_file(handle) != file(handle))
      own_file(handle)->definitions.use_packing(var, on != 0);  // in a series' next files, too
  });
}

int sv_def_var_decomp_dim(sv_file *handle, int var, int first_dim) {
  return guarded([&] {
    require(handle, "file");
    file(handle)->definitions.define_axes(var, first_dim);
  });
}

int sv_put_att(sv_file *handle, int var, const char *name, int type, int64_t count, const void *values) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    if (count < 0 || count > most_attribute_values)
      throw Error(Status::invalid, std::string("attribute '") + name + "' has " + std::to_string(count) + " values",
                  "Attributes are short: large data are variables")
          .in_file(file(handle)->path());
    if (count > 0) require(values, "values");
    const Type each = type_of(type);
    const std::span bytes(static_cast<const std::byte *>(values), static_cast<size_t>(count * size_of(each)));
    file(handle)->defining("sv_put_att").put_attribute(var, {name, each, count, SmallBytes(bytes)});
  });
}

int sv_put_att_text(sv_file *handle, int var, const char *name, const char *text) {
  if (text == nullptr) return guarded([] { throw null_argument("text"); });
  return sv_put_att(handle, var, name, SV_CHAR, static_cast<int64_t>(std::strlen(text)), text);
}

int sv_inq(const sv_file *handle, int *ndims, int *nvars, int *natts, int *record_dim) {
  return guarded([&] {
    require(handle, "file");
    const Schema &schema = file(handle)->schema();
    assign(ndims, static_cast<int>(schema.dims.size()));
    assign(nvars, static_cast<int>(schema.variables.size()));
    assign(natts, static_cast<int>(schema.attributes.size()));
    assign(record_dim, schema.record_dim());
  });
}

int sv_inq_unlimdims(const sv_file *handle, int *count, int *dims) {
  return guarded([&] {
    require(handle, "file");
    const Schema &schema = file(handle)->schema();
    int found = 0;
    for (int d = 0; d < std::ssize(schema.dims); ++d) {
      if (!schema.is_unlimited(d)) continue;
      if (dims != nullptr) dims[found] = d;
      ++found;
    }
    assign(count, found);
  });
}

int sv_inq_format(const sv_file *handle, int *cdf_version) {
  return guarded([&] {
    require(handle, "file");
    assign(cdf_version, static_cast<int>(file(handle)->schema().format));
  });
}

int sv_inq_dim(const sv_file *handle, int dim, char name[SV_MAX_NAME], int64_t *length) {
  return guarded([&] {
    require(handle, "file");
    const Dimension &each = file(handle)->definitions.dim(dim);
    copy_name(name, each.name);
    assign(length, file(handle)->length_of(dim, false));
  });
}

int sv_inq_dimid(const sv_file *handle, const char *name, int *dim) {
  return guarded([&]() -> std::optional<Error> {
    require(handle, "file");
    require(name, "name");
    const int found = visible_dim(file(handle)->definitions, name);
    if (found < 0) return not_found(*file(handle), std::string("there is no dimension '") + name + "'");
    assign(dim, found);
    return std::nullopt;
  });
}

int sv_inq_var(const sv_file *handle, int var, char name[SV_MAX_NAME], int *type, int *ndims, int dims[SV_MAX_DIMS],
               int *natts) {
  return guarded([&] {
    require(handle, "file");
    const Variable &each = file(handle)->variable(var);
    copy_name(name, each.name);
    assign(type, static_cast<int>(each.type));
    assign(ndims, static_cast<int>(each.dims.size()));
    if (dims != nullptr) std::copy(each.dims.begin(), each.dims.end(), dims);
    assign(natts, static_cast<int>(each.attributes.size()));
  });
}

int sv_inq_varid(const sv_file *handle, const char *name, int *var) {
  return guarded([&]() -> std::optional<Error> {
    require(handle, "file");
    require(name, "name");
    const int found = file(handle)->definitions.find_variable(name);
    if (found < 0)
      return not_found(*file(handle), std::string("variable '") + name + "'", "there is no such variable")
          .in_variable(name);
    assign(var, found);
    return std::nullopt;
  });
}

int sv_inq_att(const sv_file *handle, int var, const char *name, int *type, int64_t *count) {
  return guarded([&]() -> std::optional<Error> {
    require(handle, "file");
    require(name, "name");
    const Attribute *const found = file(handle)->definitions.find_attribute(var, name);
    if (found == nullptr) return no_attribute(*file(handle), var, name);
    assign(type, static_cast<int>(found->type));
    assign(count, found->count);
    return std::nullopt;
  });
}

int sv_inq_attname(const sv_file *handle, int var, int index, char name[SV_MAX_NAME]) {
  return guarded([&] {
    require(handle, "file");
    const auto &all = file(handle)->definitions.attributes(var);
    if (index < 0 || index >= static_cast<int>(all.size()))
      throw Error(Status::not_found, "there is no attribute number " + std::to_string(index), "They count from 0")
          .in_file(file(handle)->path());
    copy_name(name, all[static_cast<size_t>(index)].name);
  });
}

int sv_get_att(const sv_file *handle, int var, const char *name, int type, void *values) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    const Attribute &found = attribute_of(*file(handle), var, name);
    if (found.count > 0) require(values, "values");
    if (found.type == Type::string)
      throw Error(Status::type, std::string("attribute '") + name + "' is of type string",
                  "Read it with sv_get_att_string")
          .in_file(file(handle)->path());
    if ((found.type == Type::text) != (type_of(type) == Type::text))
      throw Error(Status::type, std::string("attribute '") + name + "' is of type " + std::string(name_of(found.type)),
                  "Text and numbers do not convert into each other")
          .in_file(file(handle)->path());
    const auto convert = unpack_row(found.type, type_of(type), ByteOrder::native);
    if (convert(found.values.data(), static_cast<std::byte *>(values), size_of(type_of(type)), found.count) > 0)
      throw Error(
          Status::range,
          "values of the attribute '" + found.name + "' do not fit the type " + std::string(name_of(type_of(type))),
          "Read them with the attribute's own type, or SV_DOUBLE")
          .in_file(file(handle)->path());
  });
}
}
