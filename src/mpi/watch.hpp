// A watch over calls into other people's collective libraries: a rank that fails there can leave the others waiting for
// ever, where no gate of ours can reach them (docs/adr/0017-stores-over-libraries.md). The stores over these libraries
// hold one while they are inside.
#pragma once

#include <mpi.h>

#include <string>

#include "base/progress.hpp"

namespace sv {

struct WatchSettings {
  double limit_seconds = 0;  // 0: no watch
  bool may_abort = true;     // false: it only prints
  Progress progress{};       // while it grows, ranks of this node are at work, and none is stuck
};

/// While it lives, this rank is inside such a call. When it has lasted for the limit, and no rank of this node has got
/// on meanwhile, a thread reports that on standard error, once, and ends the job with MPI_Abort. Watches do not nest;
/// one rank is in one call.
class Watch {
 public:
  /// `comm` is borrowed; `what` names the call and the file.
  Watch(const WatchSettings &settings, MPI_Comm comm, const std::string &what);
  ~Watch();
  Watch(const Watch &) = delete;
};

/// This rank (of the calling communicator) has failed in such a call, and will report it at the next agreement. If the
/// others do not come, because they are inside the library, the thread prints the cause on standard error after a
/// quarter of the limit, before it ends the job.
void keep_failure(const WatchSettings &settings, int rank, const std::string &cause);
/// All have heard of it.
void forget_failure() noexcept;
/// From inside a watched call: an error has occurred here. If the call does not return within a quarter of the limit,
/// the thread prints the cause, as above: on its return path the call waits for others, which do not know of it.
void note_inside(const std::string &cause);

}  // namespace sv
