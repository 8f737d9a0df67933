// Writing one field: the ranks that own its cells bring it to the writers of a route, in rounds, and these write it.
// The puts of the engine end here, and so do requests of files that go field by field. Collective, all of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transfer/field_job.hpp"
#include "transfer/rounds.hpp"

namespace sv {

/// Collective. Agrees on `call`, to which this rank brings `error`, and writes the field by the strategy that is chosen
/// for it (strategy/strategy.hpp). Throws, on every rank, the error of any rank; one of writing fails the file.
void write_field(const FieldJob &job, const FieldPieces<PackRow> &pieces, const std::string &call,
                 const std::optional<Error> &error = std::nullopt);

/// Local. A field that the owner of the file can write alone, in a gate that is passed in any case; otherwise nullptr:
/// so on all ranks, if all put this field. Borrows both.
std::unique_ptr<WritingInGate> in_gate(const FieldJob &job, const FieldPieces<PackRow> &pieces);

/// Holes are defined: the first writing of a slab fills cells without an owner; later ones leave them unchanged.
bool fills_holes(const FieldJob &job);

/// Collective. Writes one field of a list that all ranks have agreed on, and returns this rank's error; one
/// conclude_exchange follows for all of them.
std::optional<Error> exchange_field(const FieldJob &job, const FieldPieces<PackRow> &pieces);

/// Local. The end of this rank's part in the transfer: `left`, it has left the rounds; `error`, as a writer. Returns
/// the argument of conclude_exchange; a file that is written behind the calls keeps it instead.
std::optional<Error> end_exchange(File &file, const std::optional<Error> &left, std::optional<Error> error);

/// Agrees on how the writing of slabs that were brought ended, where it ends within the call. `call`: for comparison.
void conclude_exchange(File &file, const std::string &call, std::span<const WrittenSlab> slabs,
                       const std::optional<Error> &error);

/// Agrees on how the writing of a slab ended: an error of any rank fails the file, and is thrown on every rank.
/// `calls`: for learn_calls (own_stretches.hpp).
void conclude_writing(File &file, int variable, int64_t record, std::optional<Error> error,
                      CallPrice calls = CallPrice::unknown);

/// Before variables are read: gives unwritten variables without records their fill values. Does nothing except in a
/// file that is being written.
void define_fixed(File &file, const std::vector<int> &variables);

}  // namespace sv
