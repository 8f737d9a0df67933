// Removes the scratch files of a process after its end, for any end: signals and MPI launchers do not leave a process
// the time to do so. sv-probe, sv-bench and sv-run use it.
#pragma once

#include <string>

namespace sv_tools {

/// A child process that waits for the end of this one. Without one (the system allows no more processes), files stay.
class Janitor {
 public:
  /// Before MPI_Init.
  Janitor();
  ~Janitor();
  Janitor(const Janitor &) = delete;
  Janitor &operator=(const Janitor &) = delete;

  /// A file or folder that is removed when this process has ended, if it is still there.
  void expect(const std::string &path);
  /// It stays.
  void keep(const std::string &path);

 private:
  void send(char message, const std::string &path);

  int pipe_ = -1;
};

}  // namespace sv_tools
