// The calls on files that servers carry out as models have made them: the same that models without servers make.
#pragma once

#include <memory>

#include "servers/file_calls.hpp"

namespace sv {

std::unique_ptr<FileCalls> calls_of_servers();

}  // namespace sv
