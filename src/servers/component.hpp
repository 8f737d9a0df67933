// A component (a model), as a server knows it: the landing of its data, its commands and files, and the reports to the
// client that sends them: the server's progress, failures, and answers.
#pragma once

#include "servers/protocol.hpp"
#include "servers/stream.hpp"

namespace sv {

class Component {
 public:
  /// `station` outlives it.
  Component(ServerContext &server_context, int number);
  Component(const Component &) = delete;

  Landing landing;
  ServedFiles files;
  Stream stream;
  int64_t steps = 0;                         // committed
  int64_t whole_steps = 0;                   // before the command that is carried out
  int64_t closed_durable_steps = INT64_MAX;  // on the disk, of files that are closed

  /// Local, never blocks. `done`: grows while servers are at work; a waiting model receives it.
  void progress(int64_t done);
  /// Models that wait for room get it.
  void flush_if_idle() const;
  void answer(Report report);
  void end_step();
  void report_trouble(int64_t file, const Error &error);
  /// Reports files that have failed, once each.
  void report_failures();

 private:
  void post(Report report);
  void keep_informed(int64_t done);

  ServerContext &server_context_;
  Moment spoken_{};
  int64_t done_when_spoken_ = 0;
};

}  // namespace sv
