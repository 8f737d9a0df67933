// Removes the scratch files of a process after its end, for any end: MPI launchers do not leave a process the time to
// do so. sv-probe and sv-bench use it.
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

  /// Will be removed when this process has ended, if it is still there.
  void expect(const std::string &path);

 private:
  int pipe_ = -1;
};

}  // namespace sv_tools
