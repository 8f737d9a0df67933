#include "dataset.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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
__attribute__((destructor)) void close_all() {
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
  files[place] = std::move(made);
  return *files[place];
}

void settle_files_at(const char *path) noexcept {
  const auto is_written = [](const auto &own) { return own && own->file->is_writable(); };
  const auto &files = table().files;
  if (path == nullptr || std::none_of(files.begin(), files.end(), is_written)) return;
  const std::unique_ptr<char, void (*)(void *)> followed(::realpath(path, nullptr), std::free);
  for (const auto &own : files) {
    if (!followed || !is_written(own)) continue;
    try {
      if (own->file->is_at(followed.get())) own->file->settle();
    } catch (const std::exception &) {  // the next call on that file returns it
    }
  }
}

std::unique_ptr<Dataset> take_away(Dataset &own) {
  return std::move(table().files[static_cast<size_t>(own.ncid - first_ncid)]);
}

}  // namespace sv::netcdf
