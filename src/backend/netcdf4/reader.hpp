// Reads a netCDF-4 file that is not trusted (the key `untrusted`). A helper process opens the file, and returns its
// definitions and the places of its chunks; HDF5 never sees the file here. Answers are checked before they are used.
// The store has one while it reads such a file, and reads and inflates the chunks itself. Local.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/boxes.hpp"
#include "backend/netcdf4/reader_calls.hpp"
#include "backend/netcdf4/storage.hpp"
#include "base/error.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

/// Whether a file may do harm, or is only one that netCDF-C may crash on.
enum class Trust { untrusted, trusted };

/// Every function throws Error(format) if the helper has crashed, needs too much time or memory, or returns an
/// impossible answer. HDF5's errors are thrown too.
class ReaderProcess {
 public:
  explicit ReaderProcess(const std::string &path, Trust trust = Trust::untrusted);
  ~ReaderProcess();
  ReaderProcess(const ReaderProcess &) = delete;

  Schema schema();
  /// How the variables of these definitions are stored.
  std::vector<Storage> storages(const Schema &schema);
  std::optional<ChunkPlace> find(int variable, const Index &cell);
  /// Values in native order; as many bytes as `values` has.
  void read(int variable, const SubArray &part, std::span<std::byte> values);

  /// Strings, in the order of the cells.
  std::vector<std::string> read_strings(int variable, const Box &cells);

 private:
  void start();
  void stop() noexcept;
  std::vector<std::byte> ask(const Question &question, const std::vector<int64_t> &numbers, int64_t most_bytes);
  using Time = std::chrono::steady_clock::time_point;
  void receive(std::span<std::byte> to, Time until);
  Error lost(bool late);

  const std::string path_;
  const Trust trust_;
  int64_t file_bytes_ = 0;
  int socket_ = -1;
  pid_t helper_ = -1;
};

/// The definitions of one that is opened for them alone.
Schema read_untrusted_definitions(const std::string &path);

}  // namespace sv::netcdf4
