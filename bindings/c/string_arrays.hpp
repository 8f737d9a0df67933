// Arrays of C strings that a program receives, and frees with sv_free_string. Local.
#pragma once

#include <span>
#include <string>

namespace sv::c {

/// Sets the pointers at `values` to copies of the strings, as many as there are; if memory runs out, to NULL.
void give_strings(char **values, std::span<const std::string> strings);
void free_strings(std::span<char *> values);

}  // namespace sv::c
