// A model's side of servers: sends them its calls as commands, hands its data over, and receives their reports.
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
  /// The writers of a new file, which would have this number: the same on all clients.
  Served choose(const FileSettings &settings, int64_t number);
  const std::vector<int> &group(int number) const { return link_.crew().groups[static_cast<size_t>(number)]; }

  // The commands that the calls of all clients need. All make the same; none waits for servers, except when memory is
  // full. A server that is lost meanwhile fails the link, which the next collective call reports, on all of them.
  void send_command(const Served &served, Command::What what) {
    mailing_.to_group(served.group, {std::move(what), served.number});
  }
  /// A field: every client has the values that `pieces` describes of its patches of job.layout.
  void put(const Served &served, const FieldJob &job, const FieldPieces<PackRow> &pieces);
  /// The way back, of a file that is open for reading. Returns how many values did not fit their type.
  OutOfRange get(const Served &served, const FieldJob &job, const FieldPieces<UnpackRow> &pieces);
  void end_step();
  /// Called before the model computes for long: with synchronous forwarding, the data leave the node before it returns.
  void send_step();

  /// Requests that the servers carry out all earlier commands up to this level, and answer. Handed-over data have left
  /// the node.
  void flush(Level level);
  /// The same, for the last time.
  void finalize();
  /// Local. No more commands follow. After a failure the servers receive a message about it, wherever they are.
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
  /// After finalize: this rank's counts, and the reports of the servers to which it sends commands.
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
