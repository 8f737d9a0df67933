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

/// Ordinary puts of a file with combine: step are recorded: their values are copied. What a rank can find wrong alone
/// is thrown there at once, and on every rank when they are carried out: before something needs them done, or where the
/// buffer of some rank would be full. Puts of a slab that was put before are carried out after it. Ranks must make the
/// same puts in the same order; they compare what they have (a gate) where the largest put that the file allows would
/// not fit any more, and with every put of a sub-array. False where the put is to be carried out now: the file does not
/// record, or the put is larger than the buffer.
bool record_put(File &file, const char *call, const RequestArgs &asked);
/// Throws `problem`, which the caller of an ordinary put has found in its arguments: on every rank or, where it is
/// recorded, as above.
void refuse_put(File &file, const char *call, RequestArgs asked, const Error &problem);

/// Carries out what was recorded. Returns what they fail with, the same on every rank; throws what fails the file.
std::optional<Error> complete_recorded(File &file);
/// The same; throws both.
void require_recorded(File &file);
/// A gate that a call passes in any case, and that can do for what was recorded, too.
struct CarryingGate {
  static constexpr size_t own_values = 2;  // of those that are agreed on; the next three are needed here
  /// Passes it with these values, the call's own set, and returns, on every rank, what the deed throws.
  FunctionRef<std::optional<Error>(Agreed brought, const RootAction &action)> pass;
  FunctionRef<bool(std::span<const WrittenSlab>)> accepts;  // local: that these are put, and nothing else
  FunctionRef<void()> then;                                 // what the owner does then
};
/// Whether what was recorded (also nothing) has been written, and `then` been done; whether the file has values of some
/// rank that did not fit, these too; and what the owner failed with.
struct Carried {
  bool done = false, range_errors = false;
  std::optional<Error> failed;
};
/// Collective; passes the gate once. One rank writes what was recorded in it, where all have recorded the same, nothing
/// was refused, and it is little; otherwise nothing is written.
Carried carry_recorded(File &file, const CarryingGate &gate);

}  // namespace sv
