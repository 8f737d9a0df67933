#include "backend/netcdf4/hdf5_calls.hpp"

namespace sv::netcdf4 {

namespace {

/// Where an error began.
struct Origin {
  std::string text;
  bool is_of_system = false;  // the file driver could not read or write
  bool is_of_filter = false;  // there is no plug-in for a filter
};

herr_t take_origin(unsigned, const H5E_error2_t *error, void *to) {
  auto &origin = *static_cast<Origin *>(to);
  const std::string text = error->desc == nullptr ? "" : error->desc;
  origin.is_of_filter |= error->maj_num == H5E_PLUGIN || text.find("is not registered") != std::string::npos;
  if (!origin.text.empty() || error->desc == nullptr) return 0;
  origin.text = error->desc;
  origin.is_of_system = error->maj_num == H5E_IO;
  return 0;
}

}  // namespace

Error hdf5_error(const char *call) {
  Origin origin;
  if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_origin, &origin) < 0 || origin.text.empty())
    origin.text = "it does not say why";
  const std::string text = std::string("HDF5: ") + call + ": " + origin.text;
  if (origin.is_of_filter)
    return {Status::not_compiled, text,
            "Install HDF5's plug-in for this filter, and name its folder in HDF5_PLUGIN_PATH"};
  if (origin.is_of_system) return {Status::io, text, "Check the file system, or take another copy of the file"};
  return {Status::format, text, "The file may be damaged, or of a kind that this HDF5 does not know"};
}

}  // namespace sv::netcdf4
