// The context: what one communicator's ranks share. Owns the window, the gate, the decompositions and the open files.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/warning.hpp"
#include "config/settings.hpp"
#include "engine/decomp.hpp"
#include "engine/stop_request.hpp"
#include "engine/syncer.hpp"
#include "engine/teams.hpp"
#include "mpi/comm.hpp"
#include "report/file_reports.hpp"
#include "report/metrics.hpp"
#include "store/unsynced_files.hpp"
#include "transport/gate.hpp"
#include "transport/node.hpp"
#include "transport/transfers.hpp"
#include "transport/window.hpp"

namespace sv {

class Client;
class File;
class Link;
class Server;
struct PointsRequest;

/// How far data have come (DESIGN 8).
enum class Level { handed_over, written, on_disk };

/// Who begins: a rank of a model, in C or in Fortran, or one that only serves and takes the settings of the others.
enum class Caller { c, fortran, server };

/// What sv_init was given.
struct Beginning {
  std::string config;
  std::vector<std::string> options;  // "key=value"
  Caller caller = Caller::c;
  std::optional<Error> problem{};  // of this rank's arguments, which all ranks are to be told
};

class Context {
 public:
  /// Collective over `comm`, which is duplicated. What fails is the same error on every rank, also on those that would
  /// serve. Where some of the ranks serve, these stay in here until the others finalize.
  Context(MPI_Comm comm, const Beginning &beginning);
  /// Collective over `comm`. Of servers. `steps`: where it records, or nullptr; borrowed.
  Context(Comm comm, const Settings &settings, trace::Steps *steps);
  ~Context();
  Context(const Context &) = delete;

  /// Collective. Open files are abandoned (and an error); prints and writes what the settings ask for; frees
  /// everything. After an error, the first is thrown, and what can still be done has been done.
  void finalize();
  /// Collective.
  Decomp *define(const DecompRequest &request);
  /// Collective. `call`: the name of the function, for messages.
  Decomp *define_points(const std::string &call, const PointsRequest &request);
  void forget(const Decomp *decomp);  // local
  /// Local. That of a decomposition, also of one that was forgotten while something needs it; nullptr otherwise.
  std::shared_ptr<const Layout> layout(int decomp) const;
  const std::vector<std::unique_ptr<Decomp>> &decomps() const { return decomps_; }  // in the order of definition
  /// Collective. What was put in this step is committed, in every file; then all are closed, if a stop was asked for.
  void end_step();
  /// Collective. Returns when all that was put in steps that have ended is so far.
  void flush(Level level);
  /// Local. How many steps are known to be on the disk, with all before them.
  int64_t durable_steps() const;
  /// Local.
  StopRequest &stop() { return stop_; }
  bool is_stopping() const { return stopping_; }
  /// Of a model that has servers; otherwise nullptr.
  Client *client() const { return client_.get(); }
  int servers() const { return servers_; }
  /// Local. For the remedy where cells have no owner: that servers cannot own some. Empty without servers.
  std::string word_on_servers() const;
  bool is_model() const { return is_model_; }
  /// Local. The model's own communication begins or ends.
  void communicate(bool begins);
  /// Collective. What servers may still have to do with this file is done; or with one of this name, in whatever words.
  void settle(const File &file);
  void settle(const char *call, const std::string &path);
  /// Local; the same on all ranks. The opposite: servers are told to do something with it.
  void unsettle(const std::string &path) { unsettled_.insert(path); }
  /// Collective. Until the servers have answered what they were asked; `error`: of this rank, which then ends the wait
  /// and is thrown.
  void await_answers(const std::string &call, const std::optional<Error> &error);
  /// Collective. Rank 0 writes the summary.
  void write_summary(const std::string &path);

  File *adopt(std::unique_ptr<File> file);
  void release(const File *file);
  /// Local; the same on every rank. Throws Error(order) while a file of this path is being written.
  void require_unwritten(const std::string &path) const;
  /// Local. A number for a request, never used before.
  int64_t next_request() { return next_request_++; }
  /// What the summary tells about a file that was closed.
  void keep_report(const File &file);

  /// Opens a collective call: runs `local` (this rank's own checks), then passes the gate. Throws the same error
  /// everywhere. `call` must be equal on all ranks.
  Agreed agree(const std::string &call, const std::function<void()> &local, const Agreed &values = {});
  /// The same, for an error (or none) that was caught before.
  Agreed agree(const std::string &call, const std::optional<Error> &error, const Agreed &values = {});
  /// Local. A call of the interface begins, on this thread: its first gate tells what servers have failed with. At a
  /// later one, that waits for the next call.
  static void begin_call();
  /// While it lives, no gate tells that: what is done meanwhile is done, for all files but those that have failed.
  class Beside {
   public:
    explicit Beside(Context &context);
    ~Beside();
    Beside(const Beside &) = delete;
    /// The first that is not told yet, to be told; nothing where an outer one lives, which tells it.
    std::optional<Error> news();
    /// Throws it, if there is one.
    void tell();

   private:
    Context &context_;
  };
  /// Local; the same on every rank. What this tells need not be told again.
  void forget_news(const Error &told);
  std::optional<Error> news_of(const File &file) const;  // not told yet
  /// Local. Throws Error(order) on a rank that served.
  void require_model(const std::string &call) const;
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
  /// Collective. The communicator of these ranks, ascending; elsewhere one that is of no use. Freed with the context.
  std::shared_ptr<const Comm> team_comm(const std::vector<int> &ranks) { return teams_.of(ranks, comm_); }
  int rank() const { return comm_.rank(); }
  const Node &node() const { return *node_; }
  /// Local. Called again and again while this rank waits in a gate.
  /// Whether its ranks are servers, which were given a communicator and settings.
  bool is_of_servers() const { return of_servers_; }
  void while_waiting(std::function<void()> action) { node_->while_waiting(std::move(action)); }
  const Topology &topology() const { return node_->topology(); }
  Window &window() { return *window_; }
  const Settings &settings() const { return settings_; }
  /// How messages count records: from 1 where all ranks of the models are Fortran's, otherwise from 0.
  int first_record() const { return first_record_; }
  std::string text_of_record(int64_t record) const { return std::to_string(record + first_record_); }
  Metrics &metrics() { return metrics_; }
  /// The numbers of these ranks in the trace; empty where nothing is recorded.
  const std::vector<int> &trace_ranks() const { return trace_ranks_; }
  int64_t steps_ended() const { return steps_; }
  /// Local. Of servers: whose files they are that are written now, by how many steps have ended for these.
  void at_step(int64_t steps) { steps_ = steps; }
  UnsyncedFiles &unsynced_files() { return unsynced_files_; }
  Syncer &syncer() { return syncer_; }
  int64_t next_sync() { return ++syncs_; }
  /// Collective. Files that were closed are on the disk, with their names.
  void put_closed_on_disk();
  void count(const Transfers &transfers);
  /// Local. Rank 0 warns of it, once in the life of this context.
  void warn_once(const std::string &text) {
    if (rank() == 0 && warned_.insert(text).second) warn(text);
  }
  /// The first failure of a file is told in the summary.
  void note(const Error &failure);
  MPI_Comm model_comm() const { return model_comm_.get(); }

 private:
  Decomp *adopt_decomp(Decomp decomp);
  void load(const Beginning &beginning);
  /// Collective over all that were given to sv_init. Returns the communicator of a server's group.
  Comm join(MPI_Comm model, bool only_serves);
  Crew crew(bool only_serves, const Topology &topology) const;
  /// Collective over all. Models and servers make what they need, each part by itself: then all know whether it worked.
  std::unique_ptr<Server> prepare(Comm group);
  void serve(std::unique_ptr<Server> server);
  /// This rank's records, as the settings ask for.
  void open_trace();
  /// Collective over all that were given to sv_init.
  void number_ranks();
  void note_run(const Comm &all) const;
  Agreed agree_with_news(const std::string &call, const std::optional<Error> &error, Agreed values);
  std::optional<Error> pass_gate(const std::string &call, std::optional<Error> mine, Agreed values);
  void keep_news(int64_t number, const Error &error);
  std::optional<Error> take_news();
  void make_node();
  void free();
  Summary summary();
  void print_table();
  void close_all();
  void put_on_disk();
  void catch_up();

  // The model's messages must not meet ours, nor its error handler.
  Comm model_comm_, comm_;
  Teams teams_;
  Settings settings_;
  std::unique_ptr<trace::Steps> own_steps_;  // goes after all that records
  std::vector<int> trace_ranks_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<Gate> gate_;
  Metrics metrics_;
  double start_seconds_;
  StopRequest stop_;
  bool stopping_ = false;
  int64_t steps_ = 0;
  int64_t served_durable_steps_ = 0;            // as servers have told
  int64_t released_durable_steps_ = INT64_MAX;  // of files that are gone
  int64_t syncs_ = 0;
  UnsyncedFiles unsynced_files_;
  Syncer syncer_;
  int servers_ = 0, first_record_ = 0;
  bool is_model_ = true, of_servers_ = false;
  std::unique_ptr<Comm> all_;  // models and servers, where there are some
  std::unique_ptr<Link> link_;
  std::unique_ptr<Client> client_;
  std::optional<Error> lost_;  // of a server: what it could not write
  std::set<std::string> unsettled_;
  std::set<std::string> warned_;
  std::optional<Refusal> refusal_;
  struct News {
    int64_t file;  // its number
    Error error;
  };
  std::deque<News> news_;  // not told yet; the same on every rank
  int beside_ = 0;
  int64_t last_call_ = 0;  // that has come to a gate
  std::string failure_;
  FileReports reports_;  // of files that were closed; on rank 0
  int next_decomp_ = 0;
  int64_t next_request_ = 0;
  std::vector<std::unique_ptr<Decomp>> decomps_;
  std::map<int, std::weak_ptr<const Layout>> layouts_;  // by decomposition
  std::vector<std::unique_ptr<File>> files_;
};

/// Runs `action`; returns what it threw as an Error that names `rank`.
std::optional<Error> caught(int rank, const std::function<void()> &action);

}  // namespace sv
