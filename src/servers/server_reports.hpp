// A client's knowledge of the servers to which it sends commands: their progress, failures and answers.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "plan/output_modes.hpp"
#include "report/metrics.hpp"
#include "servers/deferred_errors.hpp"
#include "servers/mailing.hpp"

namespace sv {

class ServerReports {
 public:
  /// Both must outlive it.
  ServerReports(const Link &link, Mailing &mailing) : link_(link), mailing_(mailing) {}

  /// In the place of a file's number, where servers failed with something else.
  static constexpr int64_t of_no_file = -1;
  /// Local, never blocks. The first trouble that not all clients know of. Throws where a server of this node has ended.
  std::optional<Trouble> listen();
  /// Local. All clients know of it.
  void forget_trouble(int64_t file) { reported_.insert(file); }
  /// On the disk, as far as this rank knows.
  int64_t durable_steps() const;

  /// The progress of this rank's servers at their last reports: the steps of all, and the most seconds.
  Passed passed() const;

  /// These servers must answer from now on, if this rank sends their commands.
  void expect_answers(const std::vector<int> &servers);
  /// Waits for a while: whether they all have.
  bool has_answers();
  /// Adds the servers' numbers in their last answers.
  void count(Metrics &metrics) const;

 private:
  void take();
  void hear(int server, const Report &report);

  const Link &link_;
  Mailing &mailing_;
  std::vector<int> expected_;  // the servers that must answer
  std::map<int, Report> latest_, answers_;
  Moment moved_;       // when the servers were last seen at work
  uint64_t seen_ = 0;  // the counts of this node's servers then
  std::deque<Trouble> troubles_;
  std::set<int64_t> reported_;  // files whose trouble all clients know of
};

}  // namespace sv
