// The state that the ranks of one communicator share: their node's window, the gate, settings, counters, decompositions
// and open files. Every call of the engine works on it. It makes no calls itself; src/engine/session.hpp begins and
// ends it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
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
  Gate &gate() { return *gate_; }
  Refusals &refusals() { return refusals_; }
  /// nullptr in a context without servers. Set once, when it begins; borrowed.
  Servers *servers() const { return servers_; }
  void set_servers(Servers *servers) { servers_ = servers; }

  const Comm &comm() const { return comm_; }
  int rank() const { return comm_.rank(); }
  const Node &node() const { return *node_; }
  /// Local. Called again and again while this rank waits in a gate.
  void while_waiting(std::function<void()> action) { node_->while_waiting(std::move(action)); }
  const Topology &topology() const { return node_->topology(); }
  Window &window() { return *window_; }
  const Settings &settings() const { return settings_; }
  const ContextOptions &options() const { return options_; }
  Metrics &metrics() { return metrics_; }
  /// Collective. The communicator of these ranks, ascending; elsewhere one that is of no use. Freed with the context.
  std::shared_ptr<const Comm> team_comm(const std::vector<int> &ranks) { return teams_.of(ranks, comm_); }
  /// The numbers of these ranks in the trace; empty where nothing is recorded.
  const std::vector<int> &trace_ranks() const { return trace_ranks_; }

  Decomps &decomps() { return decomps_; }
  /// In the order of opening; closed ones too, until the model gives them back.
  std::vector<std::shared_ptr<File>> &files() { return files_; }
  const std::vector<std::shared_ptr<File>> &files() const { return files_; }
  Disk &disk() { return disk_; }
  const Disk &disk() const { return disk_; }
  /// Of files that were closed; on rank 0.
  FileReports &reports() { return reports_; }

  /// Local. A number for a request, never used before.
  int64_t next_request() { return next_request_++; }
  std::string text_of_record(int64_t record) const { return std::to_string(record + options_.first_record); }
  /// Local. For the remedy where cells have no owner: that servers cannot own some. Empty without servers.
  std::string word_on_servers() const;
  void count(const Transfers &transfers);
  /// Local. Rank 0 warns of it, once in the life of this context.
  void warn_once(const std::string &text);
  /// Local. The first failure of a file is told in the summary.
  void note(const Error &failure);
  const std::string &first_failure() const { return first_failure_; }
  /// The run was asked to stop, and its files are closed.
  bool is_stopping() const { return stopping_; }
  void begin_stopping() { stopping_ = true; }

 private:
  friend class Beside;

  Comm comm_;
  const Settings settings_;
  const ContextOptions options_;
  Teams teams_;
  std::vector<int> trace_ranks_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<Gate> gate_;
  Metrics metrics_;
  Servers *servers_ = nullptr;
  Refusals refusals_;
  Decomps decomps_;
  Disk disk_;
  std::vector<std::shared_ptr<File>> files_;
  FileReports reports_;
  int64_t next_request_ = 0;
  std::string first_failure_;
  std::set<std::string> warned_;
  bool stopping_ = false;
  int beside_ = 0;
};

/// While it lives, no gate tells what servers have failed with: what is done meanwhile is done, for all files but those
/// that have failed.
class Beside {
 public:
  explicit Beside(Context &context) : context_(context) { ++context_.beside_; }
  ~Beside() { --context_.beside_; }
  Beside(const Beside &) = delete;
  static bool is_alive(const Context &context) { return context.beside_ > 0; }
  /// The first that is not told yet, to be told; nothing where an outer one lives, which tells it.
  std::optional<Error> news();
  /// Throws it, if there is one.
  void tell();

 private:
  Context &context_;
};

/// Runs `action`; returns what it threw as an Error that names `rank`.
std::optional<Error> caught(int rank, const std::function<void()> &action);

}  // namespace sv
