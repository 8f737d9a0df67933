#include "profile/datasets.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "profile/files.hpp"

namespace sv::profile {
namespace {

constexpr int longest_name = 256;  // NC_MAX_NAME of netCDF-C and PnetCDF

// The types of netCDF, NC_BYTE to NC_STRING, by number; strings have no size of their own.
constexpr int64_t bytes_of_types[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, 0};

constexpr int64_t key_of_variable(int ncid, int varid) { return int64_t{ncid} << 32 | static_cast<uint32_t>(varid); }

template <typename Type>
void find_sibling(Type *&found, const void *function, const char *name) {
  found = name != nullptr ? reinterpret_cast<Type *>(sibling_of(function, name)) : nullptr;
}

}  // namespace

std::string traced_file(const char *given) {
  static constexpr std::string_view drivers[] = {"ufs", "nfs",    "lustre", "gpfs",    "pvfs2", "panfs",
                                                 "xfs", "testfs", "daos",   "quobyte", "beegfs"};
  const std::string_view name = given != nullptr ? given : "";
  if (name.find("://") != std::string_view::npos) {
    return std::string(name);
  }
  const size_t colon = name.find(':');
  const bool has_driver = colon != std::string_view::npos &&
                          std::find(std::begin(drivers), std::end(drivers), name.substr(0, colon)) != std::end(drivers);
  return traced_path(has_driver ? name.substr(colon + 1) : name);
}

uint32_t NumberedPath::number(trace::Recorder &recorder) {
  if (path_.empty()) {
    return 0;
  }
  const int32_t process = recorder.header().pid;
  if (process_ != process) {
    number_ = recorder.file(path_);
    process_ = process;
  }
  return number_;
}

void *sibling_of(const void *function, const char *name) {
  Dl_info library;
  if (function == nullptr || dladdr(function, &library) == 0) {
    return nullptr;
  }
  // RTLD_NOLOAD counts a use; the library is never closed, since the program itself goes on using it.
  void *handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return handle != nullptr ? dlsym(handle, name) : nullptr;
}

void Datasets::learn(const void *function) {
  find_sibling(library_.name, function, inquiries_.name);
  find_sibling(library_.ndims, function, inquiries_.ndims);
  find_sibling(library_.type, function, inquiries_.type);
  find_sibling(library_.dims, function, inquiries_.dims);
  find_sibling(library_.length, function, inquiries_.length);
  find_sibling(library_.user_type, function, inquiries_.user_type);
  find_sibling(library_.attribute, function, inquiries_.attribute);
}

void Datasets::opened(int ncid, std::string path, const void *function) {
  std::call_once(learnt_, [&] { learn(function); });
  Dataset dataset{NumberedPath(std::move(path)), {}};
  const std::lock_guard lock(mutex_);
  datasets_.insert_or_assign(ncid >> inquiries_.shift, std::move(dataset));
}

void Datasets::closed(int ncid) {
  const std::lock_guard lock(mutex_);
  datasets_.erase(ncid >> inquiries_.shift);
}

void Datasets::renamed(int ncid) {
  const std::lock_guard lock(mutex_);
  if (Dataset *dataset = find(ncid)) {
    dataset->variables.clear();
  }
}

Datasets::Dataset *Datasets::find(int ncid) {
  const auto found = datasets_.find(ncid >> inquiries_.shift);
  return found != datasets_.end() ? &found->second : nullptr;
}

KnownVariable Datasets::dataset(trace::Recorder &recorder, int ncid) {
  const std::lock_guard lock(mutex_);
  KnownVariable known;
  if (Dataset *dataset = find(ncid)) {
    known.file = dataset->path.number(recorder);
    known.traced = !dataset->path.path().empty();
  }
  return known;
}

KnownVariable Datasets::variable(trace::Recorder &recorder, int ncid, int varid) {
  KnownVariable known = dataset(recorder, ncid);
  const int64_t key = key_of_variable(ncid, varid);
  Variable answer;
  for (const bool asked : {false, true}) {
    // Not under the lock: what netCDF-4 reads for its answer is part of the traced call, and recorded.
    if (!known.traced || (asked && !ask(ncid, varid, answer))) {
      return known;
    }
    const std::lock_guard lock(mutex_);
    Dataset *dataset = find(ncid);
    if (dataset == nullptr) {
      return known;
    }
    if (asked) {
      dataset->variables.insert_or_assign(key, std::move(answer));
    }
    const auto found = dataset->variables.find(key);
    if (found != dataset->variables.end()) {
      Variable &variable = found->second;
      if (variable.process != recorder.header().pid) {
        variable.number = recorder.variable(known.file, varid, variable.name);
        variable.process = recorder.header().pid;
      }
      known.variable = variable.number;
      known.ndims = variable.ndims;
      known.type_bytes = variable.type_bytes;
      break;
    }
  }
  return known;
}

bool Datasets::ask(int ncid, int varid, Variable &variable) const {
  char name[longest_name + 1];
  if (library_.name == nullptr || library_.ndims == nullptr || library_.type == nullptr ||
      library_.name(ncid, varid, name) != 0 || library_.ndims(ncid, varid, &variable.ndims) != 0 ||
      library_.type(ncid, varid, &variable.type) != 0) {
    return false;
  }
  variable.name = name;
  variable.type_bytes = bytes_of(ncid, variable.type);
  return true;
}

int64_t Datasets::bytes_of(int ncid, int type) const {
  if (type >= 0 && type < static_cast<int>(std::size(bytes_of_types))) {
    return bytes_of_types[type];
  }
  size_t bytes = 0;
  const bool told = library_.user_type != nullptr && library_.user_type(ncid, type, nullptr, &bytes) == 0;
  return told ? static_cast<int64_t>(bytes) : 0;
}

int64_t Datasets::attribute_bytes(int ncid, int varid, const char *name, int64_t element_bytes) const {
  int type = 0;
  int64_t length = 0;
  if (library_.attribute == nullptr || library_.attribute(ncid, varid, name, &type, &length) != 0) return -1;
  const int64_t each = element_bytes == as_in_file ? bytes_of(ncid, type) : element_bytes;
  return each > 0 ? length * each : -1;
}

int64_t Datasets::elements(int ncid, int varid) const {
  int ndims = 0;
  if (library_.ndims == nullptr || library_.dims == nullptr || library_.length == nullptr ||
      library_.ndims(ncid, varid, &ndims) != 0) {
    return -1;
  }
  std::vector<int> dims(static_cast<size_t>(ndims) + 1);
  if (library_.dims(ncid, varid, dims.data()) != 0) {
    return -1;
  }
  int64_t elements = 1;
  for (int d = 0; d < ndims; ++d) {
    int64_t length = 0;
    if (library_.length(ncid, dims[static_cast<size_t>(d)], &length) != 0) {
      return -1;
    }
    elements *= length;
  }
  return elements;
}

// They live as long as the process: libraries close files in their destructors.
Datasets &netcdf_datasets() {
  static Datasets &datasets = *new Datasets({"nc_inq_varname", "nc_inq_varndims", "nc_inq_vartype", "nc_inq_vardimid",
                                             "nc_inq_dimlen", "nc_inq_type", "nc_inq_att", 16});
  return datasets;
}

Datasets &pnetcdf_datasets() {
  static Datasets &datasets = *new Datasets({"ncmpi_inq_varname", "ncmpi_inq_varndims", "ncmpi_inq_vartype",
                                             "ncmpi_inq_vardimid", "ncmpi_inq_dimlen", nullptr, "ncmpi_inq_att", 0});
  return datasets;
}

}  // namespace sv::profile
