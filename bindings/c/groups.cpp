// sverdrup/groups.h: groups and strings, which the classic model lacks.
#include "sverdrup/groups.h"

#include <algorithm>
#include <span>
#include <vector>

#include "handles.hpp"
#include "model/groups.hpp"
#include "string_arrays.hpp"

using namespace sv;
using namespace sv::c;

namespace {

/// How many things are in a group, and their numbers, from `first` on.
template <class Named>
void list_in(const std::vector<Named> &all, const std::string &group, int first, int *count, int *ids) {
  int found = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (group_of(all[i].name) != group) continue;
    if (ids != nullptr) ids[found] = static_cast<int>(i) + first;
    ++found;
  }
  assign(count, found);
}

const std::string &name_of_group(const sv_file *handle, int grp) {
  require(handle, "file");
  try {
    return group_name(file(handle)->schema(), grp);
  } catch (Error &error) {
    throw error.in_file(file(handle)->path());
  }
}

Error no_group(const sv_file *handle, const std::string &cause) {
  return Error(Status::not_found, cause, "See ncdump -h").in_file(file(handle)->path());
}

void copy_out(char *to, std::string_view name) {
  if (to == nullptr) return;
  const size_t length = std::min<size_t>(name.size(), SV_MAX_NAME - 1);
  std::copy_n(name.begin(), length, to);
  to[length] = '\0';
}

}  // namespace

extern "C" {

int sv_put_att_string(sv_file *handle, int var, const char *name, int64_t count, const char *const *values) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    constexpr int64_t most_strings = 1 << 20;
    if (count < 0 || count > most_strings)
      throw Error(Status::invalid, std::string("attribute '") + name + "' has " + std::to_string(count) + " strings",
                  "Attributes are short: large data are variables")
          .in_file(file(handle)->path());
    if (count > 0) require(values, "values");
    std::vector<std::string> strings;
    for (int64_t i = 0; i < count; ++i) {
      require(values[i], "values");
      strings.emplace_back(values[i]);
    }
    file(handle)->defining("sv_put_att_string").put_attribute(var, string_attribute(name, strings));
  });
}

int sv_get_att_string(const sv_file *handle, int var, const char *name, char **values) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    const Attribute &found = attribute_of(*file(handle), var, name);
    if (found.type != Type::string && found.type != Type::text)
      throw Error(Status::type, std::string("attribute '") + name + "' is of type " + std::string(name_of(found.type)),
                  "Read it with sv_get_att")
          .in_file(file(handle)->path());
    const std::vector<std::string> strings =
        found.type == Type::string ? strings_of(found) : std::vector{text_of(found).value()};
    if (!strings.empty()) require(values, "values");
    give_strings(values, strings);
  });
}

int sv_free_string(int64_t count, char **values) {
  return guarded([&] {
    if (count > 0) require(values, "values");
    free_strings({values, static_cast<size_t>(std::max<int64_t>(count, 0))});
  });
}

int sv_def_grp(sv_file *handle, int parent, const char *name, int *grp) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    try {
      assign(grp, define_group(file(handle)->defining("sv_def_grp").schema, parent, name));
    } catch (Error &error) {
      throw error.in_file(file(handle)->path());
    }
  });
}

int sv_inq_grps(const sv_file *handle, int grp, int *ngrps, int *grps) {
  return guarded([&] {
    const std::string &group = name_of_group(handle, grp);
    list_in(file(handle)->definitions.schema.groups, group, 1, ngrps, grps);
  });
}

int sv_inq_grpid(const sv_file *handle, int parent, const char *name, int *grp) {
  return guarded([&]() -> std::optional<Error> {
    const std::string &above = name_of_group(handle, parent);
    require(name, "name");
    const std::string whole = above.empty() ? name : above + "/" + name;
    const int found = file(handle)->definitions.schema.find_group(whole);
    if (found < 0) return no_group(handle, "there is no group '" + whole + "'");
    assign(grp, found + 1);
    return std::nullopt;
  });
}

int sv_inq_grpname(const sv_file *handle, int grp, char name[SV_MAX_NAME]) {
  return guarded([&] {
    const std::string &whole = name_of_group(handle, grp);
    copy_out(name, grp == 0 ? "/" : base_of(whole));
  });
}

int sv_inq_grpname_full(const sv_file *handle, int grp, char name[SV_MAX_NAME]) {
  return guarded([&] {
    const std::string &whole = name_of_group(handle, grp);
    copy_out(name, grp == 0 ? std::string("/") : whole);
  });
}

int sv_inq_grp_parent(const sv_file *handle, int grp, int *parent) {
  return guarded([&] {
    const std::string &whole = name_of_group(handle, grp);
    if (grp == 0) throw no_group(handle, "the outermost group is in none");
    assign(parent, file(handle)->definitions.schema.find_group(group_of(whole)) + 1);
  });
}

int sv_inq_grp_varids(const sv_file *handle, int grp, int *nvars, int *ids) {
  return guarded([&] {
    const std::string &group = name_of_group(handle, grp);
    list_in(file(handle)->definitions.schema.variables, group, 0, nvars, ids);
  });
}

int sv_inq_grp_dimids(const sv_file *handle, int grp, int *ndims, int *ids) {
  return guarded([&] {
    const std::string &group = name_of_group(handle, grp);
    list_in(file(handle)->definitions.schema.dims, group, 0, ndims, ids);
  });
}

int sv_inq_grp_natts(const sv_file *handle, int grp, int *natts) {
  return guarded([&] {
    name_of_group(handle, grp);  // checks it
    assign(natts, static_cast<int>(file(handle)->definitions.attributes(SV_GROUP(grp)).size()));
  });
}
}
