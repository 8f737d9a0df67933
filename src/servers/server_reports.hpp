// What a client hears of the servers that it tells what to do: how far they are, what has failed, and their answers.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "plan/ways.hpp"
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
  void forget_trouble(int64_t file) { told_.insert(file); }
  /// On the disk, as far as this rank knows.
  int64_t durable_steps() const;

  /// What those that this rank tells what to do had done when they last told: the steps of all, and the most seconds.
  Passed passed() const;

  /// From now on these servers are to answer, as far as this rank tells them what to do.
  void expect_answers(const std::vector<int> &servers);
  /// Waits for a while: whether they all have.
  bool has_answers();
  /// What the servers tell of themselves in their last answers.
  void count(Metrics &metrics) const;

 private:
  void take();
  void hear(int server, const Report &report);

  const Link &link_;
  Mailing &mailing_;
  std::vector<int> expected_;  // who is to answer
  std::map<int, Report> latest_, answers_;
  Moment moved_;       // when the servers were last seen at work
  uint64_t seen_ = 0;  // what those of this node had counted then
  std::deque<Trouble> troubles_;
  std::set<int64_t> told_;  // files whose trouble all clients know of
};

}  // namespace sv
