// How a rank gets values of a file that nc_open_par has opened to read. The real library has the file open for its
// definitions, and gets a few values itself. A rank that asks for more opens the file with Sverdrup as well, for
// itself: gets need no other rank. The parallel engine has one; it must not write. Local.
#pragma once

#include <sverdrup/binding.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "../engine.hpp"

namespace sv::netcdf4 {

/// Local. Whether a commit of the file has not ended: its writer is in the middle of it, or was killed there.
bool has_journal(const std::string &path);

class LoneReading {
 public:
  /// `caller`: as in Dataset.
  explicit LoneReading(const void *caller) : caller_(caller) {}
  LoneReading(const LoneReading &) = delete;
  ~LoneReading() { close(); }

  /// The real library has opened this file. Throws the code of a system that cannot read it.
  void begin(const std::string &path);
  /// As Engine::reads.
  bool reads(double bytes, int there, std::vector<Shape> &shapes);
  /// Whether Sverdrup has opened it.
  bool is_open() const { return file_ != nullptr; }
  /// Of a variable of these shapes. Returns a code.
  int get(const Request &request) const;
  /// Nothing where it is not open. Returns a code.
  int close();

 private:
  bool open(int there, std::vector<Shape> &shapes);
  bool is_unchanged() const;

  const void *caller_;
  std::string path_;          // after the program has changed its directory, too
  struct stat found_ {};      // when it was opened
  double wanted_bytes_ = 0;   // so far
  double worth_bytes_ = 0;    // so many are worth opening the file
  bool is_possible_ = false;  // Sverdrup may read it
  sv_file *file_ = nullptr;
  std::vector<nc_type> types_;  // of its variables
};

}  // namespace sv::netcdf4
