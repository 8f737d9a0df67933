#include "dataset.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "../face/open_files.hpp"
#include "names.hpp"

namespace sv::netcdf {

namespace {

/// Never destroyed: destructors of the program may still close files.
struct Table {
  OpenFiles<Dataset, first_ncid> files;
  pid_t process = getpid();
};

Table &table() {
  static auto *const own = new Table;
  return *own;
}

/// Files that the program has left open at its end get their put values.
void close_all() {
  if (table().process != getpid()) return;  // a process that was forked, whose parent has the files
  const NoTraps quiet;
  for (const auto &own : table().files.all()) {
    if (!own) continue;
    int code = NC_NOERR;
    try {
      own->file->is_defining() ? own->file->abort() : own->file->close();
    } catch (const std::exception &error) {
      code = code_of_exception();
      std::fprintf(stderr, "libsverdrup_netcdf: a file was left open, and cannot be closed: %s\n", error.what());
    }
    list_handled(own->path, own->account, 1, code);
    take_away(*own);
  }
}

/// A library that is loaded while the program runs ends before the program, whose last functions may still close files:
/// then the one that was preloaded, and has loaded it, calls at its own end (bindings/run/run.h).
bool is_called_at_exit = false;

__attribute__((constructor)) void begin() {
  using AtExit = void (*)(void (*)());
  const auto at_exit = reinterpret_cast<AtExit>(dlsym(RTLD_DEFAULT, "sv_run_at_exit"));
  if (at_exit == nullptr) return;
  at_exit(close_all);
  is_called_at_exit = true;
}

__attribute__((destructor)) void end() {
  if (!is_called_at_exit) close_all();
}

}  // namespace

int Dataset::dim_named(const char *name) {
  const int found = dims.find(schema().dims, wanted_name(name));
  refuse_if(found < 0, NC_EBADDIM);
  return found;
}

const std::string &Dataset::dim_name(int dim) const {
  refuse_if(dim < 0 || dim >= std::ssize(schema().dims), NC_EBADDIM);
  return schema().dims[static_cast<size_t>(dim)].name;
}

size_t Dataset::dim_length(int dim) const {
  refuse_if(dim < 0 || dim >= std::ssize(schema().dims), NC_EBADDIM);
  return length_of(dim);
}

int Dataset::variable_named(const char *name) {
  const int found = variables.find(schema().variables, wanted_name(name));
  refuse_if(found < 0, NC_ENOTVAR);
  return found;
}

Variable &Dataset::variable(int number) {
  refuse_if(number < 0 || number >= std::ssize(schema().variables), NC_ENOTVAR);
  return schema().variables[static_cast<size_t>(number)];
}

std::vector<Attribute> &Dataset::attributes_of(int variable) {
  return variable == NC_GLOBAL ? schema().attributes : this->variable(variable).attributes;
}

size_t Dataset::length_of(int dim) const { return static_cast<size_t>(schema().length_of(dim)); }

void Dataset::check_fill(size_t first_variable, bool with_records) const {
  for (size_t v = first_variable; v < schema().variables.size(); ++v) {
    const Variable &each = schema().variables[v];
    if (each.has_records != with_records || !(with_records ? file->filling().records : file->filling().variables[v]))
      continue;
    const Attribute *const fill = find_attribute(each.attributes, "_FillValue");
    refuse_if(fill != nullptr && (fill->type != each.type || fill->count != 1), NC_EBADTYPE);
  }
}

Dataset *dataset(int ncid) noexcept { return table().files.find(ncid); }

Dataset &keep(std::unique_ptr<Dataset> made) {
  struct stat file {};
  if (::stat(made->path.c_str(), &file) == 0) {
    made->device = file.st_dev;
    made->inode = file.st_ino;
  }
  return table().files.keep(std::move(made));
}

void settle_files_at(const char *path) noexcept {
  struct stat file {};
  const auto is_written = [](const auto &own) { return own && own->file->is_writable(); };
  const auto &files = table().files.all();
  if (path == nullptr || std::none_of(files.begin(), files.end(), is_written) || ::stat(path, &file) != 0) return;
  for (const auto &own : files) {
    if (!is_written(own) || own->device != file.st_dev || own->inode != file.st_ino) continue;
    try {
      own->file->settle();
    } catch (const std::exception &) {  // the next call on that file returns it
    }
  }
}

std::unique_ptr<Dataset> take_away(Dataset &own) { return table().files.take(own); }

}  // namespace sv::netcdf
