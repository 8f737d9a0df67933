#include "backend/netcdf4/hdf5_calls.hpp"

namespace sv::netcdf4 {

namespace {

herr_t first_message(unsigned, const H5E_error2_t *error, void *to) {
  auto &text = *static_cast<std::string *>(to);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

}  // namespace

std::string last_hdf5_message() {
  std::string text;
  if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_message, &text) < 0 || text.empty()) return "it does not say why";
  return text;
}

}  // namespace sv::netcdf4
