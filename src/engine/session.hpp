// A model's use of Sverdrup from sv_init to sv_finalize: how it begins, who serves, and the calls that are about all
// its files. The C interface makes it. On a rank that serves, the whole life of the server passes in its constructor.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/stop_request.hpp"
#include "file/context.hpp"
#include "file/servers.hpp"
#include "mpi/duplicating.hpp"
#include "plan/roles.hpp"
#include "report/metrics.hpp"

namespace sv {

class WriteBehindService;
class Client;
class FileCalls;
class Link;
class Server;
class Service;

/// The caller: a rank of a model, in C or in Fortran, or one that only serves and takes the settings of the others.
enum class Caller { c, fortran, server };

/// The arguments of sv_init.
struct Beginning {
  std::string config;
  std::vector<std::string> options;  // "key=value"
  Caller caller = Caller::c;
  std::optional<Error> problem{};  // of this rank's arguments, for all ranks
};

class Session {
 public:
  /// Collective over `comm`, which is duplicated. An error is the same on every rank, also on those that would serve.
  /// Servers stay in here until the other ranks finalize.
  Session(MPI_Comm comm, const Beginning &beginning);
  ~Session();
  Session(const Session &) = delete;

  /// Collective. Open files are abandoned (and an error); prints and writes the reports that the settings request;
  /// frees everything. After an error, the first is thrown, and all other work has been done.
  void finalize();
  /// Collective. Commits the puts of this step, in every file; then closes all, if a stop was requested.
  void end_step();
  /// Collective. Returns when all that was put in steps that have ended is so far.
  void flush(Level level);
  /// Collective. Rank 0 writes the summary.
  void write_summary(const std::string &path);

  // Local.

  /// Throws Error(order) on a rank that served. `call` names the call.
  Context &context(const char *call) const;
  bool is_model() const { return std::holds_alternative<Model>(role_); }
  int servers() const { return servers_; }
  MPI_Comm model_comm() const { return model_comm_.get(); }
  StopRequest &stop() { return stop_; }
  /// The model's own communication begins or ends.
  void communicate(bool begins);

 private:
  /// A rank of a model, and how it writes: itself, by threads, by servers, or by servers or threads in turn.
  struct Model {
    std::unique_ptr<Context> context;
    std::unique_ptr<Client> client;
    std::unique_ptr<Service> service;
    std::unique_ptr<WriteBehindService> behind;
  };
  /// A rank that serves.
  struct Serving {
    std::unique_ptr<FileCalls> calls;
    std::optional<Error> lost;  // the report that could not be written
  };
  /// The knowledge of all ranks about each other before the servers are chosen.
  struct Ranks {
    bool alike = false;             // all are of one model, with the same settings
    bool on_one_host = false;       // all are on one
    bool may_have_threads = false;  // all may
    int first_record = 0;
  };
  /// The part of the ranks that this one is in, when it is known who serves.
  struct Joined {
    Comm servers;                // of a rank that serves: those of its group
    bool servers_ready = false;  // servers are only ready to write: threads may, too
    int64_t ring_bytes = 0;      // of a node, for servers; the same for threads
  };

  struct Greeting;
  std::vector<Greeting> greet(const Greeting &mine);
  void load(const Beginning &beginning);
  void open_trace();
  void number_ranks();
  void note_run(const Comm &all) const;
  Joined join(bool only_serves);
  void finish_model_comm();
  struct Tag;
  std::vector<Tag> tags(bool only_serves) const;
  Crew crew(const std::vector<Tag> &tags, const Topology &topology) const;
  std::unique_ptr<Server> prepare(Joined joined);
  void prepare_model(const Joined &joined);
  void choose_mode(bool served);
  void serve(std::unique_ptr<Server> server);
  void close_all();
  struct Ending;
  Summary summary();
  void print_table();
  void free();

  // The model's messages must not meet ours, nor its error handler.
  Comm model_comm_, comm_;  // comm_: until the context has it
  std::optional<Duplicating> duplicating_;
  Settings settings_;
  std::unique_ptr<trace::Steps> own_steps_;  // goes after all that records
  double start_seconds_;
  StopRequest stop_;
  int servers_ = 0;
  Ranks ranks_;
  std::unique_ptr<Comm> all_;  // models and servers, where there are some
  std::unique_ptr<Link> link_;
  std::variant<Model, Serving> role_;
};

/// Collective with the sessions of the models in `comm`: this rank serves until all have finalized.
void serve(MPI_Comm comm, const Beginning &beginning);

}  // namespace sv
