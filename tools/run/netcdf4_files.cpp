#include "netcdf4_files.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "netcdf4_values.hpp"
#include "netcdf_library.hpp"

namespace sv_run {

void *netcdf::find(const char *name) {
  static void *const library = dlopen(SV_NETCDF_FILE, RTLD_LAZY | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

namespace {

bool is_library_missing() { return netcdf::find("nc_open") == nullptr; }

class OpenFile {
 public:
  explicit OpenFile(const std::string &path) { netcdf::open(path.c_str(), NC_NOWRITE, &id_); }
  OpenFile(const OpenFile &) = delete;
  ~OpenFile() {
    try {
      netcdf::close(id_);
    } catch (const std::exception &) {  // it was only read
    }
  }
  int id() const { return id_; }

 private:
  int id_ = -1;
};

/// The definitions of a file, a name and words for each, in the order of the file.
class Description {
 public:
  explicit Description(int file) {
    int format = 0;
    netcdf::inq_format(file, &format);
    add("the data model", format == NC_FORMAT_NETCDF4_CLASSIC ? "classic" : "netCDF-4");
    describe_group(file, "");
  }
  const std::vector<std::pair<std::string, std::string>> &all() const { return all_; }
  const std::map<std::string, Place> &variables() const { return variables_; }
  /// nullptr: there is no such thing.
  const std::string *find(const std::string &what) const {
    const auto found = by_name_.find(what);
    return found == by_name_.end() ? nullptr : &all_[found->second].second;
  }

 private:
  void add(const std::string &what, const std::string &how) {
    by_name_.emplace(what, all_.size());
    all_.emplace_back(what, how);
  }
  void describe_group(int group, const std::string &path);
  void describe_dims(int group, const std::string &path);
  void describe_types(int group, const std::string &path);
  void describe_variable(int group, int number, const std::string &path);
  void describe_storage(const Place &place, const std::string &name);
  void describe_attributes(int group, int variable, int count, const std::string &owner);

  std::vector<std::pair<std::string, std::string>> all_;
  std::map<std::string, size_t> by_name_;
  std::map<std::string, Place> variables_;
};

template <class Ask>
std::vector<int> numbers(const Ask &ask) {
  int count = 0;
  ask(&count, nullptr);
  std::vector<int> all(static_cast<size_t>(count) + 1);
  ask(&count, all.data());
  all.resize(static_cast<size_t>(count));
  return all;
}

void Description::describe_group(int group, const std::string &path) {
  describe_dims(group, path);
  describe_types(group, path);
  int count = 0;
  netcdf::inq(group, nullptr, nullptr, &count, nullptr);
  describe_attributes(group, NC_GLOBAL, count, path.empty() ? "" : "group '" + path + "', ");
  for (const int v : numbers([&](int *n, int *ids) { netcdf::inq_varids(group, n, ids); }))
    describe_variable(group, v, path);
  for (const int inner : numbers([&](int *n, int *ids) { netcdf::inq_grps(group, n, ids); })) {
    char name[NC_MAX_NAME + 1] = "";
    netcdf::inq_grpname(inner, name);
    add("group '" + path + name + "'", "a group");
    describe_group(inner, path + name + "/");
  }
}

void Description::describe_dims(int group, const std::string &path) {
  const std::vector<int> unlimited = numbers([&](int *n, int *ids) { netcdf::inq_unlimdims(group, n, ids); });
  for (const int d : numbers([&](int *n, int *ids) { netcdf::inq_dimids(group, n, ids, 0); })) {
    char name[NC_MAX_NAME + 1] = "";
    size_t length = 0;
    netcdf::inq_dim(group, d, name, &length);
    const bool grows = std::find(unlimited.begin(), unlimited.end(), d) != unlimited.end();
    add("dimension '" + path + name + "'", (grows ? "unlimited, " : "length ") + std::to_string(length));
  }
}

void Description::describe_types(int group, const std::string &path) {
  for (const int type : numbers([&](int *n, int *ids) { netcdf::inq_typeids(group, n, ids); })) {
    char name[NC_MAX_NAME + 1] = "";
    netcdf::inq_type(group, type, name, nullptr);
    add("type '" + path + name + "'", type_in_words(group, type));
  }
}

void Description::describe_variable(int group, int number, const std::string &path) {
  char name[NC_MAX_NAME + 1] = "", type_name[NC_MAX_NAME + 1] = "", dim_name[NC_MAX_NAME + 1] = "";
  int count = 0, attributes = 0, dims[NC_MAX_VAR_DIMS];
  Place place{group, number, NC_NAT, {}, {}};
  netcdf::inq_var(group, number, name, &place.type, &count, dims, &attributes);
  netcdf::inq_type(group, place.type, type_name, nullptr);
  place.type_words = type_in_words(group, place.type);
  std::string how = std::string(type_name) + " (";
  for (int d = 0; d < count; ++d) {
    size_t length = 0;
    netcdf::inq_dim(group, dims[d], dim_name, &length);
    place.lengths.push_back(length);
    how += (d > 0 ? ", " : "") + std::string(dim_name);
  }
  const std::string whole = path + name;
  add("variable '" + whole + "'", how + ")");
  describe_storage(place, "variable '" + whole + "', ");
  describe_attributes(group, number, attributes, "variable '" + whole + "', ");
  variables_.emplace(whole, std::move(place));
}

std::string filters_of(int group, int number) {
  size_t count = 0;
  netcdf::inq_var_filter_ids(group, number, &count, nullptr);
  std::vector<unsigned> ids(count + 1);
  if (count > 0) netcdf::inq_var_filter_ids(group, number, &count, ids.data());
  std::string all;
  for (size_t f = 0; f < count; ++f) {
    constexpr unsigned deflate = 1, shuffle = 2, fletcher32 = 3;
    if (ids[f] == shuffle || ids[f] == fletcher32) continue;  // some versions of netCDF-C leave them out
    size_t n = 0;
    netcdf::inq_var_filter_info(group, number, ids[f], &n, nullptr);
    std::vector<unsigned> given(n + 1);
    if (n > 0) netcdf::inq_var_filter_info(group, number, ids[f], &n, given.data());
    all +=
        (all.empty() ? "" : ", ") + (ids[f] == deflate ? std::string("deflate") : "filter " + std::to_string(ids[f]));
    for (size_t p = 0; p < n; ++p) all += " " + std::to_string(given[p]);
  }
  return all.empty() ? "none" : all;
}

void Description::describe_storage(const Place &place, const std::string &name) {
  constexpr const char *const orders[] = {"native", "little-endian", "big-endian"};
  int storage = NC_CONTIGUOUS, shuffle = 0, checksum = 0, order = 0, no_fill = 0, mode = 0, digits = 0;
  const int group = place.group, number = place.number;
  std::vector<size_t> chunk(place.lengths.size() + 1);
  netcdf::inq_var_chunking(group, number, &storage, chunk.data());
  std::string shape = storage == NC_CHUNKED ? "" : storage == NC_COMPACT ? "compact" : "contiguous";
  for (size_t d = 0; storage == NC_CHUNKED && d < place.lengths.size(); ++d)
    shape += (d > 0 ? " x " : "") + std::to_string(chunk[d]);
  add(name + "chunks", shape);
  add(name + "filters", filters_of(group, number));
  netcdf::inq_var_deflate(group, number, &shuffle, nullptr, nullptr);
  add(name + "shuffle", shuffle != 0 ? "on" : "off");
  netcdf::inq_var_fletcher32(group, number, &checksum);
  add(name + "checksum", checksum != 0 ? "on" : "off");
  netcdf::inq_var_endian(group, number, &order);
  add(name + "byte order", order >= 0 && order < 3 ? orders[order] : "unknown");
  netcdf::inq_var_fill(group, number, &no_fill, nullptr);
  add(name + "filling", no_fill != 0 ? "off" : "on");
  add(name + "fill value", fill_value(group, number));
  if (place.type != NC_FLOAT && place.type != NC_DOUBLE) return;
  netcdf::inq_var_quantize(group, number, &mode, &digits);
  add(name + "quantization", mode == 0 ? "none" : std::to_string(mode) + ", " + std::to_string(digits));
}

void Description::describe_attributes(int group, int variable, int count, const std::string &owner) {
  for (int a = 0; a < count; ++a) {
    char name[NC_MAX_NAME + 1] = "", type_name[NC_MAX_NAME + 1] = "";
    nc_type type = NC_NAT;
    size_t length = 0;
    netcdf::inq_attname(group, variable, a, name);
    netcdf::inq_att(group, variable, name, &type, &length);
    netcdf::inq_type(group, type, type_name, nullptr);
    add(owner + "attribute '" + name + "'", std::string(type_name) + " " + attribute_value(group, variable, name));
  }
}

/// Collects differences, of which the first are shown.
class Differences {
 public:
  void add(const std::string &text) {
    if (count_++ < most) words_ += (words_.empty() ? "" : "; ") + text;
  }
  std::string words() const {
    return count_ <= most ? words_ : words_ + "; and " + std::to_string(count_ - most) + " more";
  }

 private:
  static constexpr int most = 12;
  int count_ = 0;
  std::string words_;
};

/// Of two long texts, where they begin to differ.
std::string shortened(const std::string &text, const std::string &other) {
  constexpr size_t most = 60, before = 20;
  if (text.size() <= most) return text;
  const auto same = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first - text.begin();
  const size_t first = same <= static_cast<std::ptrdiff_t>(most - before) ? 0 : static_cast<size_t>(same) - before;
  return (first > 0 ? "..." : "") + text.substr(first, most) + (first + most < text.size() ? "..." : "");
}

/// What only one file has is one difference, without its parts.
void add_missing(const Description &from, const Description &other, const char *where, Differences &to) {
  std::string missing;
  for (const auto &[what, how] : from.all()) {
    const bool is_part = !missing.empty() && what.compare(0, missing.size(), missing) == 0;
    if (other.find(what) != nullptr || is_part) continue;
    to.add(what + ": only " + where + " Sverdrup");
    missing = what + ",";
  }
}

void compare_definitions(const Description &one, const Description &other, Differences &to) {
  for (const auto &[what, how] : one.all())
    if (const std::string *const found = other.find(what); found != nullptr && *found != how)
      to.add(what + ": " + shortened(how, *found) + " without, " + shortened(*found, how) + " with Sverdrup");
  add_missing(one, other, "without", to);
  add_missing(other, one, "with", to);
}

}  // namespace

bool is_netcdf4(const std::string &path) {
  char start[8] = "";
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  if (std::memcmp(start, "\x89HDF\r\n\x1a\n", sizeof start) != 0) return false;
  if (is_library_missing()) return true;
  try {
    const OpenFile file(path);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

std::string netcdf4_differences(const std::string &one, const std::string &other) {
  if (is_library_missing())
    return "the bytes differ; values are not compared, because " SV_NETCDF_FILE " cannot be loaded";
  const OpenFile theirs(one), ours(other);
  const Description mine(theirs.id()), yours(ours.id());
  Differences found;
  compare_definitions(mine, yours, found);
  for (const auto &[name, place] : mine.variables()) {
    const auto same = yours.variables().find(name);
    if (same == yours.variables().end() || !place.is_like(same->second)) continue;
    const std::string words = different_values(place, same->second);
    if (!words.empty()) found.add("variable '" + name + "': " + words);
  }
  return found.words();
}

}  // namespace sv_run
