#include "netcdf4_values.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>

#include "netcdf_library.hpp"

namespace sv_run {

namespace {

size_t width_of(int group, nc_type type) {
  size_t bytes = 0;
  netcdf::inq_type(group, type, nullptr, &bytes);
  return bytes;
}

/// Of a user-defined type; 0: the type is netCDF's.
int class_of(int group, nc_type type) {
  int kind = 0;
  if (type > NC_MAX_ATOMIC_TYPE) netcdf::inq_user_type(group, type, nullptr, nullptr, nullptr, nullptr, &kind);
  return kind;
}

bool has_pointers(int group, nc_type type) {
  const int kind = class_of(group, type);
  if (kind == NC_VLEN) return true;
  if (kind != NC_COMPOUND) return false;
  size_t fields = 0;
  netcdf::inq_user_type(group, type, nullptr, nullptr, nullptr, &fields, nullptr);
  for (size_t f = 0; f < fields; ++f) {
    nc_type inner = NC_NAT;
    netcdf::inq_compound_field(group, type, static_cast<int>(f), nullptr, nullptr, &inner, nullptr, nullptr);
    if (inner == NC_STRING || has_pointers(group, inner)) return true;
  }
  return false;
}

/// Values in memory: strings are freed.
class Values {
 public:
  Values(int group, nc_type type, size_t count)
      : type_(type), count_(count), width_(width_of(group, type)), bytes_(count * width_ + 1) {}
  Values(const Values &) = delete;
  ~Values() {
    if (type_ != NC_STRING) return;
    for (size_t i = 0; i < count_; ++i)
      if (strings()[i] != nullptr) netcdf::free_string(1, strings() + i);
  }
  void *data() { return bytes_.data(); }
  char **strings() { return reinterpret_cast<char **>(bytes_.data()); }
  /// The first value that differs; `count`: none.
  size_t first_difference(Values &other, size_t count) {
    if (type_ != NC_STRING) {
      if (std::memcmp(bytes_.data(), other.bytes_.data(), count * width_) == 0) return count;
      size_t i = 0;
      while (std::memcmp(&bytes_[i * width_], &other.bytes_[i * width_], width_) == 0) ++i;
      return i;
    }
    const auto text = [](const char *value) { return value == nullptr ? "" : value; };
    size_t i = 0;
    while (i < count && std::strcmp(text(strings()[i]), text(other.strings()[i])) == 0) ++i;
    return i;
  }
  std::string words();

 private:
  template <class Number>
  std::string numbers() const {
    std::ostringstream all;
    all.precision(std::numeric_limits<Number>::max_digits10);
    for (size_t i = 0; i < count_; ++i) {
      Number value;
      std::memcpy(&value, &bytes_[i * sizeof value], sizeof value);
      all << (i > 0 ? ", " : "") << +value;
    }
    return all.str();
  }
  std::string hexadecimal() const {
    std::ostringstream all;
    all << std::hex;
    for (size_t i = 0; i < count_ * width_; ++i) all << ' ' << +static_cast<unsigned char>(bytes_[i]);
    return "bytes" + all.str();
  }
  std::string quoted() {
    std::string all;
    for (size_t i = 0; i < count_; ++i)
      all += (i > 0 ? ", \"" : "\"") + std::string(strings()[i] == nullptr ? "" : strings()[i]) + '"';
    return all;
  }

  nc_type type_;
  size_t count_, width_;
  std::vector<char> bytes_;
};

std::string Values::words() {
  switch (type_) {
    case NC_BYTE:
      return numbers<int8_t>();
    case NC_CHAR:
      return '"' + std::string(bytes_.data(), count_) + '"';
    case NC_SHORT:
      return numbers<int16_t>();
    case NC_INT:
      return numbers<int32_t>();
    case NC_FLOAT:
      return numbers<float>();
    case NC_DOUBLE:
      return numbers<double>();
    case NC_UBYTE:
      return numbers<uint8_t>();
    case NC_USHORT:
      return numbers<uint16_t>();
    case NC_UINT:
      return numbers<uint32_t>();
    case NC_INT64:
      return numbers<int64_t>();
    case NC_UINT64:
      return numbers<uint64_t>();
    case NC_STRING:
      return quoted();
    default:
      return hexadecimal();
  }
}

/// Boxes of a variable of at most 4 MiB or one value, one after the other.
class Boxes {
 public:
  Boxes(const std::vector<size_t> &lengths, size_t width) : lengths_(lengths), start_(lengths.size() + 1, 0) {
    constexpr size_t most_box_bytes = size_t{4} << 20;
    count_.assign(lengths.size() + 1, 1);
    size_t values = 1;
    for (size_t d = lengths.size(); d-- > 0;) {
      count_[d] = std::clamp<size_t>(most_box_bytes / (values * width), 1, std::max<size_t>(lengths[d], 1));
      values *= count_[d];
    }
    most_ = values;
    is_done_ = std::find(lengths.begin(), lengths.end(), size_t{0}) != lengths.end();
  }
  size_t most() const { return most_; }
  bool is_done() const { return is_done_; }
  const size_t *start() const { return start_.data(); }
  /// Of this box: at the end of a dimension it is smaller.
  std::vector<size_t> count() const {
    std::vector<size_t> now = count_;
    for (size_t d = 0; d < lengths_.size(); ++d) now[d] = std::min(now[d], lengths_[d] - start_[d]);
    return now;
  }
  void next() {
    for (size_t d = lengths_.size(); d-- > 0; start_[d] = 0)
      if ((start_[d] += count_[d]) < lengths_[d]) return;
    is_done_ = true;
  }

 private:
  const std::vector<size_t> &lengths_;
  std::vector<size_t> start_, count_;
  size_t most_ = 1;
  bool is_done_ = false;
};

std::string index_of(size_t value, const size_t *start, const std::vector<size_t> &count, size_t dims) {
  std::string words;
  for (size_t d = dims; d-- > 0; value /= count[d])
    words = std::to_string(start[d] + value % count[d]) + (words.empty() ? "" : ", ") + words;
  return words.empty() ? "" : " at (" + words + ")";
}

}  // namespace

std::string different_values(const Place &one, const Place &other) {
  if (has_pointers(one.group, one.type)) return "values of its type are not compared";
  try {
    const size_t width = width_of(one.group, one.type), dims = one.lengths.size();
    for (Boxes boxes(one.lengths, width); !boxes.is_done(); boxes.next()) {
      Values mine(one.group, one.type, boxes.most()), yours(other.group, other.type, boxes.most());
      const std::vector<size_t> count = boxes.count();
      size_t values = 1;
      for (const size_t each : count) values *= each;
      netcdf::get_vara(one.group, one.number, boxes.start(), count.data(), mine.data());
      netcdf::get_vara(other.group, other.number, boxes.start(), count.data(), yours.data());
      const size_t first = mine.first_difference(yours, values);
      if (first < values) return "values differ, first" + index_of(first, boxes.start(), count, dims);
    }
  } catch (const std::runtime_error &error) {
    return std::string("values cannot be compared: ") + error.what();
  }
  return "";
}

std::string attribute_value(int group, int variable, const char *name) {
  nc_type type = NC_NAT;
  size_t count = 0;
  netcdf::inq_att(group, variable, name, &type, &count);
  if (has_pointers(group, type)) return std::to_string(count) + " values, which are not compared";
  Values values(group, type, count);
  if (count > 0) netcdf::get_att(group, variable, name, values.data());
  return values.words();
}

std::string fill_value(int group, int variable) {
  nc_type type = NC_NAT;
  netcdf::inq_var(group, variable, nullptr, &type, nullptr, nullptr, nullptr);
  if (type > NC_MAX_ATOMIC_TYPE) return "not compared";  // netCDF has no fill value for a type of the program
  Values value(group, type, 1);
  netcdf::inq_var_fill(group, variable, nullptr, value.data());
  return value.words();
}

}  // namespace sv_run
