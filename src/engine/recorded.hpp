// Puts of a step that are recorded (combine: step): their values are copied, and one ordered set of large writes at the
// end of the step carries them out. The functions of puts record them, and the commit of a step and all that needs
// their values carries them out. Collective.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/function_ref.hpp"
#include "file/ledger.hpp"
#include "transfer/asked_fields.hpp"
#include "transfer/field_job.hpp"
#include "transfer/rounds.hpp"
#include "transport/gate.hpp"

namespace sv {

class File;

/// Records puts of a file with combine: step: copies their values. A rank throws errors that it detects alone
/// immediately, and every rank throws them when the puts are carried out: before a call that needs them, or when the
/// buffer of some rank would be full. Puts of a slab that was put before are carried out after it. Ranks must make the
/// same puts in the same order. They compare them (a gate) when the largest possible put of the file would not fit any
/// more, and with every put of a sub-array. False if the put must be carried out now: the file does not record, or the
/// put is larger than the buffer.
bool record_put(File &file, const char *call, const RequestArgs &asked);
/// Throws `problem`, which the caller of an ordinary put has found in its arguments: on every rank or, where it is
/// recorded, as above.
void refuse_put(File &file, const char *call, RequestArgs asked, const Error &problem);

/// Carries out recorded puts. Returns their error, the same on every rank; throws an error that fails the file.
std::optional<Error> complete_recorded(File &file);
/// The same; throws both.
void require_recorded(File &file);

/// The recorded puts of a file (also none), prepared for a gate that a call passes in any case. In it, the owner writes
/// them if all ranks have recorded the same, no put was rejected, and the data are small; otherwise nothing is written.
/// The call constructs it, passes the gate once, with these words and this action, and then calls `end`. Local.
class RecordedInGate {
 public:
  /// So many words of the gate's ballot are the call's; the next three are used here.
  static constexpr size_t own_values = 2;
  using Accepts = FunctionRef<bool(std::span<const WrittenSlab>)>;
  /// `accepts`: whether the gate can carry these, and no other. `then`: the action of the owner afterwards; it outlives
  /// this.
  RecordedInGate(File &file, Accepts accepts, FunctionRef<void()> then);
  RecordedInGate(const RecordedInGate &) = delete;

  void write_to(Agreed &words) const;
  const RootAction &action() const { return action_; }
  /// Whether the recorded puts have been written, and `then` been called; whether some rank has values that did not
  /// fit, these included; and the owner's error.
  struct Outcome {
    bool done = false, range_errors = false;
    std::optional<Error> failed{};
  };
  /// The gate was passed; `failed`: the error of the action.
  Outcome end(std::optional<Error> failed);

 private:
  void prepare_field(const Recorded &recorded, Accepts accepts);
  void prepare_list(const Recorded &recorded, Accepts accepts);
  void act() const;

  File &file_;
  const FunctionRef<void()> then_;
  std::optional<PhaseTimer> timer_;
  // The only put, on a decomposition,
  std::optional<FieldJob> job_;
  PackRow row_;
  std::optional<FieldPieces<PackRow>> pieces_;
  OutOfRange converted_ = 0;  // range errors when it was recorded
  // or all puts.
  std::optional<AskedFields> fields_;
  std::unique_ptr<WritingInGate> values_;  // of these; nullptr: nothing is recorded, or the gate cannot carry it
  bool is_ready_ = false;
  uint64_t signature_ = 0;  // equal on all ranks that have recorded the same
  RootAction action_{};
};

}  // namespace sv
