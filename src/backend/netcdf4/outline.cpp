#include "backend/netcdf4/outline.hpp"

#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "backend/netcdf4/hdf5_calls.hpp"
#include "base/printable.hpp"
#include "model/schema.hpp"

namespace sv::netcdf4 {

namespace {

struct Link {
  std::string name;
  H5L_type_t type;
  hid_t object;  // of a hard link; otherwise less than 0
};

/// Visits every link of every group once, until `visit` returns false. HDF5 passes no exception on.
class Walk {
 public:
  using Visit = std::function<bool(const Link &)>;
  Walk(const std::string &path, Visit visit) : visit_(std::move(visit)) {
    const Silence silence;
    const Handle file(checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "H5Fopen"), H5Fclose);
    const herr_t result = H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, one, this);
    if (failure_) throw Error(*failure_);
    checked(result, "H5Lvisit");
  }

 private:
  static herr_t one(hid_t group, const char *name, const H5L_info_t *info, void *self) {
    auto &walk = *static_cast<Walk *>(self);
    bool goes_on = false;
    walk.failure_ = caught(-1, [&] {
      Handle object(H5I_INVALID_HID, H5Oclose);
      if (info->type == H5L_TYPE_HARD) object = Handle(checked(H5Oopen(group, name, H5P_DEFAULT), "H5Oopen"), H5Oclose);
      goes_on = walk.visit_({printable(name), info->type, object.get()});
    });
    return goes_on ? 0 : 1;
  }

  const Visit visit_;
  std::optional<Error> failure_;
};

bool is_dataset(const Link &link) { return link.object >= 0 && H5Iget_type(link.object) == H5I_DATASET; }

H5S_class_t extent_of(Handle space) { return H5Sget_simple_extent_type(space.get()); }

/// Attributes that netCDF-C reads as its own, with the types in which it and HDF5's dimension scales write them.
struct Reserved {
  const char *name;
  H5T_class_t type;
};
constexpr std::array reserved{Reserved{"CLASS", H5T_STRING},          Reserved{"NAME", H5T_STRING},
                              Reserved{"DIMENSION_LIST", H5T_VLEN},   Reserved{"REFERENCE_LIST", H5T_COMPOUND},
                              Reserved{"_Netcdf4Dimid", H5T_INTEGER}, Reserved{"_Netcdf4Coordinates", H5T_INTEGER}};

/// "" where the attributes are as netCDF-C expects them.
std::string oddity_of_attributes(hid_t object) {
  for (const Reserved &each : reserved) {
    if (checked(H5Aexists(object, each.name), "H5Aexists") == 0) continue;
    const Handle attribute(checked(H5Aopen(object, each.name, H5P_DEFAULT), "H5Aopen"), H5Aclose);
    const Handle type(checked(H5Aget_type(attribute.get()), "H5Aget_type"), H5Tclose);
    const H5S_class_t extent = extent_of({checked(H5Aget_space(attribute.get()), "H5Aget_space"), H5Sclose});
    if (H5Tget_class(type.get()) != each.type) return std::string("an attribute '") + each.name + "' of another type";
    if (extent == H5S_NULL || extent == H5S_NO_CLASS)
      return std::string("an attribute '") + each.name + "' without values";
  }
  return "";
}

std::string oddity_of(const Link &link) {
  if (link.object < 0) return "";
  const bool is_data = is_dataset(link);
  const char *const kind = is_data ? "dataset" : "group";
  std::string odd;
  if (is_data) {
    const H5S_class_t extent = extent_of({checked(H5Dget_space(link.object), "H5Dget_space"), H5Sclose});
    if (extent == H5S_NULL || extent == H5S_NO_CLASS) odd = "no dataspace";
  }
  if (odd.empty()) odd = oddity_of_attributes(link.object);
  return odd.empty() ? "" : std::string("the ") + kind + " '" + link.name + "' has " + odd;
}

/// What of the object stands in another file; "": nothing.
std::string elsewhere(const Link &link) {
  if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
    return "the link '" + link.name + "' leads to another file";
  if (!is_dataset(link)) return "";
  const Handle creation(checked(H5Dget_create_plist(link.object), "H5Dget_create_plist"), H5Pclose);
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL)
    return "the dataset '" + link.name + "' is virtual: its values stand in other files";
  if (checked(H5Pget_external_count(creation.get()), "H5Pget_external_count") > 0)
    return "the values of the dataset '" + link.name + "' stand in another file (external storage)";
  return "";
}

}  // namespace

std::string oddity_of(const std::string &path) {
  std::string odd;
  const Walk walk(path, [&odd](const Link &link) {
    odd = oddity_of(link);
    return odd.empty();
  });
  return odd;
}

void require_no_other_files(const std::string &path) {
  std::string found;
  const Walk walk(path, [&found](const Link &link) {
    found = elsewhere(link);
    return found.empty();
  });
  if (!found.empty())
    throw Error(Status::format, found,
                "With 'reading.untrusted: true', files that refer to others are not read: set 'reading.untrusted: "
                "false' if you trust the "
                "origin of the file");
}

}  // namespace sv::netcdf4
