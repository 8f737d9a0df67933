#include <netcdf.h>
// needs the one above
#include <netcdf_filter.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "backend/netcdf_c/opened_to_read.hpp"
#include "base/convert.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "model/enumeration.hpp"
#include "model/error_encoder.hpp"
#include "model/rules/netcdf4.hpp"
#include "model/variable_storage.hpp"

namespace sv::netcdf4 {

namespace {

/// netCDF's own attributes, which nc_put_att refuses, and those that describe how a variable was stored.
bool is_hidden(const std::string &name) {
  return name == "_NCProperties" || name == "_Netcdf4Dimid" || name == "_Netcdf4Coordinates" ||
         name == "DIMENSION_LIST" || name == "REFERENCE_LIST" || name == "CLASS" || name == "NAME";
}

bool is_basic(nc_type type) { return type >= NC_BYTE && type <= NC_UINT64; }

std::string quoted(const std::string &kind, const std::string &name) { return kind + " '" + name + "'"; }

bool is_usable_name(const std::string &name) {
  return !caught(-1, [&] { check_name(name); });
}

/// How values of a type of the file are read: as the basic type `type`, or not at all; `words` says what the type is.
struct Reading {
  nc_type type = NC_NAT;
  std::string words;
  bool is_read() const { return type != NC_NAT; }
};

/// The members of an enumeration are integers.
Reading reading_of(int id, nc_type type) {
  if (is_basic(type)) return {type, ""};
  if (type == NC_STRING) return {NC_STRING, ""};
  char name[NC_MAX_NAME + 1] = "";
  int kind = 0;
  nc_type base = NC_NAT;
  check(nc_inq_user_type(id, type, name, nullptr, &base, nullptr, &kind), "nc_inq_user_type");
  switch (kind) {
    case NC_ENUM:
      return {is_basic(base) ? base : NC_NAT, quoted("values of the enumeration", name)};
    case NC_COMPOUND:
      return {NC_NAT, quoted("structures of the type", name)};
    case NC_VLEN:
      return {NC_NAT, quoted("lists of the type", name)};
    default:
      return {NC_NAT, quoted("values of the opaque type", name)};
  }
}

/// The names of an enumeration; nullptr where one of its values is beyond 2^63.
std::shared_ptr<const Enumeration> enumeration_of(int id, nc_type type) {
  char name[NC_MAX_NAME + 1] = "";
  nc_type base = NC_NAT;
  size_t bytes = 0, members = 0;
  check(nc_inq_enum(id, type, name, &base, &bytes, &members), "nc_inq_enum");
  Enumeration made{name, {}};
  for (size_t m = 0; m < members; ++m) {
    Element element{};
    int64_t value = 0;
    check(nc_inq_enum_member(id, type, static_cast<int>(m), name, element.data()), "nc_inq_enum_member");
    const auto unpack = unpack_row(static_cast<Type>(base), Type::int64, ByteOrder::native);
    if (unpack(element.data(), reinterpret_cast<std::byte *>(&value), sizeof value, 1) > 0) return nullptr;
    made.members.push_back({name, value});
  }
  const auto is_usable = [](const Enumeration::Member &each) { return is_usable_name(each.name); };
  const bool is_whole = is_usable_name(made.name) && std::ranges::all_of(made.members, is_usable);
  return is_whole && !made.members.empty() ? std::make_shared<const Enumeration>(std::move(made)) : nullptr;
}

void find_filters(int id, int variable, VariableStorage &found) {
  int shuffle = 0, deflate = 0, level = 0, sum = 0;
  check(nc_inq_var_deflate(id, variable, &shuffle, &deflate, &level), "nc_inq_var_deflate");
  check(nc_inq_var_fletcher32(id, variable, &sum), "nc_inq_var_fletcher32");
  found.shuffle = shuffle != 0;
  found.deflate = deflate != 0 ? level : 0;
  found.fletcher32 = sum != 0;
  size_t count = 0;
  check(nc_inq_var_filter_ids(id, variable, &count, nullptr), "nc_inq_var_filter_ids");
  std::vector<unsigned> numbers(count);
  if (count > 0) check(nc_inq_var_filter_ids(id, variable, &count, numbers.data()), "nc_inq_var_filter_ids");
  for (const unsigned number : numbers) {
    const auto filter = static_cast<FilterNumber>(number);
    if (filter == FilterNumber::shuffle || filter == FilterNumber::deflate || filter == FilterNumber::fletcher32)
      continue;
    size_t given = 0;
    check(nc_inq_var_filter_info(id, variable, number, &given, nullptr), "nc_inq_var_filter_info");
    std::vector<unsigned> params(std::max<size_t>(given, 1));
    check(nc_inq_var_filter_info(id, variable, number, &given, params.data()), "nc_inq_var_filter_info");
    if (filter == FilterNumber::zstd)
      found.zstd = std::clamp(static_cast<int>(params[0]), 1, 22);
    else if (const auto encoder = find_encoder(number))
      found.error_encoder = encoder->encoder;
    else
      found.others.push_back(number);
  }
}

void find_quantization(int id, int variable, VariableStorage &found) {
  int mode = NC_NOQUANTIZE, amount = 0;
  check(nc_inq_var_quantize(id, variable, &mode, &amount), "nc_inq_var_quantize");
  if (mode == NC_NOQUANTIZE || amount <= 0) return;
  using Mode = Quantization::Mode;
  found.quantize = amount;
  found.quantize_mode = mode == NC_QUANTIZE_BITGROOM     ? Mode::bit_groom
                        : mode == NC_QUANTIZE_GRANULARBR ? Mode::granular
                                                         : Mode::bit_round;
}

/// How a variable of the file is stored, apart from an error bound, which its attributes state.
VariableStorage storage_of(int id, int variable, size_t dims) {
  VariableStorage found;
  found.is_found = true;
  int kind = NC_CONTIGUOUS, endian = NC_ENDIAN_NATIVE;
  std::vector<size_t> lengths(std::max<size_t>(dims, 1));
  check(nc_inq_var_chunking(id, variable, &kind, lengths.data()), "nc_inq_var_chunking");
  found.chunks = kind == NC_CHUNKED && dims > 0 ? ChunkKind::given : ChunkKind::contiguous;
  for (size_t d = 0; found.chunks == ChunkKind::given && d < dims; ++d)
    found.shape.push(static_cast<int64_t>(lengths[d]));
  if (found.chunks == ChunkKind::given) find_filters(id, variable, found);
  find_quantization(id, variable, found);
  check(nc_inq_var_endian(id, variable, &endian), "nc_inq_var_endian");
  if (endian >= NC_ENDIAN_NATIVE && endian <= NC_ENDIAN_BIG && swaps(static_cast<Endian>(endian)))
    found.endian = static_cast<Endian>(endian);
  return found;
}

/// Omitted and converted parts are listed in the schema's omissions.
class Inquiry {
 public:
  explicit Inquiry(int id) : id_(id) {}

  Schema schema() {
    int format = 0;
    check(nc_inq_format(id_, &format), "nc_inq_format");
    schema_.format = format == NC_FORMAT_NETCDF4_CLASSIC ? Format::netcdf4_classic : Format::netcdf4;
    find_groups({id_, ""});
    for (const Place &each : groups_) foresee_variables(each);
    for (const Place &each : groups_) read_dims(each);
    for (const Place &each : groups_) read_attributes(each);
    for (const Seen &each : seen_) read_variable(each);
    enhanced::choose_record_dimension(schema_);
    name_lengths();
    return std::move(schema_);
  }

 private:
  /// A group: its number, and the prefix of its members' names.
  struct Place {
    int id;
    std::string prefix;
  };
  struct Seen {
    int group, variable;
    std::string name;
    Reading reading;
    std::vector<int> dims;  // numbers of netCDF
    std::shared_ptr<const Enumeration> names;
  };

  void omit(const std::string &what, const std::string &reason) { schema_.omissions.push_back({what, reason}); }
  bool omits_name(const std::string &kind, const std::string &name, const std::string &owner = "");
  bool omits_path(const std::string &kind, const Place &place, const std::string &name);
  void find_groups(const Place &place);
  void foresee_variables(const Place &place);
  void foresee_variable(const Place &place, int variable);
  void read_dims(const Place &place);
  void read_attributes(const Place &place);
  void read_variable(const Seen &seen);
  void name_lengths();
  /// Whose attributes are read: a variable of the group `id`, or the group.
  struct Owner {
    int id, variable;
    std::string words;
  };
  std::vector<Attribute> attributes_of(const Owner &owner);
  std::optional<Attribute> attribute(const Owner &owner, const std::string &name, const std::string &words);
  static Attribute strings(const Owner &owner, const std::string &name, size_t count);

  const int id_;
  Schema schema_;
  std::vector<Place> groups_;  // the outermost one first
  std::vector<Seen> seen_;     // the variables that are read
  std::vector<int> dim_ids_;   // of the schema's dimensions
};

/// HDF5 and netCDF-C's readers take other names than its writers.
bool Inquiry::omits_name(const std::string &kind, const std::string &name, const std::string &owner) {
  if (is_usable_name(name)) return false;
  omit(quoted(kind, printable(name)) + owner, "it is left out, since no " + kind + " of netCDF may have this name");
  return true;
}

bool Inquiry::omits_path(const std::string &kind, const Place &place, const std::string &name) {
  if (omits_name(kind, name, place.prefix.empty() ? "" : " of group '" + place.prefix + "'")) return true;
  if (std::ssize(place.prefix + name) <= longest_name) return false;
  omit(quoted(kind, place.prefix + name),
       "it is left out, since its name and those of its groups are longer than 256 bytes");
  return true;
}

/// An outer group comes before those that are in it.
void Inquiry::find_groups(const Place &place) {
  groups_.push_back(place);
  int count = 0;
  check(nc_inq_grps(place.id, &count, nullptr), "nc_inq_grps");
  std::vector<int> ids(static_cast<size_t>(count));
  check(nc_inq_grps(place.id, &count, ids.data()), "nc_inq_grps");
  for (const int id : ids) {
    char name[NC_MAX_NAME + 1] = "";
    check(nc_inq_grpname(id, name), "nc_inq_grpname");
    if (omits_path("group", place, name)) continue;
    schema_.groups.push_back({place.prefix + name, {}});
    find_groups({id, place.prefix + name + "/"});
  }
}

void Inquiry::foresee_variables(const Place &place) {
  int variables = 0;
  check(nc_inq_nvars(place.id, &variables), "nc_inq_nvars");
  for (int v = 0; v < variables; ++v) foresee_variable(place, v);
}

void Inquiry::foresee_variable(const Place &place, int variable) {
  char name[NC_MAX_NAME + 1] = "";
  nc_type type = NC_NAT;
  int dims = 0;
  check(nc_inq_var(place.id, variable, name, &type, &dims, nullptr, nullptr), "nc_inq_var");
  if (omits_path("variable", place, name)) return;
  Seen seen{
      place.id, variable, place.prefix + name, reading_of(place.id, type), std::vector<int>(static_cast<size_t>(dims)),
      nullptr};
  const std::string words = quoted("variable", seen.name);
  if (!seen.reading.is_read()) return omit(words, "it is left out, since it contains " + seen.reading.words);
  if (dims > max_dims)
    return omit(words, "it is left out, since it has " + std::to_string(dims) + " dimensions, and Sverdrup reads " +
                           std::to_string(max_dims));
  if (!seen.reading.words.empty()) seen.names = enumeration_of(place.id, type);
  if (!seen.reading.words.empty() && seen.names == nullptr)
    omit(words, "it contains " + seen.reading.words + ", and is read as integers without their names");
  check(nc_inq_vardimid(place.id, variable, seen.dims.data()), "nc_inq_vardimid");
  seen_.push_back(std::move(seen));
}

void Inquiry::read_dims(const Place &place) {
  int count = 0, growing = 0;
  check(nc_inq_dimids(place.id, &count, nullptr, 0), "nc_inq_dimids");
  std::vector<int> ids(static_cast<size_t>(count));
  check(nc_inq_dimids(place.id, &count, ids.data(), 0), "nc_inq_dimids");
  check(nc_inq_unlimdims(place.id, &growing, nullptr), "nc_inq_unlimdims");
  std::vector<int> unlimited(static_cast<size_t>(growing));
  check(nc_inq_unlimdims(place.id, &growing, unlimited.data()), "nc_inq_unlimdims");
  for (const int dim : ids) {
    char name[NC_MAX_NAME + 1] = "";
    size_t length = 0;
    check(nc_inq_dim(place.id, dim, name, &length), "nc_inq_dim");
    if (omits_path("dimension", place, name)) continue;
    const bool grows = std::find(unlimited.begin(), unlimited.end(), dim) != unlimited.end();
    if (!grows && length == 0) {  // which dimensions of fixed length cannot have
      omit(quoted("dimension", place.prefix + name), "it is left out, since it has the length 0");
      continue;
    }
    dim_ids_.push_back(dim);
    schema_.dims.push_back({place.prefix + name, static_cast<int64_t>(length), false, grows});
  }
}

void Inquiry::read_attributes(const Place &place) {
  const std::string group = place.prefix.substr(0, place.prefix.size() - (place.prefix.empty() ? 0 : 1));
  std::vector<Attribute> found =
      attributes_of({place.id, NC_GLOBAL, group.empty() ? "" : " of " + quoted("group", group)});
  if (group.empty())
    schema_.attributes = std::move(found);
  else
    schema_.groups[static_cast<size_t>(schema_.find_group(group))].attributes = std::move(found);
}

void Inquiry::read_variable(const Seen &seen) {
  Variable made{.name = seen.name, .type = static_cast<Type>(seen.reading.type), .dims = {}, .attributes = {}};
  for (const int dim : seen.dims) {
    const auto at = std::find(dim_ids_.begin(), dim_ids_.end(), dim);
    if (at == dim_ids_.end())
      return omit(quoted("variable", made.name), "it is left out, since one of its dimensions is");
    made.dims.push_back(static_cast<int>(at - dim_ids_.begin()));
  }
  made.enumeration = seen.names;
  int no_fill = 0;
  check(nc_inq_var_fill(seen.group, seen.variable, &no_fill, nullptr), "nc_inq_var_fill");
  made.no_fill = no_fill != 0 && made.type != Type::string;
  made.attributes = attributes_of({seen.group, seen.variable, " of " + quoted("variable", made.name)});
  VariableStorage storage = storage_of(seen.group, seen.variable, made.dims.size());
  if (Quantization stated = quantization_in(made.attributes); stated.has_bound()) {
    stated.encoder = storage.quantization().encoder;
    storage.set_quantization(stated);
  }
  made.storage = std::make_shared<const VariableStorage>(std::move(storage));
  schema_.variables.push_back(std::move(made));
}

/// Callers that ask for the record dimension see the other ones as lengths.
void Inquiry::name_lengths() {
  for (const Dimension &each : schema_.dims)
    if (each.grows)
      schema_.omissions.push_back({quoted("dimension", each.name),
                                   "it is unlimited, and read with the length " + std::to_string(each.length) +
                                       ": records are those of one dimension, the slowest of each variable",
                                   false});
}

Attribute Inquiry::strings(const Owner &owner, const std::string &name, size_t count) {
  std::vector<char *> texts(count);
  if (count > 0)
    check(nc_get_att_string(owner.id, owner.variable, name.c_str(), texts.data()),
          "nc_get_att_string of '" + name + "'");
  std::vector<std::string> copies;
  for (const char *each : texts) copies.emplace_back(each == nullptr ? "" : each);
  nc_free_string(count, texts.data());
  return string_attribute(name, copies);
}

std::optional<Attribute> Inquiry::attribute(const Owner &owner, const std::string &name, const std::string &words) {
  nc_type type = NC_NAT;
  size_t length = 0;
  check(nc_inq_att(owner.id, owner.variable, name.c_str(), &type, &length), "nc_inq_att");
  if (type == NC_STRING) return strings(owner, name, length);
  const Reading reading = reading_of(owner.id, type);
  if (!reading.is_read()) {
    omit(words, "it is left out, since it contains " + reading.words);
    return std::nullopt;
  }
  Attribute made{name, static_cast<Type>(reading.type), static_cast<int64_t>(length), {}};
  made.values.resize(length * static_cast<size_t>(size_of(made.type)));
  if (length > 0) check(nc_get_att(owner.id, owner.variable, name.c_str(), made.values.data()), "nc_get_att");
  return made;
}

std::vector<Attribute> Inquiry::attributes_of(const Owner &owner) {
  int count = 0;
  check(
      owner.variable == NC_GLOBAL ? nc_inq_natts(owner.id, &count) : nc_inq_varnatts(owner.id, owner.variable, &count),
      "nc_inq_natts");
  std::vector<Attribute> attributes;
  for (int a = 0; a < count; ++a) {
    char name[NC_MAX_NAME + 1] = "";
    check(nc_inq_attname(owner.id, owner.variable, a, name), "nc_inq_attname");
    if (is_hidden(name) || omits_name("attribute", name, owner.words)) continue;
    if (auto made = attribute(owner, name, quoted("attribute", name) + owner.words))
      attributes.push_back(std::move(*made));
  }
  return attributes;
}

}  // namespace

Schema inquire(int id) { return Inquiry(id).schema(); }

Schema read_definitions(const std::string &path) {
  try {
    OpenedToRead file(path);
    Schema schema = inquire(file.id());
    file.close();
    return schema;
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

}  // namespace sv::netcdf4
