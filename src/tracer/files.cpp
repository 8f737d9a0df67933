#include "tracer/files.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "tracer/process.hpp"

namespace sv::profile {

namespace {

constexpr std::string_view system_folders[] = {"/usr/",  "/lib/", "/lib32/", "/lib64/", "/etc/",
                                               "/proc/", "/sys/", "/opt/",   "/run/"};
// Data are data wherever they lie: inputs that a package installed under /usr/share, too.
constexpr std::string_view suffixes_of_data[] = {".nc",   ".nc3", ".nc4", ".cdf",  ".h5",   ".hdf",
                                                 ".hdf5", ".he5", ".grb", ".grib", ".grb2", ".grib2"};
// Libraries, Python's own files, settings of netCDF and others, and memory that processes share: of MPI libraries and
// without a name.
constexpr const char *not_data[] = {"*.so",
                                    "*.so.*",
                                    "*.py",
                                    "*.pyc",
                                    "*/pyvenv.cfg",
                                    "*/.*rc",
                                    "*/.aws/*",
                                    "*/site-packages/*",
                                    "*/dist-packages/*",
                                    "*/ompi.*/*",
                                    "*/prte.*/*",
                                    "*/pmix-*",
                                    "*/.openmpi/*",
                                    "*/.pmix/*",
                                    "/dev/shm/vader_segment.*",
                                    "/dev/shm/sm_segment.*",
                                    "/dev/shm/osc_rdma.*",
                                    "/dev/shm/mpich_*",
                                    "/dev/shm/psm*",
                                    "/dev/shm/ucx_*",
                                    "/dev/shm/fi_*",
                                    "/dev/shm/Intel_MPI_*",
                                    "/dev/shm/sem.*",
                                    "/memfd:*",
                                    "/SYSV*"};

std::string resolved(const std::string &path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) != nullptr ? real : "";
}

std::string folder_of_descriptor(int directory) {
  char link[32], path[PATH_MAX];
  std::snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", directory);
  const ssize_t length = readlink(link, path, sizeof path);
  return length > 0 && length < static_cast<ssize_t>(sizeof path) ? std::string(path, static_cast<size_t>(length)) : "";
}

}  // namespace

bool is_traced(const char *absolute) {
  const std::string_view path(absolute);
  const std::string_view name = path.substr(path.rfind('/') + 1);  // zero-terminated as well
  if (name.ends_with(".svtrace")) return false;
  const auto matches = [&](const char *pattern) { return fnmatch(pattern, absolute, 0) == 0; };
  const std::vector<std::string> &patterns = settings().patterns;
  if (!patterns.empty())
    return std::ranges::any_of(patterns, [&](const std::string &pattern) {
      return matches(pattern.c_str()) || fnmatch(pattern.c_str(), name.data(), 0) == 0;
    });
  if (path.starts_with("/dev/") && !path.starts_with("/dev/shm/")) return false;
  if (std::ranges::any_of(not_data, matches)) return false;
  return std::ranges::none_of(system_folders, [&](std::string_view folder) { return path.starts_with(folder); }) ||
         std::ranges::any_of(suffixes_of_data, [&](std::string_view suffix) { return name.ends_with(suffix); });
}

bool is_untraced(const char *path) { return path != nullptr && path[0] == '/' && !is_traced(path); }

std::string absolute_path(int directory, std::string_view path, bool itself) {
  std::string whole(path);
  if (!path.starts_with('/')) {
    const std::string folder = folder_of_descriptor(directory);
    if (folder.empty()) return "";
    whole.insert(0, folder + '/');
  }
  std::string real = itself ? "" : resolved(whole);
  if (!real.empty()) return real;
  const size_t slash = whole.rfind('/');
  real = resolved(slash == 0 ? "/" : whole.substr(0, slash));
  if (real.empty()) return whole;
  return (real == "/" ? "" : real) + whole.substr(slash);
}

std::string traced_path(std::string_view path) {
  if (!settings().active || path.empty()) return "";
  const Unseen unseen;
  const int error = errno;
  std::string absolute = absolute_path(AT_FDCWD, path);
  errno = error;
  return is_traced(absolute.c_str()) ? absolute : "";
}

}  // namespace sv::profile
