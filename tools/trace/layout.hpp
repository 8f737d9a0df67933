#pragma once

#include <ostream>

namespace sv_trace_tool {

/// The structs of trace files as JSON, for those who read them in other languages: sizes, and of each field {offset,
/// size}.
void print_layout(std::ostream &out);

}  // namespace sv_trace_tool
