#include "same_files.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "netcdf4_files.hpp"
#include "store/positional_file.hpp"
#include "store/read_schema.hpp"

namespace sv_run {

namespace {

constexpr int64_t most_bytes = 1 << 20;

/// A file whose bytes behind its end are zeros.
class Bytes {
 public:
  explicit Bytes(const std::string &path) : file_(path, sv::PositionalFile::Mode::read) {}
  int64_t size() const { return file_.size(); }
  void read(int64_t offset, std::vector<std::byte> &bytes) {
    const auto got = static_cast<size_t>(file_.read(offset, bytes, counters_));
    std::memset(bytes.data() + got, 0, bytes.size() - got);
  }

 private:
  sv::PositionalFile file_;
  sv::StoreCounters counters_;
};

struct Stretch {
  int64_t one, other, bytes;  // where it begins in each
};

bool are_equal(Bytes &one, Bytes &other, const Stretch &stretch) {
  std::vector<std::byte> mine, theirs;
  for (int64_t done = 0; done < stretch.bytes; done += most_bytes) {
    const auto now = static_cast<size_t>(std::min(most_bytes, stretch.bytes - done));
    mine.resize(now);
    theirs.resize(now);
    one.read(stretch.one + done, mine);
    other.read(stretch.other + done, theirs);
    if (mine != theirs) return false;
  }
  return true;
}

std::optional<sv::PlacedSchema> schema_of(const std::string &path) {
  try {
    return sv::read_schema(path);
  } catch (const sv::Error &) {
    return std::nullopt;
  }
}

bool are_equal(const std::vector<sv::Attribute> &one, const std::vector<sv::Attribute> &other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const auto &a, const auto &b) {
    return a.name == b.name && a.type == b.type && a.values == b.values;
  });
}

/// Empty: the definitions are equal.
std::string difference_of(const sv::PlacedSchema &one, const sv::PlacedSchema &other) {
  const auto equal_dims = [](const sv::Dimension &a, const sv::Dimension &b) {
    return a.name == b.name && a.length == b.length && a.is_record == b.is_record;
  };
  if (!std::equal(one.dims.begin(), one.dims.end(), other.dims.begin(), other.dims.end(), equal_dims))
    return "the dimensions differ";
  if (one.records != other.records)
    return std::to_string(one.records) + " and " + std::to_string(other.records) + " records";
  if (!are_equal(one.attributes, other.attributes)) return "the global attributes differ";
  if (one.variables.size() != other.variables.size()) return "the variables differ";
  for (size_t v = 0; v < one.variables.size(); ++v) {
    const sv::Variable &a = one.variables[v], &b = other.variables[v];
    if (a.name != b.name || a.type != b.type || a.dims != b.dims || !are_equal(a.attributes, b.attributes))
      return "variable '" + a.name + "' is defined otherwise";
  }
  return "";
}

std::string different_values(Bytes &one, Bytes &other, const sv::PlacedSchema &a, const sv::PlacedSchema &b) {
  for (size_t v = 0; v < a.variables.size(); ++v) {
    const sv::Variable &variable = a.variables[v];
    const int64_t bytes = a.slab_elements(variable) * sv::size_of(variable.type);
    const int64_t slabs = variable.has_records ? a.records : 1;
    const int number = static_cast<int>(v);
    for (int64_t slab = 0; slab < slabs; ++slab)
      if (!are_equal(one, other, {a.place(number).of_record(slab), b.place(number).of_record(slab), bytes}))
        return "values of '" + variable.name + "' differ" +
               (variable.has_records ? ", first in record " + std::to_string(slab) : "");
  }
  return "";
}

}  // namespace

Difference difference_of(const std::string &one, const std::string &other) {
  Bytes mine(one), theirs(other);
  const auto a = schema_of(one), b = schema_of(other);
  const bool is_one_netcdf4 = !a && is_netcdf4(one), is_other_netcdf4 = !b && is_netcdf4(other);
  const bool is_one_netcdf = a || is_one_netcdf4, is_other_netcdf = b || is_other_netcdf4;
  Difference difference;
  difference.is_netcdf = is_one_netcdf || is_other_netcdf;
  if (mine.size() == theirs.size() && are_equal(mine, theirs, {0, 0, mine.size()})) return difference;
  difference.same = Sameness::none;
  difference.what = "the bytes differ";
  if (!difference.is_netcdf) return difference;
  if (is_one_netcdf != is_other_netcdf) {
    difference.what = "only the one " + std::string(is_one_netcdf ? "without" : "with") + " Sverdrup is a netCDF file";
    return difference;
  }
  if (is_one_netcdf4 != is_other_netcdf4) {
    difference.what = "only the one " + std::string(is_one_netcdf4 ? "without" : "with") + " Sverdrup is netCDF-4";
    return difference;
  }
  difference.what = is_one_netcdf4 ? netcdf4_differences(one, other) : difference_of(*a, *b);
  if (a && difference.what.empty()) difference.what = different_values(mine, theirs, *a, *b);
  if (difference.what.empty()) difference.same = Sameness::values;
  return difference;
}

bool is_netcdf(const std::string &path) { return schema_of(path).has_value() || is_netcdf4(path); }

}  // namespace sv_run
