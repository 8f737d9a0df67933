// JSON texts (RFC 8259), built from the leaves up. The summary, the trace files' notes and sv-plan write theirs with
// it; nothing here reads JSON. Every function returns valid JSON if what it is given is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sv {

/// A string in quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);
/// The shortest text that reads back as the same double; null for values that JSON cannot hold (infinity, NaN).
std::string json_number(double value);
std::string json_number(int64_t value);

/// Names (not yet quoted) with values (JSON texts). On one line where that is short, otherwise indented by two blanks.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;
std::string json_object(const JsonMembers &members);
std::string json_array(const std::vector<std::string> &values);

}  // namespace sv
