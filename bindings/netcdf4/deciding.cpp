#include "deciding.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "access.hpp"
#include "calls.hpp"
#include "copies.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

struct DescriptorOf {
  explicit DescriptorOf(const char *path) : number(::open(path, O_RDONLY | O_CLOEXEC)) {}
  DescriptorOf(const DescriptorOf &) = delete;
  ~DescriptorOf() {
    if (number >= 0) ::close(number);
  }
  const int number;
};

/// HDF5 locks a file that one process opens. Not all file systems can.
bool can_be_locked(const std::string &path) {
  const DescriptorOf file(path.c_str());
  return file.number < 0 || ::flock(file.number, LOCK_SH | LOCK_NB) == 0;
}

/// The real library takes over its numbers for a file.
void continue_there(Dataset &own, int there, const std::string &reason) {
  drop_definitions(own);
  own.there = there;
  own.owner = Owner::library;
  if (own.engine->rank() == 0) list_left(own.path, reason, own.engine->ranks());
  own.engine->set_access_of_library(own.shapes, there);
}

/// What the real library has in memory, to its file. Variables of the outermost group are the first ones.
void copy_values(const Dataset &own, int there) {
  if (own.is_defining) {
    expect(real::enddef(own.caller)(there));
    expect(real::enddef(own.caller)(own.there));
  }
  for (size_t v = 0; v < own.is_put.size(); ++v)
    if (own.is_put[v]) copy_variable(own.shapes[v], own.there, there, true, own.caller);
  if (own.is_defining) expect(real::redef(own.caller)(there));
}

}  // namespace

std::string reason_in_name(const char *name) {
  if (name == nullptr || *name == '\0') return "it has no name";
  const std::string path = name;
  const bool is_url = path.find("://") != std::string::npos || path.find('#') != std::string::npos;
  return is_url ? "its name is a URL" : "";
}

std::string reason_against_new_file(const char *name, int mode) {
  if (std::string reason = reason_in_name(name); !reason.empty()) return reason;
  constexpr int known = NC_NETCDF4 | NC_CLASSIC_MODEL | NC_NOCLOBBER | NC_WRITE;
  if ((mode & ~known) != 0) return "its mode has flags that are not known";
  std::error_code failed;
  const std::filesystem::path place(name);
  const auto status = std::filesystem::status(place, failed);
  const bool is_there = std::filesystem::exists(status);
  if (is_there && (mode & NC_NOCLOBBER) != 0) return "NC_NOCLOBBER, and there is such a file";
  if (is_there && (!std::filesystem::is_regular_file(status) || ::access(name, W_OK) != 0))
    return "an existing file cannot be replaced";
  const std::string folder = place.has_parent_path() ? place.parent_path().string() : ".";
  return ::access(folder.c_str(), W_OK) != 0 ? "its directory cannot be written" : "";
}

std::string reason_against_opening(const char *name, int mode) {
  if (std::string reason = reason_in_name(name); !reason.empty()) return reason;
  constexpr int known = NC_NETCDF4 | NC_CLASSIC_MODEL | NC_WRITE;
  if ((mode & ~known) != 0) return "its mode has flags that are not known";
  const DescriptorOf file(name);
  if (file.number < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) return "it cannot be opened";
  refuse_if(file.number < 0, errno);
  char start[8] = "";
  refuse_if(::pread(file.number, start, sizeof start, 0) < 0, errno);
  if (std::memcmp(start, "\x89HDF\r\n\x1a\n", sizeof start) != 0) return "it is not netCDF-4";
  return (mode & NC_WRITE) != 0 && ::access(name, W_OK) != 0 ? "it cannot be written" : "";
}

/// Its name is that of no other one.
bool keep_definitions(Dataset &own) {
  const int mode = NC_NETCDF4 | NC_DISKLESS | (own.mode & NC_CLASSIC_MODEL);
  return real::create(own.caller)(own.name_in_memory().c_str(), mode, &own.there) == NC_NOERR;
}

std::string open_there(Dataset &own, int mode) {
  int format = 0;
  const bool is_locked = !can_be_locked(own.place);  // after a failed open, HDF5 may keep a lock of its own
  const int code = real::open(own.caller)(own.place.c_str(), mode, &own.there);
  if (code == NC_EHDFERR && is_locked) return "HDF5 cannot lock it";
  expect(code);
  expect(real::inq_format(own.caller)(own.there, &format));
  if (format == NC_FORMAT_NETCDF4_CLASSIC) own.mode |= NC_CLASSIC_MODEL;
  own.is_defining = own.is_changed = false;
  return "";
}

std::string take_definitions(Dataset &own, Definitions &found) {
  own.owner = Owner::sverdrup;
  own.is_read_only = (own.mode & NC_WRITE) == 0;
  if (const char *const reason = reason_in_file(own.there, !own.is_read_only, own.caller)) return reason;
  if (own.is_read_only) return "";
  found = definitions_of(own.there, own.caller, {});
  const auto has_no_name = [](const DimensionDefinition &each) { return each.name.empty(); };
  if (std::any_of(found.dims.begin(), found.dims.end(), has_no_name)) return "its dimensions are not numbered in order";
  own.shapes = shapes_of(found);
  expect(real::close(own.caller)(std::exchange(own.there, -1)));
  const int kept = answered([&] {
    refuse_if(!keep_definitions(own), NC_ENOMEM);
    bring_to_library(found, own.there, own.caller);
    return real::enddef(own.caller)(own.there);
  });
  return kept == NC_NOERR ? "" : "netCDF cannot keep its definitions in memory: code " + std::to_string(kept);
}

void drop_definitions(Dataset &own) noexcept {
  if (own.owner != Owner::library && own.there >= 0) real::close(own.caller)(own.there);
  own.there = -1;
}

void give_up(Dataset &own) {
  drop_definitions(own);
  forget(own);
}

void leave(Dataset &own, const std::string &reason) {
  const Definitions definitions = definitions_of(own.there, own.caller, own.shapes);
  own.shapes = shapes_of(definitions);
  if (own.owner == Owner::undecided) {
    const int there = own.engine->make_by_library();
    bring_to_library(definitions, there, own.caller);
    if (!own.is_defining) expect(real::enddef(own.caller)(there));
    if (own.bytes_in_memory > 0) copy_values(own, there);
    return continue_there(own, there, reason);
  }
  const int there = own.engine->hand_over(definitions);
  if (own.is_defining) expect(real::redef(own.caller)(there));
  continue_there(own, there, "after Sverdrup had begun it: " + reason);
}

void settle_definitions(Dataset &own) {
  const Definitions definitions = definitions_of(own.there, own.caller, own.shapes);
  std::string reason;
  own.shapes = shapes_of(definitions);
  if (own.owner == Owner::undecided) {
    if (!own.engine->begin(definitions, reason)) return leave(own, reason);
    own.owner = Owner::sverdrup;
    if (own.bytes_in_memory > 0) own.engine->take_values(own.name_in_memory(), definitions, own.is_put);
  } else if (own.is_changed) {
    if (!own.engine->redefine(definitions, reason)) return leave(own, reason);
  }
  own.is_changed = false;
}

void keep_small(Dataset &own, const std::string &reason) {
  if (std::exchange(own.is_small, false)) list_left(own.path, reason, own.engine->ranks());
}

/// When netCDF opens a file, it numbers groups by their place in the tree: those of the program stay.
void adopt(Dataset &own) {
  if (own.is_changed && counts_of(own.there, own.caller).groups > 1) return keep_small(own, "groups that are new");
  Definitions found;
  std::string reason;
  int filling = NC_FILL, none = 0;
  expect(real::set_fill(own.caller)(own.there, NC_FILL, &filling));
  expect(real::close(own.caller)(std::exchange(own.there, -1)));
  reason = open_there(own, NC_NOWRITE);
  const int code = answered([&] {
    if (reason.empty()) reason = take_definitions(own, found);
    if (reason.empty()) own.engine->take_file(found, own.is_classic(), reason);
    return NC_NOERR;
  });
  const bool is_taken = code == NC_NOERR && reason.empty();
  if (!is_taken) {
    drop_definitions(own);
    own.owner = Owner::library;
    expect(real::open(own.caller)(own.place.c_str(), NC_WRITE, &own.there));
    keep_small(own, code == NC_NOERR ? reason : "Sverdrup cannot read it");
  }
  own.is_small = false;
  expect(real::set_fill(own.caller)(own.there, filling, &none));
}

void write_small_file(Dataset &own) {
  own.owner = Owner::sverdrup;
  own.engine->write_small_file(own.name_in_memory());
}

void close_all(const char *library) {
  for (Dataset *const each : datasets()) {
    const auto real = [](int) { return NC_NOERR; };
    const std::string path = each->path;
    if (const int code = answered([&] { return close(*each, RealCall(real)); }); code != NC_NOERR)
      std::fprintf(stderr, "%s: '%s' was left open, and cannot be closed: code %d\n", library, path.c_str(), code);
  }
}

}  // namespace sv::netcdf4
