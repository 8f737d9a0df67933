#include "mpi/datatype_form.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "mpi/comm.hpp"

namespace sv {

namespace {

enum class Kind { integer, natural, real, text };

/// Programs ask for each call: without memory of its own.
template <class Value>
bool is_one_of(Value value, std::initializer_list<Value> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::optional<Kind> kind_of_named(MPI_Datatype datatype) {
  if (is_one_of(datatype, {MPI_DOUBLE, MPI_FLOAT, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8}))
    return Kind::real;
  if (is_one_of(datatype,
                {MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_SHORT, MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T,
                 MPI_INT64_T, MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}))
    return Kind::integer;
  if (is_one_of(datatype, {MPI_CHAR, MPI_CHARACTER})) return Kind::text;
  if (is_one_of(datatype, {MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UNSIGNED_SHORT,
                           MPI_UNSIGNED_CHAR, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T}))
    return Kind::natural;
  return std::nullopt;
}

/// netCDF's type of that kind and size.
std::optional<Type> type_of(Kind kind, int64_t bytes) {
  constexpr std::pair<Kind, Type> types[] = {
      {Kind::integer, Type::int8},   {Kind::integer, Type::int16},  {Kind::integer, Type::int32},
      {Kind::integer, Type::int64},  {Kind::natural, Type::uint8},  {Kind::natural, Type::uint16},
      {Kind::natural, Type::uint32}, {Kind::natural, Type::uint64}, {Kind::real, Type::float32},
      {Kind::real, Type::float64},   {Kind::text, Type::text}};
  for (const auto &[known, type] : types)
    if (known == kind && size_of(type) == bytes) return type;
  return std::nullopt;
}

std::string name_of(MPI_Datatype datatype) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  check_mpi(MPI_Type_get_name(datatype, name, &length), "MPI_Type_get_name");
  return length > 0 ? "'" + std::string(name, static_cast<size_t>(length)) + "'" : "a type without a name";
}

Type type_of_basic(MPI_Datatype datatype, int combiner) {
  std::optional<Kind> kind;
  if (combiner == MPI_COMBINER_NAMED) kind = kind_of_named(datatype);
  if (combiner == MPI_COMBINER_F90_REAL) kind = Kind::real;
  if (combiner == MPI_COMBINER_F90_INTEGER) kind = Kind::integer;
  const auto type = kind ? type_of(*kind, extents_of(datatype).size_bytes) : std::nullopt;
  if (!type)
    throw Error(Status::type, "the MPI datatype is made of " + name_of(datatype) + ", which netCDF does not know",
                "Use MPI_DOUBLE, MPI_FLOAT, MPI_INT and so on, or MPI_CHAR for text");
  return *type;
}

/// Sizes, sub-sizes and starts of a sub-array: one block where each dimension inside of one that has several is whole.
std::optional<std::vector<Block>> subarray_blocks(const std::vector<int> &numbers, int64_t extent_bytes) {
  const auto n = static_cast<size_t>(numbers[0]);
  const bool slowest_first = numbers[3 * n + 1] == MPI_ORDER_C;
  int64_t offset = 0, step = 1, count = 1;
  bool whole_inside = true;
  for (size_t i = 0; i < n; ++i) {  // fastest first
    const size_t d = 1 + (slowest_first ? n - 1 - i : i);
    const int64_t size = numbers[d], part = numbers[d + n], start = numbers[d + 2 * n];
    if (part > 1 && !whole_inside) return std::nullopt;
    whole_inside = whole_inside && part == size;
    offset += start * step;
    step *= size;
    count *= part;
  }
  return std::vector<Block>{{offset * extent_bytes, count, 0}};
}

/// In the order of the values; nothing if they do not follow each other, or if this was not examined.
std::optional<std::vector<Block>> blocks_of(const Contents &made, int64_t extent_bytes) {
  const auto number = [&made](size_t i) -> int64_t { return made.numbers[i]; };
  switch (made.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      return std::vector<Block>{{0, 1, 0}};
    case MPI_COMBINER_CONTIGUOUS:
      return std::vector<Block>{{0, number(0), 0}};
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
      const int64_t step = made.combiner == MPI_COMBINER_VECTOR ? number(2) * extent_bytes : made.addresses[0];
      if (number(0) > 1 && step != number(1) * extent_bytes) return std::nullopt;
      return std::vector<Block>{{0, number(0) * number(1), 0}};
    }
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
      return listed_blocks(made, extent_bytes);
    case MPI_COMBINER_SUBARRAY:
      return subarray_blocks(made.numbers, extent_bytes);
    default:
      return std::nullopt;
  }
}

/// Where the blocks follow one another.
std::optional<int64_t> row_of(const std::vector<Block> &blocks, const std::vector<DatatypeForm> &parts) {
  std::optional<int64_t> begin;
  int64_t next = 0;
  for (const Block &block : blocks) {
    const DatatypeForm &part = parts[block.part];
    if (block.count == 0 || part.extents.size_bytes == 0) continue;
    if (!part.is_row(block.count)) return std::nullopt;
    const int64_t at = block.offset_bytes + *part.row_begin;
    if (begin && at != next) return std::nullopt;
    if (!begin) begin = at;
    next = at + block.count * part.extents.size_bytes;
  }
  return begin.value_or(0);
}

}  // namespace

DatatypeForm form_of(MPI_Datatype datatype) {
  const Contents made(datatype);
  const DatatypeExtents extents = extents_of(datatype);
  if (is_predefined(made.combiner)) return {type_of_basic(datatype, made.combiner), extents, 0};
  std::vector<DatatypeForm> parts;
  for (const MPI_Datatype type : made.types) parts.push_back(form_of(type));
  if (parts.empty())
    throw Error(Status::type, "the MPI datatype is made of nothing",
                "Leave the sub-array out, or use MPI_DOUBLE with a count of 0");
  for (const DatatypeForm &part : parts)
    if (part.type != parts[0].type)
      throw SeveralTypes(Status::type,
                         "the MPI datatype is made of several basic types: " + std::string(name_of(parts[0].type)) +
                             " and " + std::string(name_of(part.type)),
                         "Put values of different types with a datatype each");
  const auto blocks = blocks_of(made, parts[0].extents.extent_bytes);
  return {parts[0].type, extents, blocks ? row_of(*blocks, parts) : std::nullopt};
}

}  // namespace sv
