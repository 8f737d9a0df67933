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

std::string name_of_type(int group, nc_type type) {
  char name[NC_MAX_NAME + 1] = "";
  netcdf::inq_type(group, type, name, nullptr);
  return name;
}

struct Field {
  char name[NC_MAX_NAME + 1] = "";
  size_t offset = 0, count = 1;
  nc_type type = NC_NAT;
};

std::vector<Field> fields_of(int group, nc_type type) {
  size_t count = 0;
  netcdf::inq_user_type(group, type, nullptr, nullptr, nullptr, &count, nullptr);
  std::vector<Field> fields(count);
  for (size_t f = 0; f < count; ++f) {
    int dims = 0, lengths[NC_MAX_VAR_DIMS];
    Field &made = fields[f];
    netcdf::inq_compound_field(group, type, static_cast<int>(f), made.name, &made.offset, &made.type, &dims, lengths);
    for (int d = 0; d < dims; ++d) made.count *= static_cast<size_t>(lengths[d]);
  }
  return fields;
}

nc_type base_of(int group, nc_type type) {
  nc_type base = NC_NAT;
  netcdf::inq_user_type(group, type, nullptr, nullptr, &base, nullptr, nullptr);
  return base;
}

/// Of values in memory. Of user-defined types, bytes between the fields do not count.
bool are_equal(int group, nc_type type, const char *one, const char *other) {
  const int kind = class_of(group, type);
  if (type == NC_STRING) {
    const char *texts[2];
    std::memcpy(&texts[0], one, sizeof(char *));
    std::memcpy(&texts[1], other, sizeof(char *));
    for (const char *&text : texts) text = text == nullptr ? "" : text;
    return std::strcmp(texts[0], texts[1]) == 0;
  }
  if (kind == NC_COMPOUND) {
    for (const Field &each : fields_of(group, type)) {
      const size_t width = width_of(group, each.type);
      for (size_t i = 0; i < each.count; ++i) {
        const size_t place = each.offset + i * width;
        if (!are_equal(group, each.type, one + place, other + place)) return false;
      }
    }
    return true;
  }
  if (kind != NC_VLEN) return std::memcmp(one, other, width_of(group, type)) == 0;
  nc_vlen_t mine, yours;
  std::memcpy(&mine, one, sizeof mine);
  std::memcpy(&yours, other, sizeof yours);
  const nc_type base = base_of(group, type);
  const size_t width = width_of(group, base);
  for (size_t i = 0; mine.len == yours.len && i < mine.len; ++i)
    if (!are_equal(group, base, static_cast<char *>(mine.p) + i * width, static_cast<char *>(yours.p) + i * width))
      return false;
  return mine.len == yours.len;
}

bool has_pointers(int group, nc_type type) {
  const int kind = class_of(group, type);
  if (kind != NC_COMPOUND) return kind == NC_VLEN || type == NC_STRING;
  const std::vector<Field> fields = fields_of(group, type);
  return std::any_of(fields.begin(), fields.end(),
                     [group](const Field &each) { return has_pointers(group, each.type); });
}

/// Values in memory, with all that they point to.
class Values {
 public:
  Values(int group, nc_type type, size_t count)
      : group_(group), type_(type), count_(count), width_(width_of(group, type)), bytes_(count * width_ + 1) {}
  Values(const Values &) = delete;
  ~Values() {
    try {
      if (has_pointers(group_, type_)) netcdf::reclaim_data(group_, type_, bytes_.data(), count_);
    } catch (const std::runtime_error &) {  // netCDF before 4.9
    }
  }
  void *data() { return bytes_.data(); }
  char **strings() { return reinterpret_cast<char **>(bytes_.data()); }
  /// The first value that differs; `count`: none.
  size_t first_difference(const Values &other, size_t count) const {
    if (std::memcmp(bytes_.data(), other.bytes_.data(), count * width_) == 0) return count;
    size_t i = 0;
    while (i < count && are_equal(group_, type_, &bytes_[i * width_], &other.bytes_[i * width_])) ++i;
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

  int group_;
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

std::string enum_member(int group, nc_type type, int member) {
  char name[NC_MAX_NAME + 1] = "";
  Values number(group, base_of(group, type), 1);
  netcdf::inq_enum_member(group, type, member, name, number.data());
  return name + (" = " + number.words());
}

}  // namespace

std::string type_in_words(int group, int type) {
  const int kind = class_of(group, type);
  std::string words = name_of_type(group, type);
  if (kind == 0) return words;
  words += " (class " + std::to_string(kind) + ", " + std::to_string(width_of(group, type)) + " bytes";
  if (kind == NC_ENUM || kind == NC_VLEN) words += ", " + type_in_words(group, base_of(group, type));
  size_t members = 0;
  netcdf::inq_user_type(group, type, nullptr, nullptr, nullptr, &members, nullptr);
  for (int m = 0; kind == NC_ENUM && m < static_cast<int>(members); ++m) words += ", " + enum_member(group, type, m);
  if (kind == NC_COMPOUND)
    for (const Field &each : fields_of(group, type))
      words += ", " + type_in_words(group, each.type) + (each.count > 1 ? " x " + std::to_string(each.count) : "") +
               " " + each.name + " at " + std::to_string(each.offset);
  return words + ")";
}

std::string different_values(const Place &one, const Place &other) {
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
  if (type != NC_STRING && has_pointers(group, type)) return std::to_string(count) + " values, which are not compared";
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
