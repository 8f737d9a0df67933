// The loop that writes and the loop that reads: all ranks go through the rounds of a schedule together, and the data
// that arrive at a rank leave it through a sink.
//
//   writing, each round:   pack ─▶ collect ─▶ (order ─▶ pass on) ─▶ sink
//   reading, each round:   the readers read their slices ─▶ the ranks take their parts out of them
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "file/file.hpp"
#include "packing/schedule.hpp"
#include "packing/source.hpp"
#include "transfer/sent_bytes.hpp"
#include "transport/distribution.hpp"
#include "transport/exchange.hpp"

namespace sv {

/// Through which a writer's slices leave.
class RoundSink {
 public:
  virtual ~RoundSink() = default;
  /// Takes the slices of this rank in a round of the last stage. `room`: their memory stays unchanged until its last
  /// copy is dropped; nullptr, if the file is not written behind: until finish. Must not throw: it keeps its error.
  virtual void write(const Exchange &exchange, int round, const std::shared_ptr<void> &room) = 0;
  /// The memory of all slices so far is no longer needed. Sinks that write in the call are done already.
  virtual void finish() {}
};

struct WritingRounds {
  File &file;
  int variable;                                   // −1: many
  std::string doing, for_whom;                    // in words, for messages
  std::vector<std::unique_ptr<Schedule>> stages;  // one or two: the first collects, the last brings to the writers
  Source &source;                                 // of the first stage
  std::function<std::unique_ptr<Source>(const Exchange &collected)> passed_on{};  // of the second
  RoundSink &sink;
  std::function<void()> packed{};  // the source is not asked any more
};
/// Collective. A rank that leaves it by an exception must give up for all (Node::give_up).
void write_rounds(const WritingRounds &job);

/// The rank that may write in a gate, and the position of the round in the window.
struct WriterInGate {
  int rank;
  StagePlace place;
};

/// The same on all ranks. The rank that may write so, where the file's home lets one: it has all sinks of the only
/// round, which is not filled, and for which the window has room; between nodes the gate carries what others send.
std::optional<WriterInGate> writer_in_gate(const File &file, const Schedule &schedule);

/// One round that passes one gate: all ranks place their parts, and meet in a gate of the caller's, to which each
/// brings `error` and `action`; there, when all have come, the rank `writer` takes them out by `write`, while the
/// others wait. After the gate, each rank calls `end`. Local.
class RoundInGate {
 public:
  struct Job {
    File &file;
    int variable;
    const Schedule &schedule;
    Source &source;
    std::string_view doing;  // in words, for messages; borrowed
    WriterInGate writer;
    std::function<void(const Exchange &)> write;
  };
  /// Places this rank's part. `error`: its contribution to the gate, in which case it places nothing.
  explicit RoundInGate(Job job, std::optional<Error> error = std::nullopt);
  RoundInGate(const RoundInGate &) = delete;

  const std::optional<Error> &error() const { return error_; }
  const RootAction &action() const { return action_; }
  void end();

 private:
  void write();

  const Job job_;
  Transfers transfers_;
  Exchange exchange_;
  SentBytes sent_;
  StepTimer timer_;
  std::optional<Error> error_;
  RootAction action_;
};

/// Values that the owner of a file writes in a gate while the other ranks wait. `round` is what the ranks bring to it;
/// when they have passed it, each calls `end`, with whether the owner has written. Local.
class WritingInGate {
 public:
  virtual ~WritingInGate() = default;
  virtual RoundInGate &round() = 0;
  virtual bool has_range_errors() const = 0;
  virtual void end(bool is_written) = 0;
};

struct ReadingRounds {
  File &file;
  std::string doing;
  const Schedule &schedule;
  std::function<void(int round)> begin{};  // before anybody reads in a round
  Distribution::Read read;                 // fills a slice of this rank
  Target &target;
};
/// Collective; the same.
void read_rounds(const ReadingRounds &job);

}  // namespace sv
