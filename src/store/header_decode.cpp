// Strict about everything that offsets and allocations depend on; lenient about names and vsize, which old files have
// wrong.
#include <algorithm>
#include <cstring>
#include <limits>

#include "base/arithmetic.hpp"
#include "base/convert.hpp"
#include "base/error.hpp"
#include "model/enumeration.hpp"
#include "model/rules/classic.hpp"
#include "model/variable_storage.hpp"
#include "store/cdf_places.hpp"
#include "store/header_format.hpp"

namespace sv {
namespace {

[[noreturn]] void malformed(const std::string &cause) {
  throw Error(Status::format, "the header is malformed: " + cause,
              "The file is damaged, or was not written completely");
}

// Written out, these are single instructions.
uint32_t number_of_4(const std::byte *at) {
  const auto byte = [at](int i) { return std::to_integer<uint32_t>(at[i]); };
  return byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
}
uint64_t number_of_8(const std::byte *at) { return uint64_t{number_of_4(at)} << 32U | number_of_4(at + 4); }

/// Goes through the bytes of a header, from one field to the next.
class HeaderReader {
 public:
  HeaderReader(const std::byte *bytes, int64_t size, int64_t file_bytes)
      : bytes_(bytes), size_(size), limit_(file_bytes < 0 ? longest_header : std::min(file_bytes, longest_header)) {}

  void set_format(Format format) { format_ = format; }
  /// What ranks broadcast may have strings.
  void allow_strings() { allows_strings_ = true; }
  int64_t position() const { return position_; }

  // Makes sure that `wanted` more bytes are there before anything is allocated for them.
  void require(int64_t wanted) const {
    if (wanted > std::min(limit_, size_) - position_) refuse(wanted);
  }
  // `read` elements of a list of `length` have been read, from `begin` on: so long is the header, if the others are
  // like them, with a little more.
  void foresee(int64_t begin, int64_t read, int64_t length) {
    if (read == 0) return;
    const double each = static_cast<double>(position_ - begin) / static_cast<double>(read);
    likely_ = std::min(limit_, begin + static_cast<int64_t>(each * 1.05 * static_cast<double>(length)));
  }
  const std::byte *take(int64_t wanted) {
    require(wanted);
    const std::byte *at = bytes_ + position_;
    position_ += wanted;
    return at;
  }
  // Of 4 or 8 bytes.
  uint64_t number(int64_t width) {
    const std::byte *at = take(width);
    return width == 4 ? number_of_4(at) : number_of_8(at);
  }
  int64_t count() {
    const uint64_t value = number(count_width(format_));
    if (value > static_cast<uint64_t>(INT64_MAX)) malformed("a count is negative");
    return static_cast<int64_t>(value);
  }
  int64_t offset() {
    const int64_t width = offset_width(format_);
    const uint64_t value = number(width);
    if (value > (width == 4 ? uint64_t{INT32_MAX} : uint64_t{INT64_MAX})) malformed("an offset is negative");
    return static_cast<int64_t>(value);
  }
  // The length of a list whose elements take `least_bytes` or more.
  int64_t list(Tag tag, int64_t least_bytes) {
    const auto found = static_cast<Tag>(number(4));
    const int64_t length = count();
    if (found != tag && !(found == Tag::absent && length == 0)) malformed("a list has the wrong tag");
    if (length > longest_header / least_bytes) malformed("a list is too long");
    require(length * least_bytes);
    return length;
  }
  // Of the bytes themselves.
  std::string_view name() {
    const int64_t length = count();
    if (length < 1 || length > longest_name) malformed("a name is empty or longer than 256 bytes");
    const char *text = reinterpret_cast<const char *>(take(align_up(length, 4)));
    const std::string_view name(text, static_cast<size_t>(length));
    if (name.find('\0') != std::string_view::npos) malformed("a name contains a zero");
    return name;
  }
  /// Words, which only ranks broadcast.
  std::string text() {
    const int64_t length = count();
    if (length > longest_header) malformed("a text is too long");
    const char *const words = reinterpret_cast<const char *>(take(align_up(length, 4)));
    return {words, static_cast<size_t>(length)};
  }
  Type type() {
    const uint64_t value = number(4);
    if (allows_strings_ && value == static_cast<uint64_t>(Type::string)) return Type::string;
    if (value < 1 || value > (format_ == Format::cdf5 ? 11 : 6)) malformed("a type does not exist in this format");
    return static_cast<Type>(value);
  }

 private:
  [[noreturn]] void refuse(int64_t wanted) const {
    if (wanted > limit_ - position_) malformed("it is longer than the file, or than 64 MiB");
    throw NeedMore{position_ + wanted, likely_};
  }

  const std::byte *bytes_;
  int64_t size_, limit_;
  int64_t position_ = 0, likely_ = 0;
  Format format_ = Format::cdf1;
  bool allows_strings_ = false;
};

Format read_magic(HeaderReader &reader) {
  const std::byte *magic = reader.take(4);
  if (std::memcmp(magic, "\x89HDF", 4) == 0)
    throw Error(Status::format, "this is an HDF5 (netCDF-4) file, not CDF-1, CDF-2 or CDF-5",
                "Convert it: nccopy -k cdf5 IN OUT");
  const int version = std::to_integer<int>(magic[3]);
  if (std::memcmp(magic, "CDF", 3) != 0 || (version != 1 && version != 2 && version != 5))
    throw Error(Status::format, "this is not a netCDF file: neither CDF-1, CDF-2, CDF-5 nor netCDF-4 (HDF5)",
                "Check the path");
  return static_cast<Format>(version);
}

// The lists of a header, each with the fewest bytes that one of its elements takes.
int64_t list_of_dimensions(HeaderReader &reader, Format format) {
  return reader.list(Tag::dimension, 2 * count_width(format) + 4);
}
int64_t list_of_attributes(HeaderReader &reader, Format format) {
  return reader.list(Tag::attribute, 2 * count_width(format) + 8);
}
int64_t list_of_variables(HeaderReader &reader, Format format) {
  return reader.list(Tag::variable, 4 * count_width(format) + offset_width(format) + 12);
}

void check_length(std::string_view attribute, int64_t count, int64_t width) {
  if (count > longest_header / width) malformed("attribute '" + std::string(attribute) + "' is too long");
}

void check_dims(std::string_view variable, int64_t dims) {
  if (dims > max_dims)
    throw Error(Status::limit, "it has " + std::to_string(dims) + " dimensions",
                "At most " + std::to_string(max_dims) + " are supported")
        .in_variable(std::string(variable));
}

void skip_attributes(HeaderReader &reader, Format format) {
  for (int64_t left = list_of_attributes(reader, format); left > 0; --left) {
    const std::string_view name = reader.name();
    const int64_t width = size_of(reader.type()), count = reader.count();
    check_length(name, count, width);
    reader.take(align_up(count * width, 4));
  }
}

void skip_variable(HeaderReader &reader, Format format) {
  const std::string_view name = reader.name();
  const int64_t dims = reader.count();
  check_dims(name, dims);
  reader.take(dims * count_width(format));
  skip_attributes(reader, format);
  reader.take(4 + count_width(format) + offset_width(format));
}

std::vector<Attribute> read_attributes(HeaderReader &reader, Format format) {
  std::vector<Attribute> attributes;
  const int64_t length = list_of_attributes(reader, format);
  attributes.reserve(static_cast<size_t>(length));
  for (int64_t i = 0; i < length; ++i) {
    Attribute &attribute = attributes.emplace_back();
    attribute.name = reader.name();
    attribute.type = reader.type();
    attribute.count = reader.count();
    const int64_t width = size_of(attribute.type);
    const int64_t elements = attribute.type == Type::string ? reader.count() : attribute.count;
    check_length(attribute.name, elements, width);
    const std::byte *values = reader.take(align_up(elements * width, 4));
    attribute.values.assign({values, static_cast<size_t>(elements * width)});
    if (attribute.type == Type::string && std::ranges::count(attribute.values, std::byte{}) != attribute.count)
      malformed("attribute '" + attribute.name + "' has other strings than it says");
    if (width > 1)
      unpack_row(attribute.type, attribute.type, ByteOrder::big)(values, attribute.values.data(), width,
                                                                 attribute.count);
  }
  return attributes;
}

void read_dimensions(HeaderReader &reader, Schema &schema) {
  const int64_t length = list_of_dimensions(reader, schema.format);
  for (int64_t i = 0; i < length; ++i) {
    Dimension dim;
    dim.name = reader.name();
    dim.length = reader.count();
    dim.is_record = dim.length == 0;
    schema.dims.push_back(std::move(dim));
  }
}

/// `begin`: where it stands.
void read_variable(HeaderReader &reader, const Schema &schema, Variable &variable, int64_t &begin) {
  variable.name = reader.name();
  const int64_t rank = reader.count();
  check_dims(variable.name, rank);
  variable.dims.reserve(static_cast<size_t>(rank));
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t dim = reader.count();
    if (dim >= static_cast<int64_t>(schema.dims.size())) malformed("'" + variable.name + "' has an unknown dimension");
    variable.dims.push_back(static_cast<int>(dim));
  }
  variable.attributes = read_attributes(reader, schema.format);
  variable.type = reader.type();
  reader.take(count_width(schema.format));  // vsize is redundant, and wrong in many old files
  begin = reader.offset();
}

// Variables that share bytes would make a copy of a small file as large as one likes. `records`: of the variables that
// have some, otherwise of the others.
void check_overlap(const PlacedSchema &schema, bool records) {
  std::vector<int> ordered;
  for (int v = 0; v < std::ssize(schema.variables); ++v)
    if (schema.variables[v].has_records == records) ordered.push_back(v);
  std::sort(ordered.begin(), ordered.end(),
            [&](int one, int other) { return schema.place(one).begin < schema.place(other).begin; });
  for (size_t i = 1; i < ordered.size(); ++i) {
    const Variable &one = schema.variables[ordered[i - 1]], &next = schema.variables[ordered[i]];
    if (schema.place(ordered[i]).begin - schema.place(ordered[i - 1]).begin < slab_size(schema, one))
      malformed("'" + one.name + "' and '" + next.name + "' overlap");
  }
}

void set_records(PlacedSchema &schema, int64_t stored, int64_t file_bytes) {
  const CdfPlaces &places = *schema.places;
  schema.records = std::max<int64_t>(0, stored);
  if (stored < 0 && places.record_bytes > 0 && file_bytes > places.record_begin)
    schema.records = (file_bytes - places.record_begin) / places.record_bytes;
  int64_t end = schema.records;
  if (!multiply_into(end, places.record_bytes) || !add_into(end, places.record_begin))
    malformed("it counts more records than a file can hold");
}

/// All but the places. `begins`: of the variables. Returns the number of records, or −1.
int64_t read_definitions(HeaderReader &reader, Schema &schema, std::vector<int64_t> &begins) {
  schema.format = read_magic(reader);
  reader.set_format(schema.format);
  const int64_t stored_records = decode_records(schema.format, reader.take(count_width(schema.format)));
  if (stored_records < -1) malformed("the count of records is negative");
  read_dimensions(reader, schema);
  schema.attributes = read_attributes(reader, schema.format);
  const int64_t variables = list_of_variables(reader, schema.format);
  schema.variables.reserve(static_cast<size_t>(variables));
  for (int64_t v = 0; v < variables; ++v)
    read_variable(reader, schema, schema.variables.emplace_back(), begins.emplace_back());
  return stored_records;
}

/// The data behind a header that was made for a format without offsets.
void read_growing(HeaderReader &reader, Schema &schema) {
  for (int64_t left = reader.count(); left > 0; --left) {
    const int64_t dim = reader.count();
    if (dim >= std::ssize(schema.dims)) malformed("an unlimited dimension does not exist");
    schema.dims[static_cast<size_t>(dim)].is_record = false;
    schema.dims[static_cast<size_t>(dim)].grows = true;
  }
}

void read_storages(HeaderReader &reader, Schema &schema) {
  constexpr int64_t most_numbers = 128;
  for (int64_t left = reader.count(); left > 0; --left) {
    const int64_t v = reader.count();
    if (v >= std::ssize(schema.variables)) malformed("a variable that is stored does not exist");
    std::vector<int64_t> numbers;
    const int64_t count = reader.count();
    if (count > most_numbers) malformed("the storage of a variable is too long");
    for (int64_t i = 0; i < count; ++i) numbers.push_back(reader.count() - 1);
    schema.variables[static_cast<size_t>(v)].storage =
        std::make_shared<const VariableStorage>(decoded_storage(numbers));
  }
}

void read_groups(HeaderReader &reader, Schema &schema) {
  for (int64_t left = reader.count(); left > 0; --left) {
    Group &group = schema.groups.emplace_back();
    group.name = reader.name();
    group.attributes = read_attributes(reader, schema.format);
  }
}

void read_enumerations(HeaderReader &reader, Schema &schema) {
  for (int64_t left = reader.count(); left > 0; --left) {
    const int64_t v = reader.count();
    if (v >= std::ssize(schema.variables)) malformed("a variable with names of integers does not exist");
    Enumeration names{std::string(reader.name()), {}};
    for (int64_t members = reader.count(); members > 0; --members) {
      std::string name(reader.name());
      names.members.push_back({std::move(name), static_cast<int64_t>(reader.number(8))});
    }
    schema.variables[static_cast<size_t>(v)].enumeration = std::make_shared<const Enumeration>(std::move(names));
  }
}

}  // namespace

void place_at(PlacedSchema &schema, const std::vector<int64_t> &begins, int64_t header_bytes) {
  CdfPlaces &places = schema.places.emplace(slab_sizes(schema));
  places.header_bytes = header_bytes;
  int64_t fixed_end = header_bytes, record_begin = INT64_MAX;
  places.data_begin = begins.empty() ? header_bytes : INT64_MAX;
  for (size_t v = 0; v < begins.size(); ++v) {
    const Variable &variable = schema.variables[v];
    const int64_t begin = places.variables[v].begin = begins[v];
    if (begin < header_bytes) malformed("'" + variable.name + "' begins inside the header");
    if (begin > INT64_MAX / 2) malformed("'" + variable.name + "' begins beyond 2^62 bytes");
    places.data_begin = std::min(places.data_begin, begin);
    if (variable.has_records) {
      record_begin = std::min(record_begin, begin);
    } else {
      fixed_end = std::max(fixed_end, begin + slab_size(schema, variable));
    }
  }
  places.record_begin = places.record_bytes > 0 ? record_begin : fixed_end;
  if (fixed_end > places.record_begin) malformed("fixed variables overlap the records");
  for (size_t v = 0; v < begins.size(); ++v)
    if (schema.variables[v].has_records &&
        begins[v] - places.record_begin > places.record_bytes - places.variables[v].slab_bytes)
      malformed("'" + schema.variables[v].name + "' stands outside the records");
  for (const bool records : {false, true}) check_overlap(schema, records);
}

int64_t header_end(const std::byte *bytes, int64_t size, int64_t file_bytes) {
  HeaderReader reader(bytes, size, file_bytes);
  const Format format = read_magic(reader);
  reader.set_format(format);
  reader.take(count_width(format));  // the number of records
  for (int64_t left = list_of_dimensions(reader, format); left > 0; --left) {
    reader.name();
    reader.count();
  }
  skip_attributes(reader, format);
  const int64_t variables = list_of_variables(reader, format), begin = reader.position();
  for (int64_t v = 0; v < variables; ++v) {
    reader.foresee(begin, v, variables);
    skip_variable(reader, format);
  }
  return reader.position();
}

PlacedSchema decode_header(const std::byte *bytes, int64_t size, int64_t file_bytes) {
  HeaderReader reader(bytes, size, file_bytes);
  PlacedSchema schema;
  std::vector<int64_t> begins;
  const int64_t stored_records = read_definitions(reader, schema, begins);
  try {
    classic::check_dimensions(schema);
    schema.mark_records();
    place_at(schema, begins, reader.position());
  } catch (const Error &error) {
    if (error.status() == Status::limit || error.status() == Status::define) malformed(error.what());
    throw;
  }
  set_records(schema, stored_records, file_bytes);
  return schema;
}

PlacedSchema decode_broadcast(std::span<const std::byte> header, Format format) {
  if (has_places(format)) return decode_header(header.data(), std::ssize(header), -1);
  HeaderReader reader(header.data(), std::ssize(header), -1);
  reader.allow_strings();
  PlacedSchema schema;
  std::vector<int64_t> none;
  schema.records = read_definitions(reader, schema, none);
  read_growing(reader, schema);
  read_storages(reader, schema);
  read_groups(reader, schema);
  read_enumerations(reader, schema);
  for (int64_t left = reader.count(); left > 0; --left) {
    Omission &each = schema.omissions.emplace_back();
    each.what = reader.text();
    each.reason = reader.text();
    each.is_lost = reader.number(4) != 0;
  }
  for (int64_t left = reader.count(); left > 0; --left) {
    const int64_t v = reader.count();
    if (v >= std::ssize(schema.variables)) malformed("a variable that is not filled does not exist");
    schema.variables[static_cast<size_t>(v)].no_fill = true;
  }
  schema.mark_records();
  schema.format = format;
  return schema;
}

}  // namespace sv
