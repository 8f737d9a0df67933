// Sends the variables of existing files, record by record, to the streams of a configuration: sv-copy --streams.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sv_tools {

struct Streaming {
  std::string configuration;          // with the section streams:; other sections are Sverdrup's
  std::vector<std::string> in;        // files with a coordinate of time, in its order
  std::vector<std::string> settings;  // "key=value"
  bool quiet = false;
  std::string times = "end";  // where in its step a time without bounds is: begin, middle or end
};

/// Collective over all ranks, each of which reads a part of each field. Variables with time are fields that the streams
/// may name; other variables on their grids are fields without time. Throws std::runtime_error on every rank.
void write_streams(const Streaming &task);

}  // namespace sv_tools
