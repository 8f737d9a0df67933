#include "file/conversion.hpp"

#include <algorithm>

#include "file/home.hpp"

namespace sv {

namespace {

/// A number attribute of a variable, or `otherwise`.
double number_of(const Variable &variable, std::string_view name, double otherwise) {
  const Attribute *found = find_attribute(variable.attributes, name);
  if (found == nullptr || found->type == Type::text || found->type == Type::string || found->count != 1)
    return otherwise;
  unpack_row(found->type, Type::float64, ByteOrder::native)(
      found->values.data(), reinterpret_cast<std::byte *>(&otherwise), sizeof otherwise, 1);
  return otherwise;
}

Conversion conversion_of(const File &file, int variable, Type memory) {
  const Variable &each = file.variable(variable);
  if (each.type == Type::string)
    throw Error(Status::type, "it contains strings, which have no size in bytes",
                "Put and get them with sv_put_vara_string and sv_get_vara_string")
        .in_variable(each.name)
        .in_file(file.path());
  Conversion how{memory,
                 each.type,
                 file.home().maker.kind().byte_order,
                 file.settings().out_of_range,
                 {},
                 file.schema().fill_value(each)};
  if (file.definitions.is_packed(variable))
    how.scaling = Scaling{number_of(each, "scale_factor", 1), number_of(each, "add_offset", 0)};
  return how;
}

Error range_errors(const File &file, int variable, OutOfRange count, const FirstRangeError &first) {
  return Error(Status::range,
               std::to_string(count) + (count == 1 ? " value does" : " values do") + " not fit: " + first.text +
                   (count == 1 ? "" : " is the first"),
               "Use a wider type, or set 'out_of_range' to clamp or fill")
      .in_variable(file.variable(variable).name)
      .in_file(file.path());
}

}  // namespace

PackRow pack_row(const File &file, int variable, Type memory) {
  PackRow row(conversion_of(file, variable, memory));
  row.keep_first(file.range_errors.first(variable));
  return row;
}

UnpackRow unpack_row(const File &file, int variable, Type memory) {
  UnpackRow row(conversion_of(file, variable, memory));
  row.keep_first(file.range_errors.first(variable));
  return row;
}

void check_fits(const File &file, int variable, const Piece &piece, const PackRow &row) {
  if (file.settings().out_of_range != RangeError::refuse) return;
  constexpr int64_t step = 4096;
  std::array<std::byte, step * sizeof(double)> packed;
  FirstRangeError first;
  PackRow keeping = row;
  keeping.keep_first(&first);
  const int64_t elements = piece.box.elements();
  OutOfRange count = 0;
  for (int64_t at = 0; at < elements; at += step)
    count += pack(piece, {piece.box, at, std::min(at + step, elements)}, keeping, Form::compact, packed.data());
  if (count > 0) throw range_errors(file, variable, count, first);
}

std::optional<Error> range_error_of(const File &file, int variable, OutOfRange count, const FirstRangeError &first) {
  if (count == 0 || file.settings().out_of_range != RangeError::refuse) return std::nullopt;
  return range_errors(file, variable, count, first).on_rank(file.context().rank());
}

}  // namespace sv
