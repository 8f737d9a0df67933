// The codec vlen-utf8 of numcodecs, as zarr-python has it: a chunk begins with the number of its strings, and each
// string with the number of its bytes: 4 bytes, little-endian.
#include "backend/zarr/strings.hpp"

#include <algorithm>
#include <cstring>

#include "backend/chunked/cells.hpp"
#include "backend/zarr/attributes.hpp"
#include "base/error.hpp"
#include "model/filling.hpp"

namespace sv::zarr {

namespace {

constexpr size_t count_bytes = 4;
constexpr int64_t most_body_bytes = int64_t{1} << 30;

void add_count(std::vector<std::byte> &to, size_t count) {
  for (size_t i = 0; i < count_bytes; ++i) to.push_back(static_cast<std::byte>(count >> (8 * i) & 0xFFU));
}

std::vector<std::byte> encoded(std::span<const std::string> strings) {
  std::vector<std::byte> bytes;
  add_count(bytes, strings.size());
  for (const std::string &each : strings) {
    const std::string text = as_utf8(each);
    add_count(bytes, text.size());
    const auto *const begin = reinterpret_cast<const std::byte *>(text.data());
    bytes.insert(bytes.end(), begin, begin + text.size());
  }
  return bytes;
}

/// Error(format) where they are not so many.
std::vector<std::string> decoded(std::span<const std::byte> rest, int64_t wanted) {
  const auto refuse = [] { return Error(Status::format, "its strings are malformed", "Restore it from a copy"); };
  const auto count = [&] {
    if (rest.size() < count_bytes) throw refuse();
    size_t number = 0;
    for (size_t i = count_bytes; i-- > 0;) number = number << 8U | std::to_integer<size_t>(rest[i]);
    rest = rest.subspan(count_bytes);
    return number;
  };
  if (count() != static_cast<size_t>(wanted) || rest.size() / count_bytes < static_cast<size_t>(wanted)) throw refuse();
  std::vector<std::string> strings;
  for (int64_t i = 0; i < wanted; ++i) {
    const size_t length = count();
    if (length > rest.size()) throw refuse();
    const char *const text = reinterpret_cast<const char *>(rest.data());
    strings.emplace_back(text, ::strnlen(text, length));  // as in memory, a zero byte ends it
    rest = rest.subspan(length);
  }
  if (!rest.empty()) throw refuse();
  return strings;
}

}  // namespace

std::string Strings::name_of(const ChunkKey &key) const {
  return variable(key.variable).name + "/" + array(key.variable).name_of_file(key.cell);
}

std::vector<std::string> Strings::of_chunk(const ChunkKey &key) {
  const int64_t cells = array(key.variable).chunk.product();
  const std::unique_ptr<Object> file = values_.objects().open(name_of(key));
  if (file == nullptr) return std::vector<std::string>(static_cast<size_t>(cells), fill_text(variable(key.variable)));
  try {
    if (file->size() > most_body_bytes) throw Error(Status::limit, "it has more than 1 GiB", "Write smaller chunks");
    const auto body = body_at(*file, {0, static_cast<uint64_t>(file->size())}, values_.counters);
    return decoded(Chain(array(key.variable).encoding, 1, libraries_).decode(body, most_body_bytes), cells);
  } catch (Error &error) {
    throw Error(error.status(), "'" + name_of(key) + "' cannot be read: " + error.what(), "Restore it from a copy");
  }
}

std::vector<std::string> Strings::read(int v, const Box &cells) {
  std::vector<std::string> all(static_cast<size_t>(cells.elements()));
  for_chunks(cells, length_of(schema_, variable(v)), array(v).chunk, [&](const ChunkOverlap &met) {
    const std::vector<std::string> found = of_chunk({v, met.stored.start});
    for_common_runs(met.part, met.stored, cells, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
      std::copy_n(found.begin() + in_chunk, elements, all.begin() + in_memory);
    });
  });
  return all;
}

void Strings::write(int v, const Box &cells, std::span<const std::string> strings) {
  for_chunks(cells, length_of(schema_, variable(v)), array(v).chunk, [&](const ChunkOverlap &met) {
    const ChunkKey key{v, met.stored.start};
    std::vector<std::string> all = of_chunk(key);
    for_common_runs(met.part, met.stored, cells, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
      std::copy_n(strings.begin() + in_memory, elements, all.begin() + in_chunk);
    });
    const std::vector<std::byte> plain = encoded(all);
    const std::span<const std::byte> body = Chain(array(v).encoding, 1, libraries_).encode(plain);
    iovec part{const_cast<std::byte *>(body.data()), body.size()};  // it is only read
    values_.objects().put(name_of(key), std::span(&part, 1), true, values_.counters);
  });
}

}  // namespace sv::zarr
