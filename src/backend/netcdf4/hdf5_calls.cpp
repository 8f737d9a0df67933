#include "backend/netcdf4/hdf5_calls.hpp"

namespace sv::netcdf4 {

namespace {

/// Where an error began.
struct Origin {
  std::string text;
  bool is_of_system = false;  // the file driver could not read or write
};

herr_t take_origin(unsigned, const H5E_error2_t *error, void *to) {
  auto &origin = *static_cast<Origin *>(to);
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
  if (origin.is_of_system) return {Status::io, text, "Check the file system, or take another copy of the file"};
  return {Status::format, text, "The file may be damaged, or of a kind that this HDF5 does not know"};
}

}  // namespace sv::netcdf4
