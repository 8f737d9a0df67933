// The one error of bodies that cannot be read: every codec throws it.
#pragma once

#include "base/error.hpp"

namespace sv {

inline Error malformed_body(const std::string &codec) {
  return Error(Status::format, "a chunk is not what " + codec + " has made, or not of the length that it should have",
               "The file is damaged; restore it from a copy");
}

}  // namespace sv
