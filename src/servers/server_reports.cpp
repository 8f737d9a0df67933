#include "servers/server_reports.hpp"

#include <algorithm>
#include <utility>

namespace sv {

void ServerReports::hear(int server, const Report &report) {
  moved_ = moment_now();
  latest_[server] = report;
  if (report.kind == Report::Kind::answer) answers_[server] = report;
  const int64_t file = report.file > 0 ? report.file : of_no_file;
  if (report.status != 0 && reported_.count(file) == 0)
    troubles_.push_back({file, Error::from_remote(static_cast<Status>(report.status), report.text)});
}

void ServerReports::take() {
  link_.poll_failure();
  mailing_.progress();
  for (const int server : mailing_.mine)
    while (const auto message = take_message(link_.comm(), server, report_tag(mailing_.component)))
      hear(server, decoded_report(*message));
  std::erase_if(troubles_, [this](const Trouble &trouble) { return reported_.count(trouble.file) > 0; });
}

std::optional<Trouble> ServerReports::listen() {
  take();
  return troubles_.empty() ? std::nullopt : std::optional(troubles_.front());
}

int64_t ServerReports::durable_steps() const {
  int64_t least = INT64_MAX;  // of a rank that hears of no server
  for (const int server : mailing_.mine) {
    const auto found = latest_.find(server);
    least = std::min(least, found == latest_.end() ? 0 : found->second.durable_steps);
  }
  return least;
}

Passed ServerReports::passed() const {
  Passed passed;
  for (const auto &[server, report] : latest_) {
    passed.number = passed.number == 0 ? report.steps : std::min(passed.number, report.steps);
    passed.busy_seconds = std::max(passed.busy_seconds, report.write_seconds);
    passed.processor_seconds = std::max(passed.processor_seconds, report.processor_seconds);
  }
  return passed;
}

void ServerReports::expect_answers(const std::vector<int> &servers) {
  answers_.clear();
  expected_.clear();
  std::copy_if(servers.begin(), servers.end(), std::back_inserter(expected_), [this](int server) {
    return std::find(mailing_.mine.begin(), mailing_.mine.end(), server) != mailing_.mine.end();
  });
  moved_ = moment_now();
}

/// An eighth of the time limit, so that others who wait for this rank do not give up.
bool ServerReports::has_answers() {
  const double limit = link_.limit_seconds(), most = 1;
  const Deadline slice(limit > 0 ? std::min(limit / 8, most) : most);
  const auto has_all = [this] { return answers_.size() == expected_.size(); };
  link_.await_servers({.look = [&] { return has_all() || slice.passed(); },
                       .meanwhile = [&] { take(); },
                       .doing = "waits for the servers' answers",
                       .whom = expected_,
                       .for_messages = true});
  const uint64_t now = link_.board().progress.load(std::memory_order_relaxed);
  if (now != std::exchange(seen_, now)) moved_ = moment_now();
  if (!has_all() && Deadline(limit, moved_).passed()) link_.give_up("waits for the servers' answers", expected_);
  return has_all();
}

void ServerReports::count(Metrics &metrics) const {
  for (const auto &[server, answer] : answers_) {
    metrics.served_receive_seconds = std::max(metrics.served_receive_seconds, answer.receive_seconds);
    metrics.served_write_seconds = std::max(metrics.served_write_seconds, answer.write_seconds);
    metrics.served_memory_bytes = std::max(metrics.served_memory_bytes, answer.memory_bytes);
    metrics.written_bytes += answer.written_bytes;
    metrics.direct_bytes += answer.direct_bytes;
    metrics.writes += answer.writes;
  }
}

}  // namespace sv
