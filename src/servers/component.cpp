#include "servers/component.hpp"

#include <algorithm>

#include "servers/served.hpp"

namespace sv {

Component::Component(ServerContext &server_context, int number)
    : landing(server_context.link, number, is_synchronous(server_context.settings)),
      stream(server_context, landing, files),
      server_context_(server_context) {}

void Component::progress(int64_t done) {
  stream.progress();
  if (stream.is_finished()) return;
  keep_informed(done);
  flush_if_idle();
  server_context_.most_held_bytes = std::max(server_context_.most_held_bytes, landing.release.held_bytes());
}

void Component::flush_if_idle() const {
  if (landing.release.held_bytes() > server_context_.link.memory().shape().ring_bytes / 4)
    server_context_.writing.flush_if_idle();
}

/// However long it takes.
void Component::keep_informed(int64_t done) {
  constexpr double share = 0.125;  // of the time limit
  const double limit = server_context_.link.limit_seconds();
  if (stream.unanswered == 0 || limit <= 0 || !Deadline(limit * share, spoken_).passed()) return;
  spoken_ = moment_now();
  if (std::exchange(done_when_spoken_, done) != done) post({.kind = Report::Kind::alive});
}

void Component::post(Report report) {
  report.steps = steps;
  report.durable_steps = std::min(steps, closed_durable_steps);
  for (const auto &[number, served] : files)
    report.durable_steps = std::min(report.durable_steps, served.file->on_disk.durable_steps());
  report.receive_seconds = landing.receive_seconds;
  report.write_seconds = server_context_.writer.busy_seconds() + server_context_.inline_seconds;
  report.processor_seconds = report.receive_seconds + server_context_.writer.processor_seconds() +
                             server_context_.ordering.thread().processor_seconds() + server_context_.inline_seconds;
  server_context_.outbox.post(landing.command_source, report_tag(landing.component), encoded(report));
}

void Component::answer(Report report) {
  --stream.unanswered;
  report.kind = Report::Kind::answer;
  post(std::move(report));
}

void Component::end_step() {
  ++steps;
  post({});
}

void Component::report_trouble(int64_t file, const Error &error) {
  const std::string text = "server " + std::to_string(server_context_.link.rank()) + " (rank " +
                           std::to_string(server_context_.context.rank()) + " of its group), after step " +
                           std::to_string(whole_steps) + ": " + error.what();
  if (!server_context_.lost) server_context_.lost = Error::from_remote(error.status(), text);
  post({.kind = Report::Kind::trouble, .file = file, .status = static_cast<int64_t>(error.status()), .text = text});
}

void Component::report_failures() {
  for (auto &[number, served] : files)
    if (served.file->ledger.failed() && !std::exchange(served.reported, true))
      report_trouble(number, served.file->ledger.failure());
}

}  // namespace sv
