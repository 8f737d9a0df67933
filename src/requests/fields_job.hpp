// What all ranks asked for in one call, as it is to be moved.
#pragma once

#include <string>
#include <vector>

#include "requests/request_table.hpp"

namespace sv {

/// `mine`: this rank's requests, by the places that the fields name. `call`: for comparison.
struct FieldsJob {
  File &file;
  const std::string &call;
  const AskedFields &fields;
  const std::vector<const Request *> &mine;
};

}  // namespace sv
