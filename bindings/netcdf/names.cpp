#include "names.hpp"

#include <algorithm>
#include <cstdlib>

#include "../face/loaded.hpp"
#include "base/error.hpp"
#include "codes.hpp"
#include "model/schema.hpp"

namespace sv::netcdf {

namespace {

/// The tables of Unicode are netCDF's.
std::string normal(std::string name) {
  if (std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return name;
  using Normalize = int(const unsigned char *, unsigned char **);
  static auto *const normalize = reinterpret_cast<Normalize *>(libraries().find("nc_utf8_normalize", nullptr));
  unsigned char *made = nullptr;
  if (normalize == nullptr || normalize(reinterpret_cast<const unsigned char *>(name.c_str()), &made) != NC_NOERR)
    return name;
  name = reinterpret_cast<const char *>(made);
  std::free(made);
  return name;
}

}  // namespace

std::string checked_name(const char *name) {
  refuse_if(name == nullptr || *name == '\0', NC_EBADNAME);
  std::string text = name;
  refuse_if(text.size() > NC_MAX_NAME, NC_EMAXNAME);
  try {
    check_name(text);
  } catch (const Error &) {
    throw Refusal{NC_EBADNAME};
  }
  text = normal(std::move(text));
  refuse_if(text.size() > NC_MAX_NAME, NC_EMAXNAME);  // of normal form, it may be longer
  return text;
}

std::string wanted_name(const char *name) {
  refuse_if(name == nullptr, NC_EBADNAME);
  return normal(name);
}

}  // namespace sv::netcdf
