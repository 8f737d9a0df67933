// The status of a failing call.
#pragma once

#include "base/error.hpp"

namespace sv::testing {

template <typename Call>
Status status_of(Call call) {
  try {
    call();
  } catch (const Error &error) {
    return error.status();
  }
  return Status::ok;
}

}  // namespace sv::testing
