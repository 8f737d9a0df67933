// The fields that the requests of a rank touch, and the amount of each: ranks exchange them before they can order the
// fields (plan/combined.hpp). Local.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "file/file.hpp"
#include "plan/combined.hpp"
#include "transfer/own_runs.hpp"

namespace sv {

/// Records of a variable of which the same is asked; 0 and 1 for variables without. As it travels.
struct FieldLine {
  int64_t variable, first_record, records;
  int64_t first, last, elements;  // of each field: from the first element to behind the last; how many in between
  int64_t is_dense;               // 1: these are all of them, each once
};

/// Where the fields of a variable stand in the file: the first one, and the bytes to the next (0 without records).
struct StoredFields {
  Box box;
  int64_t base_bytes, step_bytes, element_bytes;
};
StoredFields stored_fields(const File &file, int variable);

/// In the order of the file.
std::vector<FieldLine> lines_of(const File &file, const OwnRuns &own);

/// Whether these lines, rank by rank, are complete: each rank has few, all are dense, and no two share cells.
bool are_complete(const std::vector<std::vector<FieldLine>> &of_ranks);

/// Lines of which all ranks know that they are long stretches of the file (transfer/own_stretches.hpp).
struct LongLines {
  int first_rank;  // that has any
  std::vector<FieldLine> mine;
};
/// For complete lines: nothing if some are short, or no rank has any.
std::optional<LongLines> long_lines(const File &file, const std::vector<std::vector<FieldLine>> &of_ranks);

/// The fields of all ranks' lines, which stand rank by rank; the same on all ranks.
std::vector<Band> bands_of(const File &file, Direction direction, const std::vector<std::vector<FieldLine>> &of_ranks,
                           int64_t depth);

/// The fill value, if the rest of a new field is not put: one element, in file order; else empty.
std::vector<std::byte> fill_for(const File &file, Direction direction, int variable, int64_t record,
                                const Claims &claims);

}  // namespace sv
