// The fields and axes that the model declares, as copies that last as long as
// the streams.
#pragma once

#include <cstddef>
#include <map>
#include <set>
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

/// Whether two axes have the same cells; their auxiliary coordinates may differ.
bool have_same_cells(const Axis &one, const Axis &other);

struct Field {
  std::string name;
  const sv_decomp *decomp;  // borrowed; nullptr: each rank has the whole field
  ValueKind kind;
  int file_type;
  std::string units;
  Texts attributes;  // without units
  Texts references;  // attributes that name fields without time
  std::vector<Axis> axes;
  int first_axis,
      grid_axes;                    // of the decomposition's grid: the first one, and their number
  std::vector<int64_t> extent;      // of this rank's array, with the halo
  size_t cells;                     // of this rank's array
  Time sent;                        // the end of the step that was sent last; the beginning of the run
  bool is_static;                   // it has no time
  std::vector<std::byte> constant;  // its values: this rank's array; empty in a plan
};

/// Local. Copies and checks a declaration. Throws Failure.
Field field_of(const sv_stream_field &definition);
/// The same for a field without time, whose `values` are copied; nullptr: they are not known.
Field static_field_of(const sv_stream_field &definition, const void *values);

/// The names of the fields and axes that were declared before.
class DeclaredNames {
 public:
  /// Throws Failure(SV_EEXISTS, SV_EDEFINE) where the field does not go together with those before.
  void add(const Field &field);

 private:
  std::set<std::string> fields_;
  std::map<std::string, std::pair<Axis, std::string>> axes_;  // with the name of a field
};

/// A field in a reference, with its key: "area:" and "areacello" of "area: areacello".
struct ReferredName {
  std::string key, name;  // the key may be empty
};
std::vector<ReferredName> names_in(const std::string &reference);
/// Throws Failure(SV_EDEFINE) where a field refers to a name that no field without time has.
void check_references(const std::vector<Field> &fields);
/// nullptr: there is none.
const Field *static_field_named(const std::vector<Field> &fields, const std::string &name);

/// The constant values in double precision.
std::vector<double> constants_of(const Field &field);

/// Name and bytes of a type. Throws ReportedFailure.
std::string name_of_type(int type);

}  // namespace sv::streams
