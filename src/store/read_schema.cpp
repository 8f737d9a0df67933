#include "store/read_schema.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "store/file_name.hpp"
#include "store/header_copy.hpp"
#include "store/positional_file.hpp"
#include "store/store_counters.hpp"

namespace sv {

namespace {

HeaderBytes header_of(PositionalFile &file, std::span<const std::byte> mended) {
  const int64_t size = file.size();
  StoreCounters counters;
  std::vector<std::byte> bytes;
  for (int64_t wanted = 64 << 10;;) {
    const auto have = static_cast<int64_t>(bytes.size());
    bytes.resize(static_cast<size_t>(std::min(wanted, size)));
    const int64_t got = file.read(have, std::span(bytes).subspan(static_cast<size_t>(have)), counters);
    bytes.resize(static_cast<size_t>(have + got));
    std::copy_n(mended.begin(), std::min(mended.size(), bytes.size()), bytes.begin());
    try {
      // `size` may have been fewer bytes than exist now, never more: longer headers are rejected.
      bytes.resize(static_cast<size_t>(header_end(bytes.data(), std::ssize(bytes), size)));
      return {std::move(bytes), size};
    } catch (const NeedMore &more) {
      if (got == 0)
        throw Error(Status::format, "the file became shorter while it was read", "Read it when it is complete")
            .in_file(file.path());
      wanted = std::max({more.at_least, more.likely, 2 * wanted});
    } catch (Error &error) {
      throw error.in_file(file.path());
    }
  }
}

}  // namespace

HeaderBytes read_header(const std::string &path) {
  PositionalFile file(path, PositionalFile::Mode::read);
  StoreCounters counters;
  return header_of(file, mended_header(file, target_of(path, false), counters));
}

PlacedSchema definitions_in(const HeaderBytes &header, const std::string &path) {
  try {
    return decode_header(header.bytes.data(), std::ssize(header.bytes), header.file_bytes);
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

PlacedSchema read_schema(const std::string &path) { return definitions_in(read_header(path), path); }

PlacedSchema read_schema(PositionalFile &file, std::span<const std::byte> mended) {
  return definitions_in(header_of(file, mended), file.path());
}

}  // namespace sv
