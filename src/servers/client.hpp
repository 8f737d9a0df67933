// A model's side of servers: tells them its calls, hands its data over, and has what they report.
#pragma once

#include <string>
#include <vector>

#include "servers/layout_registry.hpp"
#include "servers/mailing.hpp"
#include "servers/server_reports.hpp"
#include "transfer/field_job.hpp"
#include "transport/hand_over.hpp"
#include "transport/link.hpp"

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
  /// Who writes a new file, which would have this number: the same on all clients.
  Served choose(const FileSettings &settings, int64_t number);
  const std::vector<int> &group(int number) const { return link_.crew().groups[static_cast<size_t>(number)]; }

  // What the calls of all clients amount to. All make the same; none waits for servers, but where memory is full. A
  // server that is lost meanwhile fails the link, which the next collective call tells, on all of them.
  void tell(const Served &served, Command::What what) {
    mailing_.to_group(served.group, {std::move(what), served.number});
  }
  /// A field: every client has what `pieces` tells of its patches of job.layout.
  void put(const Served &served, const FieldJob &job, const FieldPieces<PackRow> &pieces);
  /// The way back, of a file that is open for reading. Returns how many values did not fit their type.
  OutOfRange get(const Served &served, const FieldJob &job, const FieldPieces<UnpackRow> &pieces);
  void end_step();
  /// The model may now compute for long: with synchronous forwarding, what was put leaves the node before.
  void send_step();

  /// Asks the servers to come so far with all that they were told, and to answer. What is handed over has left the
  /// node.
  void flush(Level level);
  /// The same, for the last time.
  void finalize();
  /// Local. Nothing more will be told. After a failure the servers are told so, wherever they are.
  void leave();

  ServerReports &reports() { return reports_; }
  const ServerReports &reports() const { return reports_; }
  int64_t placed_bytes() const { return hand_over_.placed_bytes(); }
  const Link &link() const { return link_; }
  /// Local, never blocks. Sends what it can; where this rank's calls do that, it must go on while it waits for others.
  void progress() { mailing_.progress(); }
  bool sends_in_calls() const { return hand_over_.sends() && hand_over_.driver() == Driver::calls; }
  /// The model begins its own communication, or has ended it: paced forwarding keeps out of its way.
  void communicate(bool begins);
  /// How data are forwarded, in words.
  std::string description() const;
  /// After finalize: what this rank has counted, and heard of the servers that it tells what to do.
  void count(Metrics &metrics) const;

 private:
  Plan plan_of(const Served &served, const FieldJob &job, Direction direction);

  Link &link_;
  const Forwarding forwarding_;
  HandOver hand_over_;
  Mailing mailing_;
  ServerReports reports_;
  LayoutRegistry layouts_;
  int next_group_ = 0;
  bool communicates_ = false;
};

}  // namespace sv
