// The file that is written and read, on the storage that is probed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/janitor.hpp"
#include "team.hpp"

namespace sv_probe {

/// One file, and another next to it, made anew for each measurement. Removed by the destructor, or by the janitor.
class Scratch {
 public:
  /// Collective. Throws std::invalid_argument on all ranks where the folder cannot be written.
  Scratch(Team &team, const std::string &directory, sv_tools::Janitor &janitor);
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  const std::string &path() const { return path_; }
  std::string other_path() const { return path_ + ".other"; }
  /// Collective. Empty files under both names, which no process has open; throws std::runtime_error on all ranks.
  void renew();
  /// Collective. Bytes that are free in the folder.
  int64_t free_bytes() const;
  /// Collective. Preferred size of a transfer as the file system reports it; of a parallel one its stripe.
  int64_t preferred_bytes() const;

 private:
  Team &team_;
  std::string directory_, path_;
};

/// A scratch file, open on this rank. Local; all throw std::runtime_error with the file, the rank and the cause.
class Opened {
 public:
  /// `rank` of the team, for messages.
  Opened(std::string path, int rank);
  ~Opened();
  Opened(const Opened &) = delete;
  Opened &operator=(const Opened &) = delete;

  void write(const std::vector<char> &data, int64_t bytes, int64_t offset_bytes) const;
  void read(std::vector<char> &data, int64_t bytes, int64_t offset_bytes) const;
  /// Its data leave this node's cache, as far as the system lets them.
  void forget() const;

 private:
  [[noreturn]] void fail(const char *what) const;
  std::string path_;
  int rank_, descriptor_;
};

}  // namespace sv_probe
