#include "backend/netcdf4_library/held_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "backend/access.hpp"

// HDF5's own, of 1.10 and later, whose numbers of objects have 64 bits. Not there where HDF5 hides them.
extern "C" {
extern int H5get_libversion(unsigned *, unsigned *, unsigned *) __attribute__((weak));
extern ssize_t H5Fget_obj_count(int64_t, unsigned) __attribute__((weak));
extern ssize_t H5Fget_obj_ids(int64_t, unsigned, size_t, int64_t *) __attribute__((weak));
extern int H5Iinc_ref(int64_t) __attribute__((weak));
extern int H5Fclose(int64_t) __attribute__((weak));
extern int H5Fget_vfd_handle(int64_t, int64_t, void **) __attribute__((weak));
}

namespace sv::netcdf4 {

namespace {

constexpr int64_t of_all_files = 0x1f;  // H5F_OBJ_ALL
constexpr unsigned files = 1;           // H5F_OBJ_FILE
constexpr int64_t defaults = 0;         // H5P_DEFAULT

bool can_hold() {
  static const bool can = [] {
    if (H5get_libversion == nullptr || H5Fget_obj_count == nullptr || H5Fget_obj_ids == nullptr ||
        H5Iinc_ref == nullptr || H5Fclose == nullptr)
      return false;
    unsigned major = 0, minor = 0, release = 0;
    return H5get_libversion(&major, &minor, &release) >= 0 && (major > 1 || minor >= 10);
  }();
  return can;
}

/// Numbers are given in ascending order.
int64_t last_opened() {
  const ssize_t count = H5Fget_obj_count(of_all_files, files);
  if (count <= 0) return not_held;
  std::vector<int64_t> all(static_cast<size_t>(count));
  const ssize_t found = H5Fget_obj_ids(of_all_files, files, all.size(), all.data());
  return found <= 0 ? not_held : *std::max_element(all.begin(), all.begin() + std::min(found, count));
}

}  // namespace

int64_t hold_last_opened() {
  const int64_t file = can_hold() ? last_opened() : not_held;
  return file != not_held && H5Iinc_ref(file) > 0 ? file : not_held;
}

void close_held(int64_t file) {
  if (file == not_held || H5Fclose(file) >= 0) return;
  throw library_error({status_of_system(errno), "HDF5", "H5Fclose: it cannot close the file", errno});
}

const MPI_File *mpi_file_of(int64_t file) {
  void *found = nullptr;
  if (file == not_held || H5Fget_vfd_handle == nullptr || H5Fget_vfd_handle(file, defaults, &found) < 0) return nullptr;
  return static_cast<const MPI_File *>(found);
}

}  // namespace sv::netcdf4
