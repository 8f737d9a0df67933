#include <cstring>

#include "base/arithmetic.hpp"
#include "base/convert.hpp"
#include "base/error.hpp"
#include "store/cdf_places.hpp"
#include "store/header_format.hpp"

namespace sv {
namespace {

class Writer {
 public:
  explicit Writer(Format format) : format_(format) {}

  void number(uint64_t value, int64_t width) {
    for (int64_t shift = 8 * (width - 1); shift >= 0; shift -= 8)
      bytes_.push_back(static_cast<std::byte>(value >> shift));
  }
  void count(int64_t value) { number(static_cast<uint64_t>(value), count_width(format_)); }
  void offset(int64_t value) { number(static_cast<uint64_t>(value), offset_width(format_)); }
  void list(Tag tag, size_t length) {
    number(length == 0 ? 0 : static_cast<uint64_t>(tag), 4);
    count(static_cast<int64_t>(length));
  }
  void name(const std::string &text) {
    count(static_cast<int64_t>(text.size()));
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    pad();
  }
  void values(const Attribute &attribute) {
    const size_t begin = bytes_.size();
    bytes_.resize(begin + attribute.values.size());
    const PackRow pack = pack_row(attribute.type, attribute.type, ByteOrder::big);
    pack(attribute.values.data(), size_of(attribute.type), bytes_.data() + begin, attribute.count);
    pad();
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void pad() { bytes_.resize(static_cast<size_t>(align_up(static_cast<int64_t>(bytes_.size()), 4))); }

  Format format_;
  std::vector<std::byte> bytes_;
};

void write_attributes(Writer &writer, const std::vector<Attribute> &attributes) {
  writer.list(Tag::attribute, attributes.size());
  for (const Attribute &attribute : attributes) {
    writer.name(attribute.name);
    writer.number(static_cast<uint64_t>(attribute.type), 4);
    writer.count(attribute.count);
    writer.values(attribute);
  }
}

// Always padded, even where records are not; 2^32 - 1 stands for what a 4-byte field cannot hold.
int64_t vsize(Format format, int64_t slab_bytes) {
  constexpr int64_t two32 = int64_t{1} << 32;
  const int64_t bytes = align_up(slab_bytes, 4);
  return format != Format::cdf5 && bytes > two32 - 4 ? two32 - 1 : bytes;
}

void write_variable(Writer &writer, Format format, const Variable &variable, const CdfPlaces::Place &place) {
  writer.name(variable.name);
  writer.count(static_cast<int64_t>(variable.dims.size()));
  for (const int dim : variable.dims) writer.count(dim);
  write_attributes(writer, variable.attributes);
  writer.number(static_cast<uint64_t>(variable.type), 4);
  writer.count(vsize(format, place.slab_bytes));
  writer.offset(place.begin);
}

}  // namespace

std::vector<std::byte> encode_header(const PlacedSchema &schema) {
  if (schema.format == Format::automatic)
    throw Error(Status::internal, "a header is wanted before its format was chosen", "Please report this");
  const Format format = has_places(schema.format) ? schema.format : Format::cdf5;
  Writer writer(format);
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
    write_variable(writer, format, schema.variables[v],
                   schema.places ? schema.places->variables[v] : CdfPlaces::Place{});
  return writer.take();
}

std::vector<std::byte> encode_records(Format format, int64_t records) {
  // By the specification a count of 4 bytes is a signed number.
  if (format != Format::cdf5 && records > INT32_MAX)
    throw Error(Status::limit, "the file would have " + std::to_string(records) + " records", "Set the format to cdf5");
  Writer writer(format);
  writer.count(records);
  return writer.take();
}

int64_t decode_records(Format format, const std::byte *field) {
  uint64_t value = 0;
  for (int64_t i = 0; i < count_width(format); ++i) value = value << 8 | std::to_integer<uint64_t>(field[i]);
  const bool streaming = value == (format == Format::cdf5 ? UINT64_MAX : UINT32_MAX);
  return streaming ? -1 : static_cast<int64_t>(value);
}

}  // namespace sv
