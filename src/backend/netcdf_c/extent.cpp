#include <array>
#include <cstring>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/error.hpp"
#include "store/positional_file.hpp"

namespace sv::netcdf4 {

namespace {

constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
using Superblock = std::array<std::byte, 64>;

int64_t little_endian(const std::byte *at, size_t width) {
  uint64_t number = 0;
  for (size_t i = width; i-- > 0;) number = number << 8U | std::to_integer<uint64_t>(at[i]);
  return static_cast<int64_t>(number);
}

/// Where the file ends by its superblock, counted from the beginning of the file. -1 where it is of a version that is
/// not known here. HDF5 File Format Specification 3.0, section II.A.
int64_t end_in(const Superblock &block) {
  const auto byte = [&block](size_t at) { return std::to_integer<size_t>(block[at]); };
  const size_t version = byte(8);
  if (version > 3) return -1;
  const size_t width = byte(version < 2 ? 13 : 9);
  const size_t addresses = version == 0 ? 24 : version == 1 ? 28 : 12;  // base, another, end of file
  const size_t at = addresses + 2 * width;
  if ((width != 4 && width != 8) || at + width > block.size()) return -1;
  return little_endian(block.data() + at, width);
}

}  // namespace

/// The superblock stands at the beginning, or after a block of the user's of 512 bytes, 1024, and so on.
void require_whole(const std::string &path) {
  PositionalFile file(path, PositionalFile::Mode::read);
  StoreCounters counters;
  const int64_t size = file.size();
  for (int64_t place = 0; place < size; place = place == 0 ? 512 : 2 * place) {
    Superblock block{};
    const int64_t got = file.read(place, block, counters);
    if (got < std::ssize(signature) || std::memcmp(block.data(), signature.data(), signature.size()) != 0) continue;
    const int64_t end = end_in(block);
    if (end > size || got < 48)
      throw Error(Status::format,
                  "the file was cut: it has " + std::to_string(size) + " bytes" +
                      (end > size ? ", and " + std::to_string(end) + " by its own superblock" : ""),
                  "Take a complete copy of it");
    return;
  }
}

}  // namespace sv::netcdf4
