// Many fields that are written one by one, since the store places their chunks: those that are small come in rounds
// that they share (packing/side_by_side.hpp), all others in rounds of their own. Requests of many fields of such a
// file end here. Collective.
#pragma once

#include <optional>
#include <span>

#include "transfer/field_job.hpp"

namespace sv {

/// A field that all ranks have agreed on, and where this rank's part of it lies. Borrows.
struct ExchangedField {
  const FieldJob &job;
  FieldPieces<PackRow> pieces;
};

/// As exchange_field (transfer/writing.hpp), of many: returns this rank's error.
std::optional<Error> exchange_fields(std::span<const ExchangedField> fields);

}  // namespace sv
