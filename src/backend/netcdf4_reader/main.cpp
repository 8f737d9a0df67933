// sv-netcdf4-reader FILE [trusted]: the helper of a reader that does not trust a netCDF-4 file, or one that netCDF-C
// may crash on (backend/netcdf4/reader.hpp, which starts it). It opens the file with netCDF-C and HDF5, and answers
// questions on standard input, a socket, until that is closed. Memory, time and system calls are limited; it makes no
// call of MPI.
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "backend/netcdf4/index.hpp"
#include "backend/netcdf4/outline.hpp"
#include "backend/netcdf4/reader_calls.hpp"
#include "backend/netcdf4_reader/confine.hpp"
#include "backend/netcdf_c/netcdf_c.hpp"
#include "store/cdf_places.hpp"
#include "store/file_name.hpp"
#include "store/journal.hpp"

namespace {

using namespace sv;
using namespace sv::netcdf4;

constexpr int peer = STDIN_FILENO;

bool receive(void *to, size_t bytes) {
  for (auto *at = static_cast<char *>(to); bytes > 0;) {
    const ssize_t got = recv(peer, at, bytes, 0);
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool send(const void *from, size_t bytes) {
  for (const auto *at = static_cast<const char *>(from); bytes > 0;) {
    const ssize_t sent = send(peer, at, bytes, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<size_t>(sent);
  }
  return true;
}

bool answer(int64_t status, const void *from, size_t bytes) {
  const Answer head{status, static_cast<int64_t>(bytes)};
  return send(&head, sizeof head) && send(from, bytes);
}

void limit(__rlimit_resource what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

class Reader {
 public:
  Reader(const char *path, bool trusted) : path_(path), trusted_(trusted) {}

  std::vector<std::byte> of(const Question &question, const std::vector<int64_t> &numbers) {
    switch (question.ask) {
      case Ask::schema:
        return schema();
      case Ask::storages:
        return bytes_of(encode(index().storages()));
      case Ask::find:
        return find(static_cast<int>(question.variable), numbers);
      case Ask::read:
        return read(static_cast<int>(question.variable), numbers);
      case Ask::strings:
        return strings(static_cast<int>(question.variable), numbers);
    }
    return {};
  }

 private:
  static std::vector<std::byte> bytes_of(const std::vector<int64_t> &numbers) {
    const auto *const first = reinterpret_cast<const std::byte *>(numbers.data());
    return {first, first + numbers.size() * sizeof(int64_t)};
  }
  const PlacedSchema &definitions() {
    if (schema_ == nullptr) {
      if (!trusted_) require_no_other_files(path_);
      schema_ = std::make_unique<PlacedSchema>(PlacedSchema{read_definitions(path_), {}});
      place_variables(*schema_, Placement());
    }
    return *schema_;
  }
  FileIndex &index() {
    if (index_ == nullptr) index_ = std::make_unique<FileIndex>(path_, definitions());
    return *index_;
  }
  std::vector<std::byte> schema() {
    const PlacedSchema &all = definitions();
    const std::vector<std::byte> header = encode_header(all);
    std::vector<std::byte> bytes = bytes_of({static_cast<int64_t>(all.format), all.records, std::ssize(header)});
    bytes.insert(bytes.end(), header.begin(), header.end());
    return bytes;
  }
  std::vector<std::byte> find(int variable, const std::vector<int64_t> &numbers) {
    Index cell;
    for (const int64_t each : numbers) cell.push(each);
    const ChunkPlace place = index().find(variable, cell).value_or(ChunkPlace{});
    return bytes_of({place.place, place.bytes, static_cast<int64_t>(place.mask)});
  }
  std::vector<std::byte> read(int variable, const std::vector<int64_t> &numbers) {
    SubArray part{{}, {}, 0, 1};
    const size_t dims = numbers.size() / 2;
    for (size_t d = 0; d < dims; ++d) {
      part.start.push_back(static_cast<size_t>(numbers[d]));
      part.count.push_back(static_cast<size_t>(numbers[dims + d]));
      part.elements *= numbers[dims + d];
    }
    const Type type = definitions().variables[static_cast<size_t>(variable)].type;
    std::vector<std::byte> values(static_cast<size_t>(part.elements * size_of(type)));
    index().read(variable, part, values.data());
    return values;
  }

  std::vector<std::byte> strings(int variable, const std::vector<int64_t> &numbers) {
    Box cells;
    const size_t dims = numbers.size() / 2;
    for (size_t d = 0; d < dims; ++d) {
      cells.start.push(numbers[d]);
      cells.count.push(numbers[dims + d]);
    }
    const Attribute all = string_attribute("", index().read_strings(variable, cells));
    return {all.values.begin(), all.values.end()};
  }

  const std::string path_;
  const bool trusted_;
  std::unique_ptr<PlacedSchema> schema_;
  std::unique_ptr<FileIndex> index_;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) return 2;
  const bool trusted = argc == 3 && std::strcmp(argv[2], trusted_word) == 0;
  close_inherited();
  limit(RLIMIT_CORE, 0);
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);  // as in the process that asks
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
#ifndef __SANITIZE_ADDRESS__
  // Not with a sanitizer, whose library needs more memory and calls than a confined process has.
  if (!trusted) {
    limit(RLIMIT_DATA, static_cast<rlim_t>(helper_memory_bytes));
    H5PLset_loading_state(0);  // filters are those that HDF5 itself has
    nc_initialize();           // it looks for files of settings
    confine(std::array<std::string, 2>{argv[1], journal_of(target_of(argv[1], false))});
  }
#endif
  Reader reader(argv[1], trusted);
  for (Question question{}; receive(&question, sizeof question);) {
    alarm(helper_seconds);
    std::vector<int64_t> numbers(static_cast<size_t>(question.numbers));
    if (!receive(numbers.data(), numbers.size() * sizeof(int64_t))) break;
    std::vector<std::byte> bytes;
    auto error = caught(-1, [&] { bytes = reader.of(question, numbers); });
    const std::string cause = error ? error->in_file(argv[1]).what() : "";
    const bool sent = error ? answer(static_cast<int64_t>(error->status()), cause.data(), cause.size())
                            : answer(0, bytes.data(), bytes.size());
    if (!sent) break;
    alarm(0);
  }
  _exit(0);  // HDF5's work at the end would be useless with a file of this kind
}
