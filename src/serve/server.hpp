// The server's side: a rank that writes what models put, while they compute (Huang et al. 2013).
//
//   letters ─▶ streams (one of each component) ─▶ carried out in order: files, puts, ends of steps
//   rounds  ─▶ arrivals (look ahead of what is carried out) ─▶ writer ─▶ file
//
// All servers of a group carry out the same commands in the same order, as ranks of a context of their own.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "rounds/slab_writing.hpp"
#include "rounds/writer.hpp"
#include "serve/file_calls.hpp"
#include "serve/letters.hpp"
#include "serve/served.hpp"
#include "serve/served_points.hpp"
#include "transport/arrival.hpp"
#include "transport/departure.hpp"
#include "transport/forwarder.hpp"
#include "transport/link.hpp"

namespace sv {

/// A file of a server: what it failed with while others went on is told at its next commit.
struct ServedFile : LateFile {
  std::shared_ptr<File> owned;
  int component = 0;
  bool told = false;  // the models know that it has failed
};

class Server {
 public:
  /// Collective over the servers of a group. `link` and `calls` must outlive it.
  Server(Link &link, const Settings &settings, Comm group, FileCalls &calls);
  Server(const Server &) = delete;

  /// Until all components have finalized, or have ended otherwise: then what has arrived is written, and steps that are
  /// complete are committed. Returns what could not be written, if anything.
  std::optional<Error> run();

 private:
  struct Entry {
    Command command;
    std::shared_ptr<const Layout> layout{};  // of a put or get
    std::unique_ptr<Arrival> arrival{};
  };
  /// What one component tells.
  struct Stream {
    int teller = 0;
    std::unique_ptr<Landing> landing;
    std::unique_ptr<Forwarder> forwarder{};
    std::deque<Entry> entries{};
    std::map<int64_t, std::shared_ptr<const Layout>> layouts{};
    std::map<int64_t, std::unique_ptr<ServedFile>> files{};
    std::unique_ptr<AwaitedLists> lists{};
    Arrival *current = nullptr;  // of the put that is carried out
    bool barred = false;         // by a command that is carried out, and changes what files are
    int64_t steps = 0;
    int64_t whole_steps = 0;                   // before the command that is carried out
    int64_t closed_durable_steps = INT64_MAX;  // of files that it has closed
    int unanswered = 0;                        // commands that have come and want an answer
    bool finalized = false;
    Moment spoken{};
    int64_t spoken_progress = 0;
  };

  void progress();
  void hear_of_loss();
  void look_ahead(int component);
  void keep_informed(int component);
  void relieve(const Stream &stream);
  bool await(const std::function<bool()> &look, const char *doing, trace::Doing as = trace::Doing::idle);
  bool await_letters(const std::function<bool()> &look, const char *doing);
  bool await(Link::Waiting waiting);
  void tell_others(int tag, const Letter &letter);  // of its group
  bool await_lists(Stream &stream, const Entry &entry);
  int next_component();
  void carry_out(int component, Entry entry);
  void dispatch(int component, Entry &entry);
  void drain();
  std::unique_ptr<Arrival> arrival_of(Stream &stream, const Entry &put);
  void take_in(Stream &stream, Command command);

  ServedFile &file_of(Stream &stream, int64_t number);
  FileSettings settings_for(const std::string &path) const;
  void keep(Stream &stream, int64_t number, std::shared_ptr<File> file);
  void create(Stream &stream, int64_t number, const CreateFile &told);
  void open(Stream &stream, int64_t number, const OpenFile &told);
  void redefine(ServedFile &served, const RedefineFile &told);
  void put(Stream &stream, Entry &entry);
  void get(int component, const Entry &entry);
  void define_fixed(ServedFile &served, const DefineFixed &told);
  Plan plan_for(Stream &stream, const Entry &entry);
  void put_round(ServedFile &served, const MovedField &field, Stream &stream, const Arrival &arrival, int round);
  void put_collected(ServedFile &served, const Entry &put, Stream &stream, int round);
  Plan scattering_plan_for(const File &file, const Plan &gathering, int variable, int round);
  bool await_primaries(const Plan &gathering);
  void write_together(ServedFile &served, const std::vector<ArrivedRun> &runs, int variable);
  void sync(ServedFile &served);
  void end_step(Stream &stream);
  void flush(int component, Level level);
  void close(Stream &stream, int64_t number, bool completes);
  void leave_orphans();
  void tell_trouble(int component);
  void report(int component, Report report);
  void report_trouble(int component, int64_t file, const Error &error);
  int64_t progress_count() const;

  Link &link_;
  const Settings settings_;
  FileCalls &calls_;
  int group_ = 0;
  std::unique_ptr<Context> context_;
  Writer writer_;
  SlabWriting writing_;
  Outbox outbox_;
  std::vector<Stream> streams_;
  int turn_ = 0;           // of the components
  bool orphaned_ = false;  // the models have ended without saying so
  std::optional<Error> lost_;
  double inline_seconds_ = 0;
  int64_t carried_ = 0, most_memory_ = 0;
};

}  // namespace sv
