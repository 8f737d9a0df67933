// Puts of a step that are recorded (combine: step): their values are copied, and one ordered set of large writes at the
// end of the step carries them out. The functions of puts record them, and the commit of a step and all that needs
// their values carries them out. Collective.
#pragma once

#include <optional>
#include <span>

#include "base/function_ref.hpp"
#include "file/ledger.hpp"
#include "transfer/requests.hpp"
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
/// A gate that a call passes in any case, and that can carry out recorded puts, too.
struct CarryingGate {
  static constexpr size_t own_values = 2;  // of the agreed values; the next three are needed here
  /// Passes it with these values, the call's own set, and returns, on every rank, what the deed throws.
  FunctionRef<std::optional<Error>(Agreed brought, const RootAction &action)> pass;
  FunctionRef<bool(std::span<const WrittenSlab>)> accepts;  // local: that these are put, and nothing else
  FunctionRef<void()> then;                                 // the action of the owner afterwards
};
/// Whether the recorded puts (also none) have been written, and `then` been called; whether some rank has values that
/// did not fit, these included; and the owner's error.
struct Carried {
  bool done = false, range_errors = false;
  std::optional<Error> failed;
};
/// Collective; passes the gate once. In it, one rank writes the recorded puts if all ranks have recorded the same, no
/// put was rejected, and the data are small; otherwise nothing is written.
Carried carry_recorded(File &file, const CarryingGate &gate);

}  // namespace sv
