// Carries out the requests of all ranks in one call: with one plan for all fields if we know the positions in the file,
// otherwise field by field. The batches of src/engine call write_fields and read_fields, which choose.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "transfer/asked_fields.hpp"
#include "transfer/request_rows.hpp"
#include "transfer/rounds.hpp"

namespace sv {

// transfer/combined_transfer.cpp. Collective, except slabs_of.

/// The slabs of these fields.
std::vector<WrittenSlab> slabs_of(const AskedFields &fields);

/// An error of any rank fails the file, and is thrown on every rank.
void write_fields(const AskedFields &fields);
/// Local. Puts that all ranks make, if all make these, where the owner can write them in a gate that is passed in any
/// case; otherwise nullptr. Borrows.
std::unique_ptr<WritingInGate> in_gate(const AskedFields &fields);
/// An error of reading is thrown on every rank. Of values that do not fit: for each of this rank's requests its error,
/// and whether any rank has one.
struct ReadOutcome {
  std::vector<std::optional<Error>> errors;
  bool anywhere;
};
ReadOutcome read_fields(const AskedFields &fields);

// transfer/own_writing.cpp.

/// Collective. Each rank writes its long stretches, of which all ranks know, by itself. An error of any rank fails the
/// file, and is thrown on every rank.
void write_own_lines(const AskedFields &fields, RequestRows<PackRow> &rows);

// transfer/field_by_field.cpp. Collective: one field after the other, for files whose data a library places, and sets
// of files.

/// An error of any rank fails the file, and is thrown on every rank.
void write_each(const AskedFields &fields, RequestRows<PackRow> &rows);
/// Returns this rank's error.
std::optional<Error> read_each(const AskedFields &fields, RequestRows<UnpackRow> &rows);

// transfer/own_reading.cpp.

/// Reads this rank's requests independently in the order of the file, in bounded memory. Local; collective if all ranks
/// read together.
void read_own(const AskedFields &fields, RequestRows<UnpackRow> &rows);
/// The same where there is a table (transfer/run_reading.cpp).
void read_own_runs(const AskedFields &fields, RequestRows<UnpackRow> &rows);

}  // namespace sv
