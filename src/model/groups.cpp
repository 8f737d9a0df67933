#include "model/groups.hpp"

#include "base/error.hpp"
#include "base/normalisation.hpp"
#include "model/rules/classic.hpp"

namespace sv {

const std::string &group_name(const Schema &schema, int group) {
  static const std::string outermost;
  if (group < 0 || group > static_cast<int>(schema.groups.size()))
    throw Error(Status::not_found, "there is no group with id " + std::to_string(group),
                "Use the ids that sv_def_grp or sv_inq_grps give");
  return group == 0 ? outermost : schema.groups[static_cast<size_t>(group) - 1].name;
}

int define_group(Schema &schema, int parent, const std::string &given) {
  const std::string &above = group_name(schema, parent);
  if (classic::governs(schema.format))
    throw Error(Status::define, "'" + given + "' would be a group, which CDF files do not have",
                "Set the format to netcdf4 or zarr");
  check_name(given);
  const std::string own = normalised(given), name = above.empty() ? own : above + "/" + own;
  check_name_in(schema, name);
  if (schema.find_group(name) >= 0 || schema.find_variable(name) >= 0 || schema.find_dim(name) >= 0)
    throw Error(Status::exists, "there is a group, a variable or a dimension '" + name + "'", "Use another name");
  schema.groups.push_back({name, {}});
  return static_cast<int>(schema.groups.size());
}

std::string renamed_in_group(const std::string &known, const std::string &name) {
  const std::string group(group_of(known));
  return group.empty() ? name : group + "/" + name;
}

}  // namespace sv
