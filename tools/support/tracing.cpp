#include "tracing.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

namespace sv_tools {

namespace fs = std::filesystem;

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

std::string made_folder(const std::string &path, bool force) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(path));
  if (folder.string().find(':') != std::string::npos)
    throw std::runtime_error("'" + folder.string() + "': the name of the folder may have no colon");
  fs::create_directories(folder);
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (!force) throw std::runtime_error("'" + folder.string() + "' is not empty. Remove it, or say --force");
    if (entry.path().extension() == ".svtrace" && entry.is_regular_file()) fs::remove(entry.path());
  }
  return folder;
}

namespace {

// `sverdrup` of the folder next to this program, or of the path.
std::string report_program() {
  const fs::path neighbour = fs::path(own_folder()) / "../venv/bin/sverdrup";
  return access(neighbour.c_str(), X_OK) == 0 ? neighbour.lexically_normal().string() : "sverdrup";
}

std::string shell_quoted(const std::string &text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void make_report(const std::string &tool, const std::string &directory, const std::string &report) {
  unsetenv("LD_PRELOAD");
  const std::string command =
      shell_quoted(report_program()) + " report " + shell_quoted(directory) + " --output " + shell_quoted(report);
  if (std::system(command.c_str()) != 0)
    std::cerr << tool << ": no report was made by: " << command << "\n  The traces are in " << directory << '\n';
}

}  // namespace sv_tools
