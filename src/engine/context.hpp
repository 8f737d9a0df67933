// The context: what one communicator's ranks share. Owns the window, the gate, the decompositions and the open files.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "engine/decomp.hpp"
#include "mpi/comm.hpp"
#include "report/metrics.hpp"
#include "transport/gate.hpp"
#include "transport/node.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

class File;

class Context {
 public:
  /// Collective over `comm`, which is duplicated. `options`: "key=value". Bad settings are the same error on every
  /// rank.
  Context(MPI_Comm comm, const std::string &config, const std::vector<std::string> &options);
  ~Context();
  Context(const Context &) = delete;

  /// Collective. Open files are abandoned (and an error); prints and writes what the settings ask for; frees
  /// everything. After an error, the first is thrown, and what can still be done has been done.
  void finalize();
  /// Collective.
  Decomp *define(const DecompRequest &request);
  void forget(const Decomp *decomp);  // local
  /// Local. That of a decomposition, also of one that was forgotten while something needs it; nullptr otherwise.
  std::shared_ptr<const Layout> layout(int decomp) const;
  const std::vector<std::unique_ptr<Decomp>> &decomps() const { return decomps_; }  // in the order of definition
  /// Collective. What was put in this step is committed, in every file.
  void end_step();
  /// Collective. Rank 0 writes the summary.
  void write_summary(const std::string &path);

  File *adopt(std::unique_ptr<File> file);
  void release(const File *file);
  /// Local. A number for a request, never used before.
  int64_t next_request() { return next_request_++; }
  /// What the summary tells about a file that was closed.
  void keep_report(const File &file);

  /// Opens a collective call: runs `local` (this rank's own checks), then passes the gate. Throws the same error
  /// everywhere. `call` must be equal on all ranks.
  Agreed agree(const std::string &call, const std::function<void()> &local, const Agreed &values = {});
  /// The same, for an error (or none) that was caught before.
  Agreed agree(const std::string &call, const std::optional<Error> &error, const Agreed &values = {});
  /// Local. The next agreement fails, on every rank, with this.
  void refuse(Status status, const std::string &cause, const std::string &remedy);
  /// Local. What was refused, for a call without a gate; or put aside, and back, while another call passes gates.
  struct Refusal {
    Status status;
    std::string cause, remedy;
  };
  std::optional<Error> take_refusal(const std::string &call);
  std::optional<Refusal> hold_refusal() { return std::exchange(refusal_, std::nullopt); }
  void restore_refusal(std::optional<Refusal> refusal) { refusal_ = std::move(refusal); }

  const Comm &comm() const { return comm_; }
  /// Collective. The communicator of these ranks, ascending; elsewhere one that is of no use. Made once for equal
  /// ranks, and freed with the context.
  const Comm &team_comm(const std::vector<int> &ranks);
  int rank() const { return comm_.rank(); }
  const Node &node() const { return *node_; }
  const Topology &topology() const { return node_->topology(); }
  Window &window() { return *window_; }
  const Settings &settings() const { return settings_; }
  Metrics &metrics() { return metrics_; }
  void count(const Transfers &transfers);
  /// The first failure of a file is told in the summary.
  void note(const Error &failure);
  MPI_Comm model_comm() const { return model_comm_.get(); }

 private:
  void load(const std::string &config, const std::vector<std::string> &options);
  void make_node();
  void free();
  Summary summary();
  void print_table();

  // The model's messages must not meet ours, nor its error handler.
  Comm model_comm_, comm_;
  std::map<std::vector<int>, Comm> teams_;
  Settings settings_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<Gate> gate_;
  Metrics metrics_;
  double start_seconds_;
  std::optional<Refusal> refusal_;
  std::string failure_;
  std::vector<FileReport> reports_;  // of files that were closed; on rank 0
  int next_decomp_ = 0;
  int64_t next_request_ = 0;
  std::vector<std::unique_ptr<Decomp>> decomps_;
  std::map<int, std::weak_ptr<const Layout>> layouts_;  // by decomposition
  std::vector<std::unique_ptr<File>> files_;
};

/// Runs `action`; returns what it threw as an Error that names `rank`.
std::optional<Error> caught(int rank, const std::function<void()> &action);

}  // namespace sv
