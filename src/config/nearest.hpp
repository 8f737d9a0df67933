// Finds the valid word that is nearest to a wrong one. Messages about unknown keys and bad values name it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sv {

/// Insertions, deletions and replacements of one character that turn one into the other (Levenshtein 1966).
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `text`, ignoring case and with '-' for '_'; one that begins with `text` is near. The first
/// of equals; empty without candidates.
std::string nearest(std::string_view text, const std::vector<std::string> &candidates);

}  // namespace sv
