#include "file/write_policy.hpp"

#include <sys/stat.h>

#include <utility>

#include "file/file_system.hpp"
#include "mpi/comm.hpp"
#include "store/directory.hpp"
#include "store/file_name.hpp"

namespace sv {

namespace {

/// Whether the folder of a file is on the file system that was probed.
bool is_on_same(const std::string &path, const std::string &directory) {
  const std::string folder = directory_of(target_of(path, false));
  struct stat own {
  }, probed{};
  return ::stat(folder.c_str(), &own) == 0 && ::stat(directory.c_str(), &probed) == 0 && own.st_dev == probed.st_dev;
}

struct Advice {
  WriteProfile::Best best;
  std::string why;
};

Advice advice_for(const Settings &settings, const FileSettings &file, const std::string &path) {
  const WriteProfile &profile = settings.profile;
  if (settings.machine.empty()) return {{}, "no profile of this machine (key: file_system.profile)"};
  if (!profile.known) return {{}, "'" + settings.machine + "' does not contain these keys; probe the machine again"};
  if (!is_on_same(path, profile.directory))
    return {{}, "the file is not on the storage that was probed, " + profile.directory};
  const bool waits_for_disk = file.durability != Durability::written;
  return {waits_for_disk ? profile.on_disk : profile.written, "probe of " + profile.date + " in " + profile.directory};
}

}  // namespace

ChosenPolicy write_policy(const Settings &settings, const FileSettings &file, const std::string &path,
                          std::shared_ptr<IoThreads> lanes) {
  const bool sets_depth = file.write_depth > 0, sets_direct = file.direct_io != DirectIo::automatic;
  if (settings.machine.empty() && !sets_depth && !sets_direct) return {};
  const Advice advice = sets_depth && sets_direct ? Advice{} : advice_for(settings, file, path);
  ChosenPolicy chosen;
  WritePolicy &policy = chosen.policy;
  policy.depth = sets_depth ? file.write_depth : advice.best.depth;
  policy.direct = sets_direct ? file.direct_io == DirectIo::on : advice.best.direct;
  const std::string depth_why = sets_depth ? "as set" : advice.why, direct_why = sets_direct ? "as set" : advice.why;
  const std::string direct = std::string("direct_io ") + (policy.direct ? "on" : "off");
  chosen.description = "write_depth " + std::to_string(policy.depth);
  if (policy.depth > 1 && !may_have_threads()) {
    policy.depth = 1;
    chosen.description += " is 1, since MPI was initialised for a single thread: ask for MPI_THREAD_FUNNELED; " +
                          direct + ": " + direct_why;
  } else if (depth_why == direct_why) {
    chosen.description += ", " + direct + ": " + direct_why;
  } else {
    chosen.description += " (" + depth_why + "), " + direct + " (" + direct_why + ")";
  }
  if (policy.is_plain()) return chosen;
  policy.piece_bytes = surroundings_of(target_of(path, false), file, true).stripe_bytes;
  policy.lanes = std::move(lanes);
  return chosen;
}

}  // namespace sv
