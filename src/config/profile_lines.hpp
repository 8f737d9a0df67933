// A machine profile as sv-probe writes it (docs/probe.md): a text of lines "key: value", which is YAML, too, with
// comments. The readers interpret the keys: the library those about writing, sv-plan the others.
#pragma once

#include <map>
#include <string>

namespace sv {

/// By key. Throws Error(config), which names `path`, for a line that is none, and for a key that is there twice.
std::map<std::string, std::string> profile_lines(const std::string &text, const std::string &path);
/// A number without a unit, of at least `least`: throws Error(config) where the value of `key` is none.
double profile_number(const std::string &key, const std::string &value, double least, const std::string &path);

}  // namespace sv
