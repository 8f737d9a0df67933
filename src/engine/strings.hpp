// Putting, getting and copying strings: sv_put_vara_string and its kin. Strings are names of stations and the like: one
// rank, the owner of the file, writes them for all, and one reads them. Collective, all of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/values.hpp"

namespace sv {

/// Whose strings are put: each rank's own ones, or those of the first rank, which the others have, too.
enum class StringSource { each_rank, first_rank };
/// Cells, of all the variable's dimensions.
struct StringCells {
  Box cells;
  StringSource source;
};

/// Strings in the order of this rank's cells; no zero byte is in one. Throws, on every rank, the error of any rank; one
/// of writing fails the file.
void put_strings(File &file, int variable, const StringCells &part, std::span<const std::string> strings);
/// The strings of this rank's cells, in their order.
std::vector<std::string> get_strings(File &file, int variable, const Box &cells);

/// All cells of a record, or of a variable without records. Error(invalid), Error(not_found).
Box cells_of_record(const File &file, int variable, int64_t record);

/// Local, on the owner of the file and nowhere else: copies a record from another open store.
void copy_strings(File &file, Reader &from, const WrittenSlab &to, int64_t from_record);
/// As copy of engine/values.hpp, of which it is a part; the arguments are checked.
void copy_strings(const SlabName &from, const SlabName &to);

}  // namespace sv
