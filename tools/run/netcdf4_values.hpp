// Values of netCDF-4 files, for netcdf4_files.cpp: two variables are compared, and attributes are shown in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sv_run {

/// Where a variable is.
struct Place {
  int group, number;
  int type;
  std::string type_words;  // type_in_words
  std::vector<size_t> lengths;
  bool is_like(const Place &other) const { return type_words == other.type_words && lengths == other.lengths; }
};

/// The name of a type; of a user-defined one also its parts, down to netCDF's own types.
std::string type_in_words(int group, int type);

/// In words, where values of two alike variables differ; empty: nowhere.
std::string different_values(const Place &one, const Place &other);

/// An attribute's values, and the fill value of a variable, in words. Throws std::runtime_error.
std::string attribute_value(int group, int variable, const char *name);
std::string fill_value(int group, int variable);

}  // namespace sv_run
