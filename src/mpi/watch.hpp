// A watch over calls into other people's collective libraries: a rank that fails there can leave the others waiting for
// ever, where no gate of ours can reach them (docs/adr/0017-stores-over-libraries.md).
#pragma once

#include <mpi.h>

#include <string>

namespace sv {

struct WatchSettings {
  double limit_seconds = 0;  // 0: no watch
  bool may_abort = true;     // false: it only tells
};

/// While it lives, this rank is inside such a call. Past the limit a thread tells so on standard error, once, and ends
/// the job with MPI_Abort. Watches do not nest; one rank is in one call.
class Watch {
 public:
  /// `comm` is borrowed; `what` names the call and the file.
  Watch(const WatchSettings &settings, MPI_Comm comm, const std::string &what);
  ~Watch();
  Watch(const Watch &) = delete;
};

}  // namespace sv
