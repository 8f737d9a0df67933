#include "backend/netcdf4/recording_driver.hpp"

#include <algorithm>
#include <cstring>

#include "backend/netcdf4/hdf5_calls.hpp"

namespace sv::netcdf4 {

unsigned char stand_in[1] = {0};

namespace {

struct RecordedFile {
  H5FD_t base;  // HDF5's part comes first
  Recorded *to;
};

struct DriverInfo {
  Recorded *to;
};

Recorded &recorded_of(const H5FD_t *file) { return *reinterpret_cast<const RecordedFile *>(file)->to; }

/// No exception may pass through HDF5.
template <class Action>
herr_t kept(Recorded &to, Action action) {
  if (const auto failed = caught(-1, action)) {
    if (!to.failure) to.failure = failed;
    return -1;
  }
  return 0;
}

H5FD_t *driver_open(const char *, unsigned, hid_t access, haddr_t) {
  const auto *const info = static_cast<const DriverInfo *>(H5Pget_driver_info(access));
  return info == nullptr ? nullptr : &(new RecordedFile{{}, info->to})->base;
}

herr_t driver_close(H5FD_t *file) {
  delete reinterpret_cast<RecordedFile *>(file);
  return 0;
}

/// No accumulating and aggregating: memory needs neither, and every block has the place that the image gives it.
herr_t driver_query(const H5FD_t *, unsigned long *features) {
  *features = 0;
  return 0;
}

haddr_t driver_alloc(H5FD_t *file, H5FD_mem_t type, hid_t, hsize_t bytes) {
  MetadataImage &image = recorded_of(file).image;
  const auto size = static_cast<int64_t>(bytes);
  return static_cast<haddr_t>(type == H5FD_MEM_DRAW ? image.place_data(size) : image.place_metadata(size));
}

haddr_t driver_end(const H5FD_t *file, H5FD_mem_t) { return static_cast<haddr_t>(recorded_of(file).image.end()); }

haddr_t driver_length(const H5FD_t *file, H5FD_mem_t) { return static_cast<haddr_t>(recorded_of(file).image.length()); }

herr_t driver_set_end(H5FD_t *file, H5FD_mem_t, haddr_t end) {
  recorded_of(file).image.set_end(static_cast<int64_t>(end));
  return 0;
}

/// A stretch of the file that HDF5 reads or writes.
struct Stretch {
  haddr_t at;
  size_t bytes;
};

herr_t read_or_record(Recorded &recorded, const Stretch &part, void *to) {
  if (to == stand_in) {
    recorded.place = static_cast<int64_t>(part.at);
    recorded.bytes = static_cast<int64_t>(part.bytes);
    return 0;
  }
  return kept(recorded, [&] {
    recorded.image.read(static_cast<int64_t>(part.at), {static_cast<std::byte *>(to), part.bytes});
  });
}

/// The order in which blocks must reach the file: the end of the file before the blocks behind it, tree nodes before
/// those below them, which then lose the entries that others have taken over, and last the lengths of variables.
int turn_of(H5FD_mem_t type, std::span<const std::byte> block) {
  constexpr int superblock = 1, highest_node = 2, levels = 16, others = highest_node + levels;
  constexpr char node[] = {'T', 'R', 'E', 'E'};
  constexpr size_t level_at = 5;
  if (type == H5FD_MEM_SUPER) return superblock;
  if (type != H5FD_MEM_BTREE || block.size() <= level_at || std::memcmp(block.data(), node, sizeof node) != 0)
    return others;
  return highest_node + std::max(0, levels - 1 - static_cast<int>(block[level_at]));
}

/// Of files made by parallel HDF5, HDF5 writes fill values into a chunk before the chunk gets its bytes from a writer.
herr_t write_or_record(Recorded &recorded, H5FD_mem_t type, const Stretch &part, const void *from) {
  if (from == stand_in) {
    recorded.place = static_cast<int64_t>(part.at);
    recorded.image.forget(recorded.place, static_cast<int64_t>(part.bytes));
    return 0;
  }
  if (type == H5FD_MEM_DRAW && recorded.drops_data) return 0;
  const std::span block(static_cast<const std::byte *>(from), part.bytes);
  return kept(recorded, [&] { recorded.image.write(static_cast<int64_t>(part.at), block, turn_of(type, block)); });
}

herr_t driver_truncate(H5FD_t *, hid_t, hbool_t) { return 0; }

H5FD_class_t driver_class() {
  H5FD_class_t made;
  std::memset(&made, 0, sizeof made);
#if H5_VERSION_GE(1, 13, 2)
  made.version = H5FD_CLASS_VERSION;
  made.value = static_cast<H5FD_class_value_t>(512);  // a value that HDF5 leaves to other drivers
#endif
  made.name = "sverdrup_recording";
  made.maxaddr = static_cast<haddr_t>(INT64_MAX);
  made.fc_degree = H5F_CLOSE_STRONG;
  made.fapl_size = sizeof(DriverInfo);
  made.open = driver_open;
  made.close = driver_close;
  made.query = driver_query;
  made.alloc = driver_alloc;
  made.get_eoa = driver_end;
  made.set_eoa = driver_set_end;
  made.get_eof = driver_length;
  made.read = [](H5FD_t *file, H5FD_mem_t, hid_t, haddr_t at, size_t bytes, void *to) {
    return read_or_record(recorded_of(file), {at, bytes}, to);
  };
  made.write = [](H5FD_t *file, H5FD_mem_t type, hid_t, haddr_t at, size_t bytes, const void *from) {
    return write_or_record(recorded_of(file), type, {at, bytes}, from);
  };
  made.truncate = driver_truncate;
  for (H5FD_mem_t &kind : made.fl_map) kind = H5FD_MEM_SUPER;  // free space among metadata stays there
  made.fl_map[H5FD_MEM_DRAW] = H5FD_MEM_DRAW;
  return made;
}

}  // namespace

hid_t open_recorded(Recorded &recorded, const std::string &path) {
  static const H5FD_class_t driver = driver_class();
  static const hid_t number = checked(H5FDregister(&driver), "H5FDregister");
  const DriverInfo info{&recorded};
  const Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate"), H5Pclose);
  checked(H5Pset_driver(access.get(), number, &info), "H5Pset_driver");
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST), "H5Pset_libver_bounds");
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get());
  if (file < 0 && recorded.failure) throw Error(*recorded.failure);
  return checked(file, "H5Fopen");
}

}  // namespace sv::netcdf4
