// A map of the configuration, whose keys are taken one after the other, with
// the place of each for messages.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <set>
#include <string>

#include "failure.hpp"

namespace sv::streams {

class YamlMap {
 public:
  /// `what`: the map, for messages ("stream 'daily'"). Throws
  /// Failure(SV_ECONFIG) where the node is no map, or a key is given twice. An
  /// empty node is an empty map.
  YamlMap(const std::string &path, const YAML::Node &node, std::string what);

  /// Calls `use` with the value of a key, if it is there.
  void take(const std::string &key, const std::function<void(const YAML::Node &)> &use);
  /// The text of a single value; empty where the key is not given.
  std::string text(const std::string &key);
  /// Throws for a key that was not taken.
  void finish() const;

  Failure wrong(const YAML::Node &at, const std::string &cause, const std::string &remedy) const;
  std::string place(const YAML::Node &at) const { return path_ + ":" + std::to_string(at.Mark().line + 1); }

 private:
  std::string path_, what_;
  YAML::Node node_;
  std::set<std::string> taken_;
};

}  // namespace sv::streams
