// Errors of streams.
#pragma once

#include "../failure.hpp"
#include "sverdrup/binding.h"

namespace sv::streams {

using libs::Failure;
using libs::ReportedFailure;

/// Throws ReportedFailure for a status of the public interface that is not
/// SV_OK.
inline void must(int status) {
  if (status != SV_OK) throw ReportedFailure{status};
}

}  // namespace sv::streams
