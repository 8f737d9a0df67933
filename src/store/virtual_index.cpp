#include "store/virtual_index.hpp"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/json.hpp"
#include "store/file_name.hpp"
#include "store/positional_file.hpp"

namespace sv {

namespace {

constexpr int64_t most_chunk_bytes = int64_t{64} << 20;
constexpr size_t written_at_once = size_t{1} << 20;

std::string index_of(const std::string &file) { return file + ".refs.json"; }

std::string part_of(const std::string &file) { return index_of(file) + ".part"; }

std::string enclosed(char before, const std::vector<std::string> &parts, char after) {
  std::string all(1, before);
  for (const std::string &part : parts) {
    if (all.size() > 1) all += ',';
    all += part;
  }
  return all += after;
}

std::string array_text(const std::vector<std::string> &parts) { return enclosed('[', parts, ']'); }

std::string array_text(const Index &numbers) {
  std::vector<std::string> parts;
  for (int d = 0; d < numbers.n; ++d) parts.push_back(json_number(numbers[d]));
  return array_text(parts);
}

template <class Value>
Value value_at(const std::byte *bytes) {
  Value value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Zarr has words for values that are not numbers.
std::string real_text(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return json_number(value);
}

std::string number_text(Type type, const std::byte *at) {
  switch (type) {
    case Type::int8:
      return json_number(int64_t{value_at<int8_t>(at)});
    case Type::uint8:
      return json_number(int64_t{value_at<uint8_t>(at)});
    case Type::int16:
      return json_number(int64_t{value_at<int16_t>(at)});
    case Type::uint16:
      return json_number(int64_t{value_at<uint16_t>(at)});
    case Type::int32:
      return json_number(int64_t{value_at<int32_t>(at)});
    case Type::uint32:
      return json_number(int64_t{value_at<uint32_t>(at)});
    case Type::int64:
      return json_number(value_at<int64_t>(at));
    case Type::uint64:
      return std::to_string(value_at<uint64_t>(at));
    case Type::float32:
      return real_text(value_at<float>(at));
    default:
      return real_text(value_at<double>(at));
  }
}

std::string value_of(const Attribute &attribute) {
  if (attribute.type == Type::text)
    return json_text({reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size()});
  std::vector<std::string> numbers;
  if (attribute.type == Type::string) {
    for (const std::string &each : strings_of(attribute)) numbers.push_back(json_text(each));
    return array_text(numbers);
  }
  for (int64_t i = 0; i < attribute.count; ++i)
    numbers.push_back(number_text(attribute.type, attribute.values.data() + i * size_of(attribute.type)));
  return attribute.count == 1 ? numbers.front() : array_text(numbers);
}

std::string members_text(const std::vector<Attribute> &attributes, std::vector<std::string> all) {
  for (const Attribute &each : attributes)
    if (each.name != "_FillValue") all.push_back(json_text(each.name) + ":" + value_of(each));
  return enclosed('{', all, '}');
}

/// As numpy has it.
std::string type_text(Type type, ByteOrder order) {
  if (type == Type::text) return "|S1";
  const bool is_real = type == Type::float32 || type == Type::float64;
  const bool has_sign = type == Type::int8 || type == Type::int16 || type == Type::int32 || type == Type::int64;
  const bool is_big = order == ByteOrder::big || std::endian::native == std::endian::big;
  std::string text(1, size_of(type) == 1 ? '|' : is_big ? '>' : '<');
  text += is_real ? 'f' : has_sign ? 'i' : 'u';
  return text += std::to_string(size_of(type));
}

/// Readers take it for missing values: without need of it, only what the model has named so stands there.
std::string fill_text(const Schema &schema, const Variable &variable, bool is_needed) {
  const bool is_named = find_attribute(variable.attributes, "_FillValue") != nullptr;
  if (variable.type == Type::text) return is_needed ? "\"AA==\"" : "null";  // a byte of 0, in base 64
  return is_named || is_needed ? number_text(variable.type, schema.fill_value(variable).data()) : "null";
}

Index shape_of(const Schema &schema, const Variable &variable) {
  Index shape;
  for (const int dim : variable.dims) shape.push(schema.length_of(dim));
  return shape;
}

/// The index on its way into its file, so that little of it is in memory.
class IndexText {
 public:
  IndexText(const std::string &path, StoreCounters &counters) : counters_(counters) {
    remove_file(path);
    file_ = PositionalFile(path, PositionalFile::Mode::make_private);
  }
  void add(const std::string &key, const std::string &value) {
    text_ += (is_first_ ? "{\"version\":1,\"refs\":{\n" : ",\n") + json_text(key) + ":" + value;
    is_first_ = false;
    if (text_.size() >= written_at_once) write();
  }
  void end(bool on_disk) {
    text_ += "\n}}\n";
    write();
    if (on_disk) file_.sync();
    file_.close();
  }

 private:
  void write() {
    file_.write(at_, std::as_bytes(std::span(text_)), counters_);
    at_ += std::ssize(text_);
    text_.clear();
  }
  PositionalFile file_;
  StoreCounters &counters_;
  std::string text_;
  int64_t at_ = 0;
  bool is_first_ = true;
};

/// The chunks of a variable; whether all of them are there.
bool add_chunks(IndexText &text, const std::string &file, const Variable &variable, const StoredVariable &stored,
                const Index &shape) {
  Box grid = Box::whole(shape);
  for (int d = 0; d < shape.n; ++d) grid.count[d] = divide_up(shape[d], stored.chunk[d]);
  bool all_there = true;
  for (int64_t i = 0; i < grid.elements(); ++i) {
    const Index number = cell_at(grid, i);
    Index cell = number;
    std::string key;
    for (int d = 0; d < shape.n; ++d) {
      cell[d] *= stored.chunk[d];
      if (d > 0) key += '.';
      key += std::to_string(number[d]);
    }
    const std::optional<StoredVariable::Range> range = stored.find(cell);
    all_there = all_there && range;
    if (range)
      text.add(variable.name + "/" + (key.empty() ? "0" : key),
               array_text({file, json_number(range->offset_bytes), json_number(range->bytes)}));
  }
  return all_there;
}

}  // namespace

StoredVariable stored_in_one_piece(const Schema &schema, const Variable &variable, int64_t offset_bytes,
                                   int64_t record_bytes) {
  StoredVariable stored;
  stored.chunk = shape_of(schema, variable);
  const int skipped = variable.record_axes();
  if (skipped > 0) stored.chunk[0] = 1;
  const Box slab = Box::whole(schema.slab_shape(variable));
  const int64_t size = size_of(variable.type);
  int64_t bytes = slab.elements() * size;
  for (int d = skipped; d + 1 < stored.chunk.n && bytes > most_chunk_bytes; ++d) {
    int64_t &length = stored.chunk[d];
    int64_t pieces = std::min(divide_up(bytes, most_chunk_bytes), length);
    while (length % pieces != 0) ++pieces;  // chunks without filters must all be of one length
    bytes /= pieces;
    length /= pieces;
  }
  stored.find = [=, chunk_bytes = bytes](const Index &cell) -> std::optional<StoredVariable::Range> {
    Index in_slab;
    for (int d = skipped; d < cell.n; ++d) in_slab.push(cell[d]);
    const int64_t record = skipped > 0 ? cell[0] : 0;
    return StoredVariable::Range{offset_bytes + record * record_bytes + position(slab, in_slab) * size, chunk_bytes};
  };
  return stored;
}

VirtualIndex::VirtualIndex(const std::string &path) : file_(std::filesystem::absolute(target_of(path, true))) {}

VirtualIndex::~VirtualIndex() {
  std::error_code none;
  if (has_part_) std::filesystem::remove(part_of(file_), none);
}

void VirtualIndex::write(const Schema &schema, const Stored &stored, bool on_disk, StoreCounters &counters) {
  StoreCounters own;  // ranges of the other counters are those of the file itself
  is_written_ = false;
  has_part_ = true;
  IndexText text(part_of(file_), own);
  text.add(".zgroup", json_text("{\"zarr_format\":2}"));
  text.add(".zattrs", json_text(members_text(schema.attributes, {})));
  for (const Group &group : schema.groups) {
    text.add(group.name + "/.zgroup", json_text("{\"zarr_format\":2}"));
    text.add(group.name + "/.zattrs", json_text(members_text(group.attributes, {})));
  }
  const std::string file = json_text(file_);
  for (int v = 0; v < std::ssize(schema.variables); ++v) {
    const Variable &variable = schema.variables[static_cast<size_t>(v)];
    StoredVariable how = stored(v);
    const Index shape = shape_of(schema, variable);
    for (int d = 0; d < how.chunk.n; ++d) how.chunk[d] = std::max<int64_t>(how.chunk[d], 1);
    const bool all_there = add_chunks(text, file, variable, how, shape);
    text.add(variable.name + "/.zarray",
             json_text("{\"zarr_format\":2,\"shape\":" + array_text(shape) + ",\"chunks\":" + array_text(how.chunk) +
                       ",\"dtype\":" + json_text(type_text(variable.type, how.order)) + ",\"order\":\"C\"" +
                       ",\"compressor\":null,\"filters\":" + (how.filters.empty() ? "null" : array_text(how.filters)) +
                       ",\"fill_value\":" + fill_text(schema, variable, !all_there) + "}"));
    std::vector<std::string> dims;
    for (const int dim : variable.dims) dims.push_back(json_text(base_of(schema.dims[static_cast<size_t>(dim)].name)));
    text.add(variable.name + "/.zattrs",
             json_text(members_text(variable.attributes, {"\"_ARRAY_DIMENSIONS\":" + array_text(dims)})));
  }
  text.end(on_disk);
  counters.add(own);
  is_written_ = true;
}

void VirtualIndex::withdraw() const { remove_file(index_of(file_)); }

void VirtualIndex::publish() {
  if (!std::exchange(is_written_, false)) return;
  PositionalFile part(PositionalFile::Entry{AT_FDCWD, part_of(file_), false}, PositionalFile::Mode::update,
                      part_of(file_));
  part.take_rights_at(file_, false);
  part.close();
  rename_file(part_of(file_), index_of(file_));
  has_part_ = false;
}

}  // namespace sv
