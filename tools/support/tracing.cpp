#include "tracing.hpp"

namespace sv_tools {

void add_tracing(Launch &launch, const Tracing &tracing) {
  const std::string bytes = std::to_string(tracing.memory_bytes);
  launch.libraries.insert(launch.libraries.begin(), own_library("libsv_trace.so"));
  for (const auto &[name, value] :
       {std::pair("SV_TRACE_DIRECTORY", tracing.directory), std::pair("SV_TRACE_BYTES", bytes),
        std::pair("SV_TRACE", tracing.directory), std::pair("SV_TRACE_MEMORY", bytes)})
    launch.variables.emplace_back(name, value);
  if (tracing.patterns.empty()) return;
  std::string all;
  for (const std::string &pattern : tracing.patterns) all += (all.empty() ? "" : ":") + pattern;
  launch.variables.emplace_back("SV_TRACE_FILES", all);
}

}  // namespace sv_tools
