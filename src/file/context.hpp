// A context: the state of each rank for one communicator, from sv_init to sv_finalize: settings, the memory that the
// ranks of its node share (the window), the gate where ranks agree whether a call has failed, counters, decompositions
// and open files. Every function of src/engine works on one. It does nothing by itself; src/engine/session.hpp begins
// and ends it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "file/decomp.hpp"
#include "file/disk.hpp"
#include "file/refusal.hpp"
#include "file/teams.hpp"
#include "mpi/comm.hpp"
#include "report/file_reports.hpp"
#include "report/metrics.hpp"
#include "store/io_threads.hpp"
#include "transport/gate.hpp"
#include "transport/node.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

class File;
class Servers;

constexpr int owner_rank = 0;  // the rank that writes the header and the record count

struct ContextOptions {
  trace::Steps *steps = nullptr;  // where it records; borrowed; nullptr: nowhere
  double patience = 1;            // of the watchdog's limit: how long a rank is awaited
  int first_record = 0;           // how messages count records: from 1 where all ranks of the models are Fortran's
  int servers = 0;                // ranks that write for these
  bool on_one_host = false;       // all these ranks are
  bool of_servers = false;        // whether these ranks are servers, which were given a communicator and settings
};

class Context {
 public:
  /// Collective over `comm`.
  Context(Comm comm, const Settings &settings, const ContextOptions &options);
  Context(const Context &) = delete;
  /// Collective. Nothing can be called any more. Destroying it frees nothing of MPI's.
  void free();

  /// Opens a collective call: runs `local` (this rank's own checks), then passes the gate. Throws the same error
  /// everywhere. `call` must be equal on all ranks.
  Agreed agree(const std::string &call, const std::function<void()> &local, const Agreed &values = {});
  /// The same, for an error (or none) that was caught before.
  Agreed agree(const std::string &call, const std::optional<Error> &error, const Agreed &values = {});
  /// The same; and if all agree, one rank carries out an action before any of them continues. Returns, on every rank,
  /// its error; gate.last contains the maxima of `values`.
  std::optional<Error> agree_and_do(const std::string &call, const std::optional<Error> &error,
                                    const RootAction &action, const Agreed &values = {});
  /// The same as agree, with named values (transport/agreed.hpp); `checks` is `local` or `error`.
  template <class Checks, AgreedValues Values>
  Values agree(const std::string &call, const Checks &checks, const Values &values) {
    return read_words<Values>(agree(call, checks, words_with(values)));
  }
  /// The same as agree, and gives the other ranks of its node data (Gate::carries, Gate::enclosed_by).
  Agreed agree_and_share(const std::string &call, const std::optional<Error> &error,
                         std::span<const std::byte> enclosed, const Agreed &values = {});

  int rank() const { return comm.rank(); }
  /// Whether the name of the next call is used: by other ranks, or by a refusal.
  bool names_calls() const { return !gate.is_of_one() || refusals.any(); }
  const Topology &topology() const { return node.topology(); }
  std::string text_of_record(int64_t record) const { return std::to_string(record + options.first_record); }
  /// Local. Rank 0 warns of it, once in the life of this context.
  void warn_once(const std::string &text);
  /// Local. The first failure of a file is reported in the summary.
  void note(const Error &failure);
  const std::string &first_failure() const { return first_failure_; }
  /// Local. The number of a file that is written behind the calls: its writers report failures by it.
  int64_t number_file() { return ++numbered_files_; }
  int64_t number_request() { return requests_++; }
  /// Since the last step ended: whether files were put and closed that these ranks write, or servers.
  struct Closed {
    bool own = false, served = false;
  };
  void note_closed(bool served) { (served ? closed_.served : closed_.own) = true; }
  Closed end_step() { return std::exchange(closed_, {}); }
  /// Whether deferred errors are held back: a SuppressDeferredErrors lives.
  bool defers_errors() const { return suppression_depth_ > 0; }

  const Settings settings;
  const ContextOptions options;
  Comm comm;
  Node node;
  Window window;
  Gate gate;
  Teams teams;                   // of the ranks of this
  std::vector<int> trace_ranks;  // the numbers of these ranks in the trace; empty where nothing is recorded
  Metrics metrics;
  Servers *servers = nullptr;  // set once, when it begins; borrowed; nullptr in a context without servers
  Refusals refusals;
  Decomps decomps;
  Disk disk;
  const std::shared_ptr<IoThreads> lanes =
      std::make_shared<IoThreads>();           // with which files write; no thread until then
  std::vector<std::shared_ptr<File>> files;    // in the order of opening; closed ones until the model gives them back
  std::vector<std::shared_ptr<File>> closing;  // that the model has closed, and threads complete
  FileReports reports;                         // of files that were closed; on rank 0
  bool stopping = false;                       // the run was asked to stop, and its files are closed

 private:
  friend class SuppressDeferredErrors;
  Agreed pass(const std::string &call, const std::optional<Error> &error, GateInput brought);

  std::string first_failure_;
  std::set<std::string> warned_;
  int64_t requests_ = 0, numbered_files_ = 0;  // so many have a number
  Closed closed_;
  int suppression_depth_ = 0;  // so many Besides live
};

}  // namespace sv
