// The limits of netCDF-4's enhanced data model, which Zarr groups share: any number of unlimited dimensions, at any
// place of a variable, and all types. Definitions and the readers of netCDF-4 files and Zarr groups ask here; no other
// unit knows these rules. Local; values.
#pragma once

#include "model/schema.hpp"

namespace sv::enhanced {

/// Chooses, among the unlimited dimensions of a schema, the one whose indices are the file's records, and marks the
/// variables that it leads. It is the first that leads every variable on it, or, without such a one, the first that no
/// variable has. The other ones are lengths that grow. The lengths and the record count move between
/// Dimension::length and Schema::records accordingly. Throws Error(define) where this would take the record dimension
/// from a schema with records.
void choose_record_dimension(Schema &schema);

/// Whether `after` has all of `before` at its place, and otherwise only more dimensions and variables, and other
/// attributes, but no other groups: the definitions of a file can change to these while its values stay. NetCDF-4 files
/// with groups are not among these.
bool only_adds(const Schema &before, const Schema &after);
/// Whether nothing but lengths of unlimited dimensions differs. Dimensions do not become longer in define mode.
bool only_lengthens(const Schema &before, const Schema &after);
/// Whether the storage of two variables is the same, as it was found or asked for.
bool is_stored_alike(const Variable &one, const Variable &other);

/// Attributes whose names netCDF-4 keeps for itself, and refuses in a new file, go into the omissions: in other
/// formats they are another program's bookkeeping. Does nothing for other formats.
void leave_out_reserved(Schema &schema);

}  // namespace sv::enhanced
