// The fields and axes that the model declares, as copies that last as long as
// the streams.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "accumulator.hpp"
#include "calendar.hpp"
#include "sverdrup/streams.h"

namespace sv::streams {

/// CF's attributes by name; none is empty.
using Texts = std::vector<std::pair<std::string, std::string>>;

/// An auxiliary coordinate of an axis: numbers, or texts.
struct Auxiliary {
  std::string name;
  std::vector<double> values;
  std::vector<std::string> texts;
  Texts attributes;

  bool operator==(const Auxiliary &) const = default;
};

struct Axis {
  std::string name;
  int64_t length;
  std::vector<double> values, bounds;  // empty: there are none
  Texts attributes;
  std::vector<Auxiliary> auxiliary;

  bool operator==(const Axis &) const = default;
};

struct Field {
  std::string name;
  const sv_decomp *decomp;  // borrowed; nullptr: each rank has the whole field
  ValueKind kind;
  int file_type;
  std::string units;
  Texts attributes;  // without units
  std::vector<Axis> axes;
  int first_axis,
      grid_axes;                // of the decomposition's grid: the first one, and their number
  std::vector<int64_t> extent;  // of this rank's array, with the halo
  size_t cells;                 // of this rank's array
  Time sent;                    // the end of the step that was sent last; the beginning of the run
};

/// Local. Copies and checks a declaration. Throws Failure.
Field field_of(const sv_stream_field &definition);
/// Throws Failure(SV_EEXISTS, SV_EDEFINE) where the field does not go together
/// with those before.
void compare(const Field &field, const std::vector<Field> &before);

/// Name and bytes of a type. Throws ReportedFailure.
std::string name_of_type(int type);

}  // namespace sv::streams
