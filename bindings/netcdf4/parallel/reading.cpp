#include "reading.hpp"

#include <cerrno>
#include <filesystem>
#include <limits>
#include <map>
#include <utility>

#include "../../face/mpi/contexts.hpp"
#include "statuses.hpp"

namespace sv::netcdf4 {

namespace {

// Each rank has a context of its own: none of them may write the summary or the trace of the others.
constexpr const char *options[] = {"store=netcdf4", "summary=", "summary.table=false", "trace="};
const face::ContextOptions of_one_rank{options, false, [] {}};

/// Sverdrup inquires all variables of a file when it opens it. That takes as long as it gains by inflating so much.
constexpr double bytes_of_variable = 16 << 10;
constexpr int variables_of_file = 8;  // opening takes as long as inquiring so many

/// Of a variable of a file that is only read: its lengths stay as they were when it was opened.
Shape shape_in(sv_file *file, int variable, char *name) {
  Shape shape;
  int type = 0, ndims = 0, dims[NC_MAX_VAR_DIMS];
  must(sv_inq_var(file, variable, name, &type, &ndims, dims, nullptr));
  shape.type = type;
  shape.number = variable;
  shape.dims.assign(dims, dims + ndims);
  for (const int dim : shape.dims) must(sv_inq_dim(file, dim, nullptr, &shape.lengths.emplace_back()));
  return shape;
}

/// `there`: the real library's, in which variables of groups may stand in another order.
std::vector<Shape> shapes_to_read(sv_file *file, int there, const void *caller) {
  std::vector<Shape> shapes;
  std::map<std::string, const VariableDefinition *> known;
  Definitions definitions;
  if (counts_of(there, caller).groups > 1) definitions = definitions_of(there, caller, {});
  for (const VariableDefinition &each : definitions.variables)
    known.emplace(definitions.path_of(each.group, each.name), &each);
  int variables = 0;
  must(sv_inq(file, nullptr, &variables, nullptr, nullptr));
  for (int v = 0; v < variables; ++v) {
    char name[SV_MAX_NAME];
    Shape &made = shapes.emplace_back(shape_in(file, v, name));
    const auto found = known.find(name);
    if (found == known.end()) continue;
    made.group = found->second->group;
    made.number = found->second->number;
    made.group_path = definitions.groups[static_cast<size_t>(made.group)].path;
  }
  return shapes;
}

/// Whether Sverdrup has left out a part of it.
bool is_whole(const sv_file *file, const Counts &counts) {
  int dims = 0, variables = 0;
  must(sv_inq(file, &dims, &variables, nullptr, nullptr));
  return dims == counts.dims && variables == counts.variables;
}

}  // namespace

bool has_journal(const std::string &path) {
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::canonical(path, failed);
  return std::filesystem::exists(target.string() + ".journal", failed);
}

void LoneReading::begin(const std::string &path) {
  path_ = std::filesystem::absolute(path);
  refuse_if(::stat(path.c_str(), &found_) != 0, errno);
  is_possible_ = true;
  // Of a file whose commit was interrupted, the real library sees a part of that.
  if (has_journal(path)) wanted_bytes_ = std::numeric_limits<double>::infinity();
}

/// The real library has read the definitions of the file that was there then.
bool LoneReading::is_unchanged() const {
  struct stat now {};
  return ::stat(path_.c_str(), &now) == 0 && now.st_dev == found_.st_dev && now.st_ino == found_.st_ino &&
         now.st_size == found_.st_size && now.st_mtim.tv_sec == found_.st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == found_.st_mtim.tv_nsec;
}

bool LoneReading::open(int there, std::vector<Shape> &shapes) {
  std::string reason;
  const face::Context *const context = face::context_of(MPI_COMM_SELF, of_one_rank, reason);
  if (context == nullptr || !is_unchanged()) return false;
  if (sv_open(context->io, path_.c_str(), SV_LITERAL | SV_NOWRITE, &file_) != SV_OK) {
    file_ = nullptr;
    return false;
  }
  bool is_open = false;
  const int code = answered([&] {
    is_open = is_unchanged() && is_whole(file_, counts_of(there, caller_));
    if (is_open) shapes = shapes_to_read(file_, there, caller_);
    for (const Shape &each : shapes) types_.push_back(each.type);
    return NC_NOERR;
  });
  if (code == NC_NOERR && is_open) return true;
  close();
  return false;
}

bool LoneReading::reads(double bytes, int there, std::vector<Shape> &shapes) {
  if (file_ != nullptr || !is_possible_) return file_ != nullptr;
  if (worth_bytes_ <= 0) worth_bytes_ = bytes_of_variable * (counts_of(there, caller_).variables + variables_of_file);
  wanted_bytes_ += bytes;
  if (wanted_bytes_ >= worth_bytes_) is_possible_ = open(there, shapes);
  return file_ != nullptr;
}

int LoneReading::get(const Request &request) const {
  const int type = types_[static_cast<size_t>(request.variable)];
  return code_of(sv_get_vars(file_, request.variable, request.start.data(), request.count.data(), request.stride.data(),
                             {type, request.values, nullptr}));
}

int LoneReading::close() { return file_ == nullptr ? NC_NOERR : code_of(sv_close(std::exchange(file_, nullptr))); }

}  // namespace sv::netcdf4
