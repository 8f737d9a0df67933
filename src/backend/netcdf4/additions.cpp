#include "backend/netcdf4/additions.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <map>
#include <utility>

#include "backend/netcdf4/define_in_memory.hpp"
#include "backend/netcdf4/hdf5_calls.hpp"
#include "backend/netcdf4/index.hpp"
#include "backend/netcdf4/recording_driver.hpp"

namespace sv::netcdf4 {

namespace {

constexpr const char *number_name = "_Netcdf4Dimid", *coordinates_name = "_Netcdf4Coordinates",
                     *scales_name = "DIMENSION_LIST", *users_name = "REFERENCE_LIST";

bool is_same(const Attribute &one, const Attribute &other) {
  return one.name == other.name && one.type == other.type && one.count == other.count && one.values == other.values;
}

bool has_same_attributes(const std::vector<Attribute> &one, const std::vector<Attribute> &other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), is_same);
}

/// The variable that has the changed attributes of a variable that was there: no variable of a file has this name.
std::string holder_of(size_t variable) { return "attributes of variable " + std::to_string(variable); }

Handle opened(hid_t file, const std::string &name) {
  return {checked(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "H5Dopen2"), H5Dclose};
}

bool has_link(hid_t file, const std::string &name) {
  return checked(H5Lexists(file, name.c_str(), H5P_DEFAULT), "H5Lexists") > 0;
}

bool has_attribute(hid_t object, const char *name) { return checked(H5Aexists(object, name), "H5Aexists") > 0; }

void delete_attribute(hid_t object, const char *name) {
  if (has_attribute(object, name)) checked(H5Adelete(object, name), "H5Adelete");
}

struct OpenAttribute {
  OpenAttribute(hid_t object, const char *name)
      : attribute(checked(H5Aopen(object, name, H5P_DEFAULT), "H5Aopen"), H5Aclose),
        type(checked(H5Aget_type(attribute.get()), "H5Aget_type"), H5Tclose),
        space(checked(H5Aget_space(attribute.get()), "H5Aget_space"), H5Sclose) {}
  Handle attribute, type, space;

  int64_t count() const { return checked(H5Sget_simple_extent_npoints(space.get()), "H5Sget_simple_extent_npoints"); }
};

/// One of that name, type and size; an attribute that is there keeps its place among the others if it is one.
Handle attribute_like(const OpenAttribute &source, hid_t to, const char *name) {
  if (has_attribute(to, name)) {
    OpenAttribute known(to, name);
    if (H5Tequal(known.type.get(), source.type.get()) > 0 && known.count() == source.count())
      return std::move(known.attribute);
  }
  delete_attribute(to, name);
  return {checked(H5Acreate2(to, name, source.type.get(), source.space.get(), H5P_DEFAULT, H5P_DEFAULT), "H5Acreate2"),
          H5Aclose};
}

void copy_attribute(hid_t from, hid_t to, const char *name) {
  const OpenAttribute source(from, name);
  const hid_t type = source.type.get(), space = source.space.get();
  const Handle made = attribute_like(source, to, name);
  const int64_t count = source.count();
  if (count == 0) return;
  std::vector<std::byte> values(static_cast<size_t>(count) * H5Tget_size(type));
  checked(H5Aread(source.attribute.get(), type, values.data()), "H5Aread");
  const herr_t written = H5Awrite(made.get(), type, values.data());
  if (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
  checked(written, "H5Awrite");
}

std::vector<int> numbers_in(hid_t object, const char *name) {
  const OpenAttribute source(object, name);
  std::vector<int> numbers(static_cast<size_t>(source.count()));
  if (!numbers.empty()) checked(H5Aread(source.attribute.get(), H5T_NATIVE_INT, numbers.data()), "H5Aread");
  return numbers;
}

Handle opened_group(hid_t file, const std::string &path) {
  return {checked(H5Gopen2(file, path.empty() ? "/" : path.c_str(), H5P_DEFAULT), "H5Gopen2"), H5Gclose};
}

/// The names of a group's links, in the order in which they were made.
std::vector<std::string> links_of(hid_t group) {
  const Handle creation(checked(H5Gget_create_plist(group), "H5Gget_create_plist"), H5Pclose);
  unsigned order = 0;
  checked(H5Pget_link_creation_order(creation.get(), &order), "H5Pget_link_creation_order");
  const H5_index_t by = (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  std::vector<std::string> names;
  const auto add = [](hid_t, const char *name, const H5L_info_t *, void *to) -> herr_t {
    static_cast<std::vector<std::string> *>(to)->emplace_back(name);
    return 0;
  };
  checked(H5Literate(group, by, H5_ITER_INC, nullptr, add, &names), "H5Literate");
  return names;
}

/// In the order in which they were made, where the object keeps it.
std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char *name, const H5A_info_t *, void *to) -> herr_t {
    static_cast<std::vector<std::string> *>(to)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add, &names) >= 0) return names;
  names.clear();
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "H5Aiterate2");
  return names;
}

/// Omits references to other datasets, which another file does not have. HDF5 1.10 crashes where it copies an
/// object with more than eight attributes and one of variable length among them: each is copied by itself.
void copy_object(hid_t from, hid_t to, const char *name) {
  const Handle how(checked(H5Pcreate(H5P_OBJECT_COPY), "H5Pcreate"), H5Pclose);
  checked(H5Pset_copy_object(how.get(), H5O_COPY_WITHOUT_ATTR_FLAG), "H5Pset_copy_object");
  checked(H5Ocopy(from, name, to, name, how.get(), H5P_DEFAULT), "H5Ocopy");
  const Handle source(checked(H5Oopen(from, name, H5P_DEFAULT), "H5Oopen"), H5Oclose);
  const Handle made(checked(H5Oopen(to, name, H5P_DEFAULT), "H5Oopen"), H5Oclose);
  for (const std::string &each : attribute_names(source.get()))
    if (each != users_name && each != scales_name) copy_attribute(source.get(), made.get(), each.c_str());
}

/// The paths of all objects except groups, in the order in which netCDF-C reads them: those of a group before those of
/// the groups in it.
void add_paths(hid_t file, const std::string &group, std::vector<std::string> &paths) {
  std::vector<std::string> inner;
  for (const std::string &name : links_of(opened_group(file, group).get())) {
    const std::string path = group.empty() ? name : group + "/" + name;
    const Handle object(checked(H5Oopen(file, path.c_str(), H5P_DEFAULT), "H5Oopen"), H5Oclose);
    (H5Iget_type(object.get()) == H5I_GROUP ? inner : paths).push_back(path);
  }
  for (const std::string &each : inner) add_paths(file, each, paths);
}

std::vector<std::string> paths_of(hid_t file) {
  std::vector<std::string> paths;
  add_paths(file, "", paths);
  return paths;
}

/// A dimension of a dataset, to which the scale of a netCDF dimension belongs.
struct ScaleUser {
  Handle dataset;
  unsigned axis;
};

class Additions {
 public:
  Additions(hid_t file, hid_t from, const Schema &before, const Schema &after)
      : file_(file), from_(from), before_(before), after_(after) {
    for (size_t v = before.variables.size(); v < after.variables.size(); ++v)
      new_names_.emplace(name_in_hdf5(from, after.variables[v]), &after.variables[v]);
  }

  void add() {
    const std::vector<std::string> names = in_order(paths_of(from_));
    if (must_number(names)) find_numbers();
    for (size_t g = before_.groups.size(); g < after_.groups.size(); ++g) make_group(after_.groups[g].name);
    for (const std::string &name : names) copy(name);
    for (const auto &[name, variable] : new_names_) attach(name, *variable);
    write_numbers();
    take_attributes(from_, file_, before_.attributes, after_.attributes);
    take_group_attributes();
    for (size_t v = 0; v < before_.variables.size(); ++v) {
      const Variable &old = before_.variables[v], &now = after_.variables[v];
      if (has_same_attributes(old.attributes, now.attributes)) continue;
      const Handle to = opened(file_, name_in_hdf5(file_, now)), holder = opened(from_, holder_of(v));
      take_attributes(holder.get(), to.get(), old.attributes, now.attributes);
    }
  }

 private:
  std::vector<std::string> in_order(std::vector<std::string> names) const;
  void make_group(const std::string &path);
  void take_group_attributes();
  void copy(const std::string &name);
  std::vector<ScaleUser> detach_users(const std::string &name);
  void attach(const std::string &name, const Variable &variable);
  bool must_number(const std::vector<std::string> &names) const;
  void find_numbers();
  void write_numbers();
  static void take_attributes(hid_t from, hid_t to, const std::vector<Attribute> &old,
                              const std::vector<Attribute> &now);

  const hid_t file_, from_;
  const Schema &before_, &after_;
  std::map<std::string, const Variable *> new_names_;  // of variables, in HDF5
  std::map<std::string, int> numbers_;                 // of dimensions, where they are to stand in the file
};

/// Variables last, in the order of their definition: netCDF-C numbers them by the order in which they were made.
std::vector<std::string> Additions::in_order(std::vector<std::string> names) const {
  std::erase_if(names, [this](const std::string &name) { return new_names_.count(name) > 0; });
  for (size_t v = before_.variables.size(); v < after_.variables.size(); ++v)
    names.push_back(name_in_hdf5(from_, after_.variables[v]));
  return names;
}

/// With the orders that netCDF-C has groups keep. The other properties of a group include the number of its links,
/// which HDF5 would believe of the new one.
void Additions::make_group(const std::string &path) {
  const Handle source = opened_group(from_, path);
  const Handle known(checked(H5Gget_create_plist(source.get()), "H5Gget_create_plist"), H5Pclose);
  const Handle creation(checked(H5Pcreate(H5P_GROUP_CREATE), "H5Pcreate"), H5Pclose);
  unsigned links = 0, attributes = 0;
  checked(H5Pget_link_creation_order(known.get(), &links), "H5Pget_link_creation_order");
  checked(H5Pget_attr_creation_order(known.get(), &attributes), "H5Pget_attr_creation_order");
  checked(H5Pset_link_creation_order(creation.get(), links), "H5Pset_link_creation_order");
  checked(H5Pset_attr_creation_order(creation.get(), attributes), "H5Pset_attr_creation_order");
  const Handle made(checked(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), "H5Gcreate2"),
                    H5Gclose);
}

void Additions::take_group_attributes() {
  static const std::vector<Attribute> none;
  for (size_t g = 0; g < after_.groups.size(); ++g) {
    const Group &now = after_.groups[g];
    const Handle from = opened_group(from_, now.name), to = opened_group(file_, now.name);
    take_attributes(from.get(), to.get(), g < before_.groups.size() ? before_.groups[g].attributes : none,
                    now.attributes);
  }
}

/// A variable that is the coordinate of an existing dimension replaces the dataset that represented the dimension.
void Additions::copy(const std::string &name) {
  const bool is_variable = new_names_.count(name) > 0, is_there = has_link(file_, name);
  const bool is_dim = after_.find_dim(name) >= 0;
  if ((is_there && !(is_variable && is_dim)) || (!is_variable && !is_dim && name.starts_with("attributes of "))) return;
  std::vector<ScaleUser> users;
  if (is_there) {
    users = detach_users(name);
    checked(H5Ldelete(file_, name.c_str(), H5P_DEFAULT), "H5Ldelete");
  }
  copy_object(from_, file_, name.c_str());
  const Handle made = opened(file_, name);
  for (const ScaleUser &each : users)
    checked(H5DSattach_scale(each.dataset.get(), made.get(), each.axis), "H5DSattach_scale");
}

/// What uses the scale of this name, which it no longer does afterwards.
std::vector<ScaleUser> Additions::detach_users(const std::string &name) {
  struct Reference {
    hobj_ref_t dataset;
    int axis;
  };
  std::vector<ScaleUser> users;
  const Handle scale = opened(file_, name);
  if (!has_attribute(scale.get(), users_name)) return users;
  std::vector<Reference> references;
  {
    const OpenAttribute source(scale.get(), users_name);
    const Handle type(checked(H5Tcreate(H5T_COMPOUND, sizeof(Reference)), "H5Tcreate"), H5Tclose);
    checked(H5Tinsert(type.get(), "dataset", HOFFSET(Reference, dataset), H5T_STD_REF_OBJ), "H5Tinsert");
    checked(H5Tinsert(type.get(), "dimension", HOFFSET(Reference, axis), H5T_NATIVE_INT), "H5Tinsert");
    references.resize(static_cast<size_t>(source.count()));
    if (!references.empty()) checked(H5Aread(source.attribute.get(), type.get(), references.data()), "H5Aread");
  }
  for (const Reference &each : references) {
    Handle user(checked(H5Rdereference2(file_, H5P_DEFAULT, H5R_OBJECT, &each.dataset), "H5Rdereference2"), H5Oclose);
    checked(H5DSdetach_scale(user.get(), scale.get(), static_cast<unsigned>(each.axis)), "H5DSdetach_scale");
    users.push_back({std::move(user), static_cast<unsigned>(each.axis)});
  }
  return users;
}

/// Copied references lead nowhere. A coordinate is a scale itself, and has none.
void Additions::attach(const std::string &name, const Variable &variable) {
  const Handle made = opened(file_, name);
  if (checked(H5DSis_scale(made.get()), "H5DSis_scale") > 0) return;
  for (size_t d = 0; d < variable.dims.size(); ++d) {
    const Handle scale = opened(file_, after_.dims[static_cast<size_t>(variable.dims[d])].name);
    checked(H5DSattach_scale(made.get(), scale.get(), static_cast<unsigned>(d)), "H5DSattach_scale");
  }
}

/// NetCDF-C numbers dimensions in the order in which their scales were made, where no attribute says otherwise: where
/// that order changes, or the numbers stand somewhere, they are to stand everywhere. Where there are groups, it changes
/// in any case.
bool Additions::must_number(const std::vector<std::string> &names) const {
  if (!after_.groups.empty()) return true;
  const auto has_number = [](hid_t file, const std::string &name) {
    return has_link(file, name) && has_attribute(opened(file, name).get(), number_name);
  };
  for (const std::string &name : names) {
    const auto variable = new_names_.find(name);
    if (variable == new_names_.end()) continue;
    if (after_.find_dim(name) >= 0 || has_attribute(opened(from_, name).get(), coordinates_name)) return true;
  }
  for (const Dimension &each : before_.dims)
    if (has_link(file_, each.name)) {
      if (has_number(file_, each.name)) return true;
      break;
    }
  return !after_.dims.empty() && has_number(from_, after_.dims.front().name);
}

/// As netCDF-C would number them, and the new ones behind these.
void Additions::find_numbers() {
  int next = 0;
  for (const std::string &name : paths_of(file_)) {
    const Handle object(checked(H5Oopen(file_, name.c_str(), H5P_DEFAULT), "H5Oopen"), H5Oclose);
    if (H5Iget_type(object.get()) != H5I_DATASET || H5DSis_scale(object.get()) <= 0) continue;
    int number = next;
    if (has_attribute(object.get(), number_name))
      if (const std::vector<int> written = numbers_in(object.get(), number_name); !written.empty())
        number = written.front();
    numbers_[name] = number;
    next = std::max(next, number + 1);
  }
  for (const Dimension &each : after_.dims)
    if (numbers_.count(each.name) == 0) numbers_[each.name] = next++;
}

void Additions::write_numbers() {
  for (const auto &[name, number] : numbers_) {
    if (!has_link(file_, name)) continue;
    const Handle scale = opened(file_, name);
    delete_attribute(scale.get(), number_name);
    const Handle one(checked(H5Screate(H5S_SCALAR), "H5Screate"), H5Sclose);
    const Handle made(checked(H5Acreate2(scale.get(), number_name, H5T_NATIVE_INT, one.get(), H5P_DEFAULT, H5P_DEFAULT),
                              "H5Acreate2"),
                      H5Aclose);
    checked(H5Awrite(made.get(), H5T_NATIVE_INT, &number), "H5Awrite");
  }
  for (const auto &[name, variable] : new_names_) {
    const Handle made = opened(file_, name);
    if (!has_attribute(made.get(), coordinates_name)) continue;
    std::vector<int> numbers;
    for (const int dim : variable->dims) numbers.push_back(numbers_.at(after_.dims[static_cast<size_t>(dim)].name));
    const OpenAttribute known(made.get(), coordinates_name);
    if (known.count() == std::ssize(numbers))
      checked(H5Awrite(known.attribute.get(), H5T_NATIVE_INT, numbers.data()), "H5Awrite");
  }
}

/// Objects that Sverdrup cannot read are not in the schemas, and stay.
void Additions::take_attributes(hid_t from, hid_t to, const std::vector<Attribute> &old,
                                const std::vector<Attribute> &now) {
  for (const Attribute &each : old)
    if (find_attribute(now, each.name) == nullptr) delete_attribute(to, each.name.c_str());
  for (const Attribute &each : now)
    if (const Attribute *const known = find_attribute(old, each.name); known == nullptr || !is_same(*known, each))
      copy_attribute(from, to, each.name.c_str());
}

}  // namespace

std::vector<std::byte> defined_additions(const Schema &before, const Schema &after, const Access &access) {
  Access with_sum = access;
  with_sum.chunks = summed(access.chunks, after);
  Schema some = after;
  some.variables.clear();
  for (size_t v = 0; v < after.variables.size(); ++v) {
    const Variable &each = after.variables[v];
    if (v >= before.variables.size())
      some.variables.push_back(each);
    else if (!has_same_attributes(before.variables[v].attributes, each.attributes))
      some.variables.push_back({.name = holder_of(v), .type = each.type, .dims = {}, .attributes = each.attributes});
  }
  return define_in_memory(some, with_sum);
}

void add_definitions(hid_t file, const std::vector<std::byte> &defined, const Schema &before, const Schema &after) {
  Recorded recorded{MetadataImage(defined)};
  const Handle from(open_recorded(recorded, "the added definitions"), H5Fclose);
  Additions(file, from.get(), before, after).add();
}

}  // namespace sv::netcdf4
