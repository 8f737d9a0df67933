#include "backend/netcdf4/zstd_filter.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>

#include "backend/netcdf4/hdf5_calls.hpp"
#include "codec/codec.hpp"

namespace sv::netcdf4 {

namespace {

constexpr auto zstd_number = static_cast<H5Z_filter_t>(FilterKind::zstd);

/// HDF5's buffer, and how long it is.
struct Buffer {
  void **memory;
  size_t *length;
};

/// Bytes in a buffer of HDF5's, which it takes over in place of the one that it has given.
size_t hand_over(std::span<const std::byte> bytes, const Buffer &buffer) {
  void *const made = H5allocate_memory(bytes.size(), false);
  if (made == nullptr) return 0;
  std::memcpy(made, bytes.data(), bytes.size());
  H5free_memory(*buffer.memory);
  *buffer.memory = made;
  *buffer.length = bytes.size();
  return bytes.size();
}

/// 0 says that it has failed. No exception may pass through HDF5.
size_t pass(bool reads, int level, size_t bytes, const Buffer &buffer) {
  size_t result = 0;
  const auto failed = caught(-1, [&] {
    const std::span from(static_cast<const std::byte *>(*buffer.memory), bytes);
    const auto codec = make_zstd(level);
    std::vector<std::byte> to(reads ? zstd_content_bytes(from) : codec->most_encoded(bytes));
    if (reads)
      codec->decode(from, to);
    else
      to.resize(codec->encode(from, to));
    result = hand_over(to, buffer);
  });
  return failed ? 0 : result;
}

bool is_ours = false;  // HDF5 has registered it

}  // namespace

void need_zstd_filter(bool anyway) {
  const bool is_known = H5Zfilter_avail(zstd_number) > 0;
  if (is_known && (anyway || !is_ours)) return;
  if (!anyway)
    throw Error(Status::not_compiled,
                "HDF5 finds no plug-in for Zstandard (filter 32015) here, so that no reader of this machine could read "
                "the file",
                "Install the plug-in and name its folder in HDF5_PLUGIN_PATH; or compress with deflate; or set "
                "'compression.zstd_plugin: "
                "assumed' if those who read the file have it");
  const auto filter = [](unsigned flags, size_t given, const unsigned values[], size_t bytes, size_t *length,
                         void **memory) {
    return pass((flags & H5Z_FLAG_REVERSE) != 0, given > 0 ? static_cast<int>(values[0]) : 3, bytes, {memory, length});
  };
  const H5Z_class2_t made{H5Z_CLASS_T_VERS, zstd_number, 1, 1, "zstd", nullptr, nullptr, filter};
  checked(H5Zregister(&made), "H5Zregister");
  is_ours = true;
}

void need_zstd_filter(const std::vector<Storage> &storages) {
  const auto is_zstd = [](const Filter &filter) { return filter.kind == FilterKind::zstd; };
  const auto has_zstd = [&](const Storage &each) {
    return std::any_of(each.filters.begin(), each.filters.end(), is_zstd);
  };
  if (std::any_of(storages.begin(), storages.end(), has_zstd)) need_zstd_filter(true);
}

}  // namespace sv::netcdf4
