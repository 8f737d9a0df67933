// The requests of a context's calls to its servers, if it has some: homes for files, and waiting for earlier commands.
// The gate of every call goes through it, too, since a gate also reports errors of servers. servers/service implements
// it; a context without servers has none.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "transport/gate.hpp"

namespace sv {

/// How far data have come: servers hold them, they survive the processes, or they survive the node.
enum class Level : int64_t { handed_over, written, on_disk };

class BackgroundWriter;
class File;
class FileName;
class Home;
class StoreMaker;

class Servers {
 public:
  virtual ~Servers() = default;

  /// Where threads of these ranks write behind the calls, and no rank serves: how; otherwise nullptr.
  virtual BackgroundWriter *behind() { return nullptr; }
  /// A remark of the summary on a file that the calls write all the same; empty: none.
  virtual std::string remark_on(const File &) const { return ""; }

  /// The home of a file that servers are to write, or to read for the models; nullptr: the models' own ranks do it.
  /// `in_pieces`: it is a set of files.
  virtual std::shared_ptr<Home> home_of(File &file, const StoreMaker &maker, bool in_pieces) = 0;
  /// Collective. The gate of a context with servers. Throws the error of a rank; or else, if the gate is the first of
  /// its call and no SuppressDeferredErrors lives, the error of servers.
  virtual Agreed agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) = 0;
  /// The first error of servers that no call has reported yet; it counts as reported from now on.
  virtual std::optional<Error> take_deferred_error() = 0;
  /// Local; the same on every rank. This error need not be reported again.
  virtual void forget_deferred_errors(const Error &reported) = 0;
  /// Collective. Waits until servers have finished with a file of this name, under any name.
  virtual void settle(const char *call, const FileName &name) = 0;
  /// Collective. Returns when all earlier commands have reached this level.
  virtual void flush(const std::string &call, Level level) = 0;
  /// Ends a step: servers commit its puts.
  virtual void end_step() = 0;
};

/// Local. A call of the interface begins on this thread.
void begin_call();
/// Local. The number of the call that this thread is in.
int64_t current_call();

}  // namespace sv
