// The division of a file by its variables (the key `layout: per_variable`): each data variable has a file of its own,
// with the coordinates it needs, all dimensions and all global attributes. The conventions for climate and forecast
// data (CF) and for unstructured grids (UGRID) determine these: the coordinates of its dimensions, and the variables
// that attributes such as `coordinates`, `bounds` and `grid_mapping` name. Two global attributes of each file name the
// others: `sverdrup_files`, the variables that have files, and `sverdrup_variables`, all of them in their order.
// Values; nothing here opens a file.
#pragma once

#include <string>
#include <vector>

#include "store/cdf_places.hpp"

namespace sv {

/// The variables of one file, ids of the whole: its own, and in the order of the whole all that it has.
struct VariableFile {
  int variable;
  std::vector<int> has;
};

/// One for each data variable, in order; a coordinate that none of them needs has a file, too. Throws Error(define)
/// where there are no variables.
std::vector<VariableFile> variable_files(const Schema &whole);
/// The contents of a file, not placed. Dimensions have the ids they have in the whole. `run`: store/set_run.hpp.
Schema schema_of(const Schema &whole, const std::vector<VariableFile> &files, const VariableFile &file,
                 int64_t run = 0);

/// Whether the last part of a path has a place for a variable's name, "%v".
bool names_variable(const std::string &path);
/// The path by which the files of a set are named that is divided because the settings say so: as `name` says, with %f
/// for the name of `path` without its suffix, which stays; "" for `name` is "%f_%v". Throws Error(config) for a path
/// that names a variable.
std::string variable_template(const std::string &path, const std::string &name);
/// "ocean_temp.nc"
std::string variable_path(const std::string &path_template, const std::string &variable);
/// The variable whose file a path is by this template; "" where it is none.
std::string variable_in(const std::string &path_template, const std::string &path);

/// The variables that have files, according to one of the files; none if it is no file of a set.
std::vector<std::string> files_of_set(const Schema &one);
/// The whole, not placed, of the files of a set in the order of files_of_set; it says which run has written them.
/// Throws Error(format) where they do not belong together.
Schema whole_of(const std::vector<Schema> &files);

}  // namespace sv
