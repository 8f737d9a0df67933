// Names of the integers of a variable. A netCDF-4 file has them as an enumeration, a type of its own; other formats
// have the attributes flag_values and flag_meanings (CF conventions, section 3.5). Values; local.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace sv {

struct Enumeration {
  struct Member {
    std::string name;
    int64_t value;
    bool operator==(const Member &other) const { return name == other.name && value == other.value; }
  };
  std::string name;  // of the type; "": attributes hold the names
  std::vector<Member> members;
  bool operator==(const Enumeration &other) const { return name == other.name && members == other.members; }
};

/// Checks names of a variable's integers, which the schema may have for another variable, too. Error(define),
/// Error(type) for a variable of other values, Error(range) for a value beyond the variable's type.
void check_enumeration(const Schema &schema, const Variable &variable, const Enumeration &names);
/// Whether both variables have the same names of their integers, or none.
bool is_named_alike(const Variable &one, const Variable &other);
/// The names of a variable's integers, also those that its attributes hold; nothing where it has none.
std::optional<Enumeration> names_of_integers(const Variable &variable);
/// Where the schema's format has no enumerations: gives their names to attributes. An attribute that is there stays.
void enumerations_to_attributes(Schema &schema);

}  // namespace sv
