#include <algorithm>
#include <array>
#include <span>

#include "base/arithmetic.hpp"
#include "base/convert.hpp"
#include "base/error.hpp"
#include "model/enumeration.hpp"
#include "model/variable_storage.hpp"
#include "store/cdf_places.hpp"
#include "store/header_format.hpp"

namespace sv {
namespace {

/// Where the bytes of a header go: into memory, of zeros, that has room for them.
class Memory {
 public:
  explicit Memory(std::vector<std::byte> &bytes) : bytes_(bytes) {}

  void add(std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + length_);
    length_ += std::ssize(bytes);
  }
  void add(const Attribute &attribute) {
    const int64_t width = size_of(attribute.type);
    if (width == 1) return add(std::span<const std::byte>(attribute.values));
    pack_row(attribute.type, attribute.type, ByteOrder::big)(attribute.values.data(), width, bytes_.data() + length_,
                                                             attribute.count);
    length_ += std::ssize(attribute.values);
  }
  void pad() { length_ = align_up(length_, 4); }

 private:
  std::vector<std::byte> &bytes_;
  int64_t length_ = 0;
};

/// Or nowhere: they are counted.
class Ruler {
 public:
  void add(std::span<const std::byte> bytes) { length_ += std::ssize(bytes); }
  void add(const Attribute &attribute) { length_ += std::ssize(attribute.values); }
  void pad() { length_ = align_up(length_, 4); }
  int64_t length() const { return length_; }

 private:
  int64_t length_ = 0;
};

template <class Target>
class HeaderWriter {
 public:
  HeaderWriter(Format format, Target &target) : format_(format), target_(target) {}

  void number(uint64_t value, int64_t width) {
    std::array<std::byte, 8> bytes;
    for (size_t i = bytes.size(); i-- > 0; value >>= 8U) bytes[i] = static_cast<std::byte>(value);
    target_.add(std::span(bytes).last(static_cast<size_t>(width)));
  }
  void count(int64_t value) { number(static_cast<uint64_t>(value), count_width(format_)); }
  void offset(int64_t value) { number(static_cast<uint64_t>(value), offset_width(format_)); }
  void list(Tag tag, size_t length) {
    number(length == 0 ? 0 : static_cast<uint64_t>(tag), 4);
    count(static_cast<int64_t>(length));
  }
  void name(const std::string &text) {
    count(static_cast<int64_t>(text.size()));
    target_.add(std::as_bytes(std::span(text)));
    target_.pad();
  }
  /// Only broadcast headers contain strings: behind the number of their bytes.
  void values(const Attribute &attribute) {
    if (attribute.type == Type::string) count(std::ssize(attribute.values));
    target_.add(attribute);
    target_.pad();
  }

 private:
  Format format_;
  Target &target_;
};

template <class Target>
void write_attributes(HeaderWriter<Target> &writer, const std::vector<Attribute> &attributes) {
  writer.list(Tag::attribute, attributes.size());
  for (const Attribute &attribute : attributes) {
    writer.name(attribute.name);
    writer.number(static_cast<uint64_t>(attribute.type), 4);
    writer.count(attribute.count);
    writer.values(attribute);
  }
}

// Always padded, even where records are not; 2^32 - 1 stands for sizes that a 4-byte field cannot hold.
int64_t vsize(Format format, int64_t slab_bytes) {
  constexpr int64_t two32 = int64_t{1} << 32;
  const int64_t bytes = align_up(slab_bytes, 4);
  return format != Format::cdf5 && bytes > two32 - 4 ? two32 - 1 : bytes;
}

template <class Target>
void write_variable(HeaderWriter<Target> &writer, Format format, const Variable &variable,
                    const CdfPlaces::Place &place) {
  writer.name(variable.name);
  writer.count(static_cast<int64_t>(variable.dims.size()));
  for (const int dim : variable.dims) writer.count(dim);
  write_attributes(writer, variable.attributes);
  writer.number(static_cast<uint64_t>(variable.type), 4);
  writer.count(vsize(format, place.slab_bytes));
  writer.offset(place.begin);
}

/// Numbers of −1 and more stand one higher. Each variable of which there is one is named by its number.
template <class Target>
void write_storages(HeaderWriter<Target> &writer, const std::vector<Variable> &variables) {
  writer.count(std::ranges::count_if(variables, [](const Variable &each) { return each.storage != nullptr; }));
  for (int64_t v = 0; v < std::ssize(variables); ++v) {
    const auto &storage = variables[static_cast<size_t>(v)].storage;
    if (storage == nullptr) continue;
    const std::vector<int64_t> numbers = encoded(*storage);
    writer.count(v);
    writer.count(std::ssize(numbers));
    for (const int64_t number : numbers) writer.count(number + 1);
  }
}

/// Each variable whose integers have names, by its number.
template <class Target>
void write_enumerations(HeaderWriter<Target> &writer, const std::vector<Variable> &variables) {
  writer.count(std::ranges::count_if(variables, [](const Variable &each) { return each.enumeration != nullptr; }));
  for (int64_t v = 0; v < std::ssize(variables); ++v) {
    const auto &names = variables[static_cast<size_t>(v)].enumeration;
    if (names == nullptr) continue;
    writer.count(v);
    writer.name(names->name);
    writer.count(std::ssize(names->members));
    for (const auto &[name, value] : names->members) {
      writer.name(name);
      writer.number(static_cast<uint64_t>(value), 8);
    }
  }
}

template <class Target>
void write_omissions(HeaderWriter<Target> &writer, const std::vector<Omission> &omissions) {
  writer.count(std::ssize(omissions));
  for (const Omission &each : omissions) {
    writer.name(each.what);
    writer.name(each.reason);
    writer.number(each.is_lost ? 1 : 0, 4);
  }
}

template <class Target>
void write_header(Target &target, const PlacedSchema &schema) {
  if (schema.format == Format::automatic)
    throw Error(Status::internal, "a header is wanted before its format was chosen", "Please report this");
  const Format format = has_places(schema.format) ? schema.format : Format::cdf5;
  HeaderWriter writer(format, target);
  for (const char c : {'C', 'D', 'F'}) writer.number(static_cast<uint64_t>(c), 1);
  writer.number(static_cast<uint64_t>(format), 1);
  writer.count(schema.records);
  writer.list(Tag::dimension, schema.dims.size());
  for (const Dimension &dim : schema.dims) {
    writer.name(dim.name);
    writer.count(dim.is_record ? 0 : dim.length);
  }
  write_attributes(writer, schema.attributes);
  writer.list(Tag::variable, schema.variables.size());
  for (size_t v = 0; v < schema.variables.size(); ++v)
    write_variable(
        writer, format, schema.variables[v],
        schema.places && v < schema.places->variables.size() ? schema.places->variables[v] : CdfPlaces::Place{});
  if (has_places(schema.format)) return;
  writer.count(std::ranges::count_if(schema.dims, &Dimension::grows));
  for (int64_t d = 0; d < std::ssize(schema.dims); ++d)
    if (schema.dims[static_cast<size_t>(d)].grows) writer.count(d);
  write_storages(writer, schema.variables);
  writer.count(std::ssize(schema.groups));
  for (const Group &group : schema.groups) {
    writer.name(group.name);
    write_attributes(writer, group.attributes);
  }
  write_enumerations(writer, schema.variables);
  write_omissions(writer, schema.omissions);
  writer.count(std::ranges::count_if(schema.variables, &Variable::no_fill));
  for (int64_t v = 0; v < std::ssize(schema.variables); ++v)
    if (schema.variables[static_cast<size_t>(v)].no_fill) writer.count(v);
}

}  // namespace

std::vector<std::byte> encode_header(const PlacedSchema &schema) {
  std::vector<std::byte> bytes(static_cast<size_t>(header_length(schema)));
  Memory memory(bytes);
  write_header(memory, schema);
  return bytes;
}

int64_t header_length(const PlacedSchema &schema) {
  Ruler ruler;
  write_header(ruler, schema);
  return ruler.length();
}

std::vector<std::byte> encode_records(Format format, int64_t records) {
  // By the specification a count of 4 bytes is a signed number.
  if (format != Format::cdf5 && records > INT32_MAX)
    throw Error(Status::limit, "the file would have " + std::to_string(records) + " records", "Set the format to cdf5");
  std::vector<std::byte> bytes(static_cast<size_t>(count_width(format)));
  Memory memory(bytes);
  HeaderWriter(format, memory).count(records);
  return bytes;
}

int64_t decode_records(Format format, const std::byte *field) {
  uint64_t value = 0;
  for (int64_t i = 0; i < count_width(format); ++i) value = value << 8 | std::to_integer<uint64_t>(field[i]);
  const bool streaming = value == (format == Format::cdf5 ? UINT64_MAX : UINT32_MAX);
  return streaming ? -1 : static_cast<int64_t>(value);
}

}  // namespace sv
