// sverdrup/enums.h: names of integers.
#include "sverdrup/enums.h"

#include <string>
#include <utility>

#include "handles.hpp"
#include "model/enumeration.hpp"

using namespace sv;
using namespace sv::c;

namespace {

void give_name(char *to, const std::string &name) {
  if (to != nullptr) copy_text(to, SV_MAX_NAME, name);
}

Enumeration enumeration_of(const char *type_name, int nmembers, const char *const *names, const int64_t *values) {
  require(type_name, "type_name");
  if (nmembers > 0) require(names, "names");
  if (nmembers > 0) require(values, "values");
  Enumeration made{type_name, {}};
  for (int i = 0; i < nmembers; ++i) {
    require(names[i], "names");
    made.members.push_back({names[i], values[i]});
  }
  return made;
}

}  // namespace

extern "C" {

int sv_def_var_enum(sv_file *handle, int var, const char *type_name, int nmembers, const char *const *names,
                    const int64_t *values) {
  return guarded([&] {
    require(handle, "file");
    File &own = *file(handle);
    Schema &schema = own.defining("sv_def_var_enum").schema;
    const std::string name = own.variable(var).name;  // checks the id
    try {
      if (own.before() != nullptr && var < std::ssize(own.before()->variables))
        throw Error(Status::order, "sv_def_var_enum for a variable that stands in the file already",
                    "Call it before the first sv_enddef, or define another variable");
      Enumeration made = enumeration_of(type_name, nmembers, names, values);
      Variable &of = schema.variables[static_cast<size_t>(var)];
      check_enumeration(schema, of, made);
      of.enumeration = std::make_shared<const Enumeration>(std::move(made));
    } catch (Error &error) {
      throw error.in_variable(name).in_file(own.path());
    }
  });
}

int sv_inq_var_enum(const sv_file *handle, int var, char type_name[SV_MAX_NAME], int *nmembers) {
  return guarded([&] {
    require(handle, "file");
    const Enumeration names = names_of_integers(file(handle)->variable(var)).value_or(Enumeration{});
    give_name(type_name, names.name);
    assign(nmembers, static_cast<int>(names.members.size()));
  });
}

int sv_inq_var_enum_member(const sv_file *handle, int var, int member, char name[SV_MAX_NAME], int64_t *value) {
  return guarded([&] {
    require(handle, "file");
    const Variable &of = file(handle)->variable(var);
    const Enumeration names = names_of_integers(of).value_or(Enumeration{});
    if (member < 0 || member >= std::ssize(names.members))
      throw Error(Status::not_found, "its integers have " + std::to_string(names.members.size()) + " names",
                  "Names count from 0: see sv_inq_var_enum")
          .in_variable(of.name)
          .in_file(file(handle)->path());
    give_name(name, names.members[static_cast<size_t>(member)].name);
    assign(value, names.members[static_cast<size_t>(member)].value);
  });
}
}
