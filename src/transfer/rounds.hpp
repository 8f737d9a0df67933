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

#include "base/function_ref.hpp"
#include "file/file.hpp"
#include "packing/schedule.hpp"
#include "packing/source.hpp"
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

/// Passes a gate in which one rank carries out an action when all have come, and returns, on every rank, its error.
/// `error`: this rank's contribution.
using PassGate = FunctionRef<std::optional<Error>(const std::optional<Error> &error, const RootAction &action)>;
/// Passes a gate that a call passes in any case, with this rank's earlier error, whether values of it did not fit, and
/// the action of one rank. Returns whether that was carried out.
using PassWithValues =
    FunctionRef<bool(const std::optional<Error> &error, bool range_errors, const RootAction &action)>;

/// The rank that may write in a gate, and the position of the round in the window.
struct WriterInGate {
  int rank;
  StagePlace place;
};

/// One round that passes one gate: all ranks place their parts, and meet in the gate that compares `call`; there, when
/// all have come, the rank `writer` takes them out by `write`, while the others wait.
struct RoundInGate {
  File &file;
  int variable;
  const Schedule &schedule;
  Source &source;
  const std::string &call;
  WriterInGate writer;
  FunctionRef<void(const Exchange &)> write;
  PassGate pass{};  // where it is the gate of another call, which is passed in any case
};
/// The same on all ranks. The rank that may write so, where the file's home lets one: it has all sinks of the only
/// round, which is not filled, and for which the window has room; between nodes the gate carries what others send.
std::optional<WriterInGate> writer_in_gate(const File &file, const Schedule &schedule);
/// Collective. `error`: this rank's contribution to the gate, in which case it places nothing. Throws differences
/// between the ranks; returns, on every rank, the error of `write`.
std::optional<Error> write_in_gate(const RoundInGate &job, std::optional<Error> error = std::nullopt);

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
