// A model's side of servers: tells them its calls, hands its data over, and hears of their errors.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "rounds/field_job.hpp"
#include "serve/late_news.hpp"
#include "serve/letters.hpp"
#include "serve/served.hpp"
#include "transport/hand_over.hpp"
#include "transport/link.hpp"
#include "transport/mail.hpp"

namespace sv {

class Client {
 public:
  /// The ranks of the component are in the order of the link's.
  Client(Link &link, const Settings &settings);
  Client(const Client &) = delete;

  /// The servers of a file, and the number by which they know it.
  struct Served {
    int group = -1;  // from 0; −1: the model's own ranks write it
    int64_t number = 0;
  };
  /// Who writes a new file, the same on all clients.
  Served choose(const FileSettings &settings);
  const std::vector<int> &group(int number) const { return link_.crew().groups[static_cast<size_t>(number)]; }

  // What the calls of all clients amount to. All make the same; none waits for servers, but where memory is full. A
  // server that is lost meanwhile fails the link, which the next collective call tells, on all of them.
  void tell(const Served &served, Command::What what);
  /// A field: every client has what `pieces` tells of its patches of job.layout.
  void put(const Served &served, const FieldJob &job, const FieldPieces<PackRow> &pieces);
  /// The way back, of a file that is open for reading. Returns how many values did not fit their type.
  OutOfRange get(const Served &served, const FieldJob &job, const FieldPieces<UnpackRow> &pieces);
  void end_step() { tell_all(EndStep{}); }

  /// Asks the servers to come so far with all that they were told, and to answer. What is handed over has left the
  /// node.
  void flush(Level level);
  /// The same, for the last time.
  void finalize();
  /// Waits for a while: whether all servers that this rank tells what to do have answered.
  bool has_answers();
  /// Local. Nothing more will be told. After a failure the servers are told so, wherever they are.
  void leave();

  static constexpr int64_t of_no_file = -1;
  /// Local, never blocks. Hears reports. The first trouble that not all clients know of.
  std::optional<Trouble> listen();
  /// Local. All clients know of it.
  void forget_trouble(int64_t file) { told_.insert(file); }
  /// Local. Nothing can be handed over any more.
  void fail(const std::string &text) { link_.fail(Status::timeout, text); }
  /// Local. Throws where a server of this node has ended.
  void look() const { link_.glance(); }
  int64_t durable_steps() const;
  /// Local, never blocks. Sends what it can; where this rank's calls do that, it must go on while it waits for others.
  void progress();
  bool sends_in_calls() const { return hand_over_.sends() && hand_over_.driver() == Driver::calls; }
  void communicate(bool begins);

  const Link &link() const { return link_; }
  /// How data are forwarded, in words.
  std::string story() const;
  /// After finalize: what this rank has counted, and heard of the servers that it tells what to do.
  void count(Metrics &metrics) const;

 private:
  struct KnownLayout {
    std::shared_ptr<const Layout> layout, relabelled;
    int64_t id;
  };
  const KnownLayout &known(Context &context, const std::shared_ptr<const Layout> &layout);
  void tell_layout(const KnownLayout &layout);
  void tell_group(int group, const Command &command);
  void tell_all(const Command::What &what);
  void expect_answers(const std::vector<int> &servers);
  Plan plan_of(const Served &served, const FieldJob &job, Direction direction);
  void post(int server, int tag, const Letter &letter);
  void attempt(const std::function<void()> &action);
  void take_reports();
  void hear(int server, const Report &report);

  Link &link_;
  const int component_;
  const bool paces_, primaries_;
  const char *const policy_;
  HandOver hand_over_;
  Outbox outbox_;
  std::vector<int> mine_;      // servers that this rank tells what to do
  std::vector<int> expected_;  // of these, who is to answer
  std::map<int, Report> latest_, answers_;
  int64_t heard_ = 0, heard_before_ = 0;  // reports
  Moment moved_;                          // when the servers were last seen at work
  std::deque<Trouble> troubles_;
  std::set<int64_t> told_;  // files whose trouble all clients know of
  std::deque<KnownLayout> layouts_;
  int64_t files_ = 0, next_layout_ = 0;
  int next_group_ = 0;
  bool communicates_ = false;
};

}  // namespace sv
