#include "dataset.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "account.hpp"

namespace sv::netcdf {

namespace {

/// Never destroyed: destructors of the program may still close files.
struct Table {
  std::vector<std::unique_ptr<Dataset>> files;
  pid_t process = getpid();
};

Table &table() {
  static auto *const own = new Table;
  return *own;
}

/// Files that the program has left open when it ends get what was put.
void close_all() {
  if (table().process != getpid()) return;  // a process that was forked, whose parent has the files
  const NoTraps quiet;
  for (auto &own : table().files) {
    if (!own) continue;
    int code = NC_NOERR;
    try {
      own->file->is_defining() ? own->file->abort() : own->file->close();
    } catch (const std::exception &error) {
      code = code_of_exception();
      std::fprintf(stderr, "libsverdrup_netcdf: a file was left open, and cannot be closed: %s\n", error.what());
    }
    tell_taken(*own, code);
    own.reset();
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

Variable &Dataset::variable(int number) {
  refuse_if(number < 0 || number >= std::ssize(schema().variables), NC_ENOTVAR);
  return schema().variables[static_cast<size_t>(number)];
}

size_t Dataset::length_of(int dim) const {
  const Dimension &each = schema().dims[static_cast<size_t>(dim)];
  return static_cast<size_t>(each.is_record ? schema().records : each.length);
}

void Dataset::check_fill(size_t first_variable, bool with_records) const {
  for (size_t v = first_variable; v < schema().variables.size(); ++v) {
    const Variable &each = schema().variables[v];
    if (each.has_records != with_records || !(with_records ? file->filling().records : file->filling().variables[v]))
      continue;
    const Attribute *const fill = find_attribute(each.attributes, "_FillValue");
    refuse_if(fill != nullptr && (fill->type != each.type || fill->count != 1), NC_EBADTYPE);
  }
}

Dataset *dataset(int ncid) noexcept {
  if (ncid < first_ncid) return nullptr;
  const auto place = static_cast<size_t>(ncid - first_ncid);
  const auto &files = table().files;
  return place < files.size() ? files[place].get() : nullptr;
}

Dataset &keep(std::unique_ptr<Dataset> made) {
  auto &files = table().files;
  size_t place = 0;
  while (place < files.size() && files[place]) ++place;
  if (place == files.size()) files.emplace_back();
  made->ncid = first_ncid + static_cast<int>(place);
  struct stat file {};
  if (::stat(made->path.c_str(), &file) == 0) {
    made->device = file.st_dev;
    made->inode = file.st_ino;
  }
  files[place] = std::move(made);
  return *files[place];
}

void settle_files_at(const char *path) noexcept {
  struct stat file {};
  const auto is_written = [](const auto &own) { return own && own->file->is_writable(); };
  const auto &files = table().files;
  if (path == nullptr || std::none_of(files.begin(), files.end(), is_written) || ::stat(path, &file) != 0) return;
  for (const auto &own : files) {
    if (!is_written(own) || own->device != file.st_dev || own->inode != file.st_ino) continue;
    try {
      own->file->settle();
    } catch (const std::exception &) {  // the next call on that file returns it
    }
  }
}

std::unique_ptr<Dataset> take_away(Dataset &own) {
  return std::move(table().files[static_cast<size_t>(own.ncid - first_ncid)]);
}

}  // namespace sv::netcdf
