#include "yaml_map.hpp"

namespace sv::streams {

YamlMap::YamlMap(const std::string &path, const YAML::Node &node, std::string what)
    : path_(path), what_(std::move(what)), node_(node) {
  if (node_.IsNull()) return;
  if (!node_.IsMap()) throw wrong(node_, what_ + " is not a map", "Write one 'key: value' per line");
  std::set<std::string> seen;
  for (const auto &entry : node_) {
    if (!entry.first.IsScalar()) throw wrong(entry.first, "a key is not a word", "Write 'key: value'");
    if (!seen.insert(entry.first.Scalar()).second)
      throw wrong(entry.first, "'" + entry.first.Scalar() + "' is given a second time in " + what_, "Keep one");
  }
}

void YamlMap::take(const std::string &key, const std::function<void(const YAML::Node &)> &use) {
  taken_.insert(key);
  if (node_.IsNull()) return;
  for (const auto &entry : node_)
    if (entry.first.Scalar() == key) use(entry.second);
}

std::string YamlMap::text(const std::string &key) {
  std::string found;
  take(key, [&](const YAML::Node &value) {
    if (!value.IsScalar() || value.Scalar().empty())
      throw wrong(value, "key '" + key + "' of " + what_ + " has no single value", "Give one");
    found = value.Scalar();
  });
  return found;
}

void YamlMap::finish() const {
  if (node_.IsNull()) return;
  std::string valid;
  for (const std::string &key : taken_) valid += (valid.empty() ? "" : ", ") + key;
  for (const auto &entry : node_)
    if (taken_.count(entry.first.Scalar()) == 0)
      throw wrong(entry.first, "unknown key '" + entry.first.Scalar() + "' of " + what_, "The keys are " + valid);
}

Failure YamlMap::wrong(const YAML::Node &at, const std::string &cause, const std::string &remedy) const {
  return {SV_ECONFIG, place(at) + ": " + cause, remedy};
}

}  // namespace sv::streams
