#include "files_compared.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "support/files.hpp"

namespace svtest {

namespace {

/// "The NetCDF Classic Format Specification" (Unidata) and CDF-5, read anew here: the library's own reader is
/// under test.
class Header {
 public:
  struct Variable {
    std::string name;
    int64_t begin = 0, bytes = 0, padded = 0;  // of a slab: one record, or all
    bool records = false;
  };

  explicit Header(const std::string &path) : bytes_(bytes_of_file(path)) {
    at_ = 3;
    version_ = byte(at_++);
    records_ = count();
    read_list([&] {
      name();
      lengths_.push_back(count());
    });
    read_attributes();
    read_list([&] { read_variable(); });
    header_bytes_ = at_;
    int record_variables = 0;
    for (const Variable &each : variables_) {
      record_variables += each.records;
      if (each.records) record_bytes_ += each.padded;
    }
    for (Variable &each : variables_)
      if (each.records && record_variables == 1) record_bytes_ = each.padded = each.bytes;
  }

  /// The header with zeros for the places of variables.
  std::vector<char> masked() const {
    std::vector<char> header(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(header_bytes_));
    for (const size_t place : begins_)
      std::fill_n(header.begin() + static_cast<std::ptrdiff_t>(place), version_ == 1 ? 4 : 8, '\0');
    return header;
  }
  const std::vector<Variable> &variables() const { return variables_; }
  const std::vector<char> &bytes() const { return bytes_; }
  int64_t records() const { return records_; }
  int64_t record_bytes() const { return record_bytes_; }
  size_t header_bytes() const { return header_bytes_; }

 private:
  int64_t byte(size_t at) const {
    if (at >= bytes_.size()) throw std::runtime_error("the header is cut off");
    return static_cast<unsigned char>(bytes_[at]);
  }
  int64_t number(int width) {
    int64_t value = 0;
    for (int i = 0; i < width; ++i) value = value << 8 | byte(at_++);
    return value;
  }
  int64_t count() { return number(version_ == 5 ? 8 : 4); }
  void skip(int64_t bytes) { at_ += static_cast<size_t>((bytes + 3) / 4 * 4); }
  std::string name() {
    const int64_t length = count();
    byte(at_ + static_cast<size_t>(length) - 1);
    std::string text(bytes_.data() + at_, static_cast<size_t>(length));
    skip(length);
    return text;
  }
  template <class Read>
  void read_list(Read read) {
    number(4);
    for (int64_t left = count(); left > 0; --left) read();
  }
  void read_attributes() {
    read_list([&] {
      name();
      const int type = static_cast<int>(number(4));
      skip(count() * bytes_of(type));
    });
  }
  void read_variable() {
    Variable made;
    made.name = name();
    made.bytes = 1;
    const int64_t dims = count();
    for (int64_t d = 0; d < dims; ++d) {
      const int64_t length = lengths_.at(static_cast<size_t>(count()));
      if (length == 0)
        made.records = true;
      else
        made.bytes *= length;
    }
    read_attributes();
    made.bytes *= bytes_of(static_cast<int>(number(4)));
    made.padded = (made.bytes + 3) / 4 * 4;
    count();  // vsize: compared as bytes of the header
    begins_.push_back(at_);
    made.begin = number(version_ == 1 ? 4 : 8);
    variables_.push_back(made);
  }

  std::vector<char> bytes_;
  size_t at_ = 0, header_bytes_ = 0;
  int64_t version_ = 0, records_ = 0, record_bytes_ = 0;
  std::vector<int64_t> lengths_;
  std::vector<Variable> variables_;
  std::vector<size_t> begins_;
};

/// Slab by slab: where it is in both files. Marks used bytes in `used`.
std::string compare_slabs(const Header &ours, const Header &theirs, std::vector<bool> &used) {
  for (size_t v = 0; v < ours.variables().size(); ++v) {
    const Header::Variable &a = ours.variables()[v], &b = theirs.variables()[v];
    for (int64_t r = 0; r < (a.records ? ours.records() : 1); ++r) {
      const int64_t from = a.begin + (a.records ? r * ours.record_bytes() : 0);
      const int64_t other = b.begin + (b.records ? r * theirs.record_bytes() : 0);
      for (int64_t i = 0; i < a.padded; ++i) {
        const auto mine = static_cast<size_t>(from + i), its = static_cast<size_t>(other + i);
        const std::string where = a.name + ", record " + std::to_string(r) + ", byte " + std::to_string(i);
        if (mine >= ours.bytes().size()) return "our file ends before " + where;
        if (used[mine]) return where + " lies over something else";
        used[mine] = true;
        if (i >= a.bytes && ours.bytes()[mine] != 0) return where + " is padding, and not 0";
        if (i >= a.bytes) continue;  // netCDF-C pads with the fill value, or not at all
        if (its >= theirs.bytes().size()) return "the file of netCDF-C ends before " + where;
        if (ours.bytes()[mine] != theirs.bytes()[its])
          return where + ": " + std::to_string(ours.bytes()[mine]) + ", netCDF-C has " +
                 std::to_string(theirs.bytes()[its]);
      }
    }
  }
  return {};
}

std::string compare_attributes(int a, int b, int var, int count) {
  for (int i = 0; i < count; ++i) {
    char name[NC_MAX_NAME + 1] = "", other[NC_MAX_NAME + 1] = "";
    nc_type type = NC_NAT, its_type = NC_NAT;
    size_t length = 0, its_length = 0;
    nc(nc_inq_attname(a, var, i, name), "nc_inq_attname");
    nc(nc_inq_attname(b, var, i, other), "nc_inq_attname");
    if (std::string(name) != other) return "attribute " + std::string(name) + " instead of " + other;
    nc(nc_inq_att(a, var, name, &type, &length), name);
    nc(nc_inq_att(b, var, name, &its_type, &its_length), name);
    if (type != its_type || length != its_length) return "attribute " + std::string(name) + ": other type or length";
    std::vector<char> values(length * static_cast<size_t>(bytes_of(type))), its(values.size());
    nc(nc_get_att(a, var, name, values.data()), name);
    nc(nc_get_att(b, var, name, its.data()), name);
    if (values != its) return "attribute " + std::string(name) + ": other values";
  }
  return {};
}

std::string compare_variable(int a, int b, int var) {
  struct Found {
    char name[NC_MAX_NAME + 1] = "";
    nc_type type = NC_NAT;
    int ndims = 0, natts = 0, dims[NC_MAX_VAR_DIMS];
    std::vector<char> values;
  } found[2];
  const int ids[] = {a, b};
  for (int i = 0; i < 2; ++i) {
    Found &f = found[i];
    nc(nc_inq_var(ids[i], var, f.name, &f.type, &f.ndims, f.dims, &f.natts), "nc_inq_var");
    size_t cells = 1, length = 0;
    for (int d = 0; d < f.ndims; ++d) {
      nc(nc_inq_dimlen(ids[i], f.dims[d], &length), "nc_inq_dimlen");
      cells *= length;
    }
    f.values.resize(cells * static_cast<size_t>(bytes_of(f.type)));
    if (cells > 0) nc(nc_get_var(ids[i], var, f.values.data()), f.name);
  }
  const Found &mine = found[0], &its = found[1];
  const std::string name = mine.name;
  if (name != its.name) return "variable " + name + " instead of " + its.name;
  if (mine.type != its.type || mine.natts != its.natts ||
      !std::equal(mine.dims, mine.dims + mine.ndims, its.dims, its.dims + its.ndims))
    return name + ": other type, dimensions or number of attributes";
  if (mine.values.size() != its.values.size()) return name + ": other size";
  const auto width = static_cast<size_t>(bytes_of(mine.type));
  for (size_t i = 0; i < mine.values.size(); i += width)
    if (std::memcmp(&mine.values[i], &its.values[i], width) != 0)
      return name + ", place " + std::to_string(i / width) + ": " + std::to_string(load(mine.type, &mine.values[i])) +
             ", netCDF-C has " + std::to_string(load(mine.type, &its.values[i]));
  return compare_attributes(a, b, var, mine.natts);
}

std::string compare_open(int a, int b) {
  int dims[2], vars[2], atts[2], unlimited[2];
  nc(nc_inq(a, &dims[0], &vars[0], &atts[0], &unlimited[0]), "nc_inq");
  nc(nc_inq(b, &dims[1], &vars[1], &atts[1], &unlimited[1]), "nc_inq");
  if (dims[0] != dims[1] || vars[0] != vars[1] || atts[0] != atts[1] || unlimited[0] != unlimited[1])
    return "other numbers of dimensions, variables or attributes";
  for (int d = 0; d < dims[0]; ++d) {
    char name[NC_MAX_NAME + 1] = "", other[NC_MAX_NAME + 1] = "";
    size_t length = 0, its_length = 0;
    nc(nc_inq_dim(a, d, name, &length), "nc_inq_dim");
    nc(nc_inq_dim(b, d, other, &its_length), "nc_inq_dim");
    if (std::string(name) != other || length != its_length)
      return "dimension " + std::string(name) + " of " + std::to_string(length) + " instead of " + other + " of " +
             std::to_string(its_length);
  }
  for (int v = 0; v < vars[0]; ++v)
    if (std::string description = compare_variable(a, b, v); !description.empty()) return description;
  return compare_attributes(a, b, NC_GLOBAL, atts[0]);
}

}  // namespace

std::string different_bytes(const std::string &ours, const std::string &theirs, bool redefined) {
  const Header mine(ours), its(theirs);
  if (mine.records() != its.records())
    return std::to_string(mine.records()) + " records, netCDF-C has " + std::to_string(its.records());
  if (mine.masked() != its.masked()) return "the headers differ";
  std::vector<bool> used(mine.bytes().size(), false);
  // A header that was redefined in place and became shorter leaves its end behind it, as netCDF-C's does.
  size_t header_end = used.size();
  for (const Header::Variable &each : mine.variables())
    header_end = std::min(header_end, static_cast<size_t>(each.begin));
  std::fill_n(used.begin(), redefined ? std::max(header_end, mine.header_bytes()) : mine.header_bytes(), true);
  if (std::string description = compare_slabs(mine, its, used); !description.empty()) return description;
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i] && mine.bytes()[i] != 0) return "byte " + std::to_string(i) + " belongs to nothing and is not 0";
  if (!used.back() && mine.records() > 0) return "our file has bytes behind its last variable";
  return {};
}

std::string different_values(const std::string &ours, const std::string &theirs) {
  int a = -1, b = -1;
  nc(nc_open(ours.c_str(), NC_NOWRITE, &a), ours);
  nc(nc_open(theirs.c_str(), NC_NOWRITE, &b), theirs);
  const std::string description = compare_open(a, b);
  nc(nc_close(a), ours);
  nc(nc_close(b), theirs);
  return description;
}

}  // namespace svtest
