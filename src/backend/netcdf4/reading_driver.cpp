#include "backend/netcdf4/reading_driver.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "backend/netcdf4/hdf5_calls.hpp"

namespace sv::netcdf4 {

namespace {

struct ReadFile {
  H5FD_t base;  // HDF5's part comes first
  int descriptor;
  haddr_t bytes, end;  // of the file; HDF5 reads nothing behind the end
};

ReadFile &read_file_of(H5FD_t *file) { return *reinterpret_cast<ReadFile *>(file); }
const ReadFile &read_file_of(const H5FD_t *file) { return *reinterpret_cast<const ReadFile *>(file); }

/// For hdf5_error, as HDF5's own drivers do: that the system failed, and why.
void report_error_of(const char *call, int error) {
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR, "%s: %s", call,
           std::strerror(error));
}

H5FD_t *reading_open(const char *path, unsigned, hid_t, haddr_t) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat found {};
  if (descriptor >= 0 && ::fstat(descriptor, &found) == 0)
    return &(new ReadFile{{}, descriptor, static_cast<haddr_t>(found.st_size), 0})->base;
  report_error_of("open", errno);
  if (descriptor >= 0) ::close(descriptor);
  return nullptr;
}

herr_t reading_close(H5FD_t *file) {
  ::close(read_file_of(file).descriptor);
  delete &read_file_of(file);
  return 0;
}

herr_t reading_query(const H5FD_t *, unsigned long *features) {
  *features = H5FD_FEAT_ACCUMULATE_METADATA_READ | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t reading_end(const H5FD_t *file, H5FD_mem_t) { return read_file_of(file).end; }

haddr_t reading_length(const H5FD_t *file, H5FD_mem_t) { return read_file_of(file).bytes; }

herr_t reading_set_end(H5FD_t *file, H5FD_mem_t, haddr_t end) {
  read_file_of(file).end = end;
  return 0;
}

/// Behind the end of the file there are zeros, as for HDF5's own drivers.
herr_t read_at(haddr_t at, std::span<std::byte> to, int descriptor) {
  while (!to.empty()) {
    const ssize_t got = ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      report_error_of("pread", errno);
      return -1;
    }
    if (got == 0) {
      std::ranges::fill(to, std::byte{});
      return 0;
    }
    to = to.subspan(static_cast<size_t>(got));
    at += static_cast<haddr_t>(got);
  }
  return 0;
}

/// As HDF5's own drivers: a program that writes with HDF5 locks its file. Some file systems have no locks.
herr_t reading_lock(H5FD_t *file, hbool_t) {
  return ::flock(read_file_of(file).descriptor, LOCK_SH | LOCK_NB) == 0 || errno == ENOSYS ? 0 : -1;
}

herr_t reading_unlock(H5FD_t *file) {
  return ::flock(read_file_of(file).descriptor, LOCK_UN) == 0 || errno == ENOSYS ? 0 : -1;
}

/// Without `cmp`: HDF5 takes no two files for the same one.
H5FD_class_t reading_class() {
  H5FD_class_t made;
  std::memset(&made, 0, sizeof made);
#if H5_VERSION_GE(1, 13, 2)
  made.version = H5FD_CLASS_VERSION;
  made.value = static_cast<H5FD_class_value_t>(513);  // a value that HDF5 leaves to other drivers
#endif
  made.name = "sverdrup_reading";
  made.maxaddr = static_cast<haddr_t>(INT64_MAX);
  made.fc_degree = H5F_CLOSE_WEAK;
  made.open = reading_open;
  made.close = reading_close;
  made.query = reading_query;
  made.get_eoa = reading_end;
  made.set_eoa = reading_set_end;
  made.get_eof = reading_length;
  made.read = [](H5FD_t *file, H5FD_mem_t, hid_t, haddr_t at, size_t bytes, void *to) {
    return read_at(at, {static_cast<std::byte *>(to), bytes}, read_file_of(file).descriptor);
  };
  made.write = [](H5FD_t *, H5FD_mem_t, hid_t, haddr_t, size_t, const void *) { return herr_t{-1}; };
  made.lock = reading_lock;
  made.unlock = reading_unlock;
  constexpr H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
  std::memcpy(made.fl_map, kinds, sizeof kinds);
  return made;
}

}  // namespace

hid_t open_unshared(const std::string &path) {
  static const H5FD_class_t driver = reading_class();
  static const hid_t number = checked(H5FDregister(&driver), "H5FDregister");
  const Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate"), H5Pclose);
  checked(H5Pset_driver(access.get(), number, nullptr), "H5Pset_driver");
  return checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), "H5Fopen");
}

}  // namespace sv::netcdf4
