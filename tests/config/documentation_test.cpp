// docs/configuration.md lists every key as the table of keys has it, and its examples are valid.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "config/configuration.hpp"
#include "config/keys.hpp"
#include "config/variable_keys.hpp"

namespace sv {
namespace {

const std::filesystem::path page =
    std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "docs" / "configuration.md";

std::string page_text() {
  std::ifstream in(page);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string named(const std::string &name, const std::string &group) {
  return "`" + name + "`" + (group.empty() ? "" : ", or `" + group + "`");
}

/// The section "Values" describes what holds for all keys of a type.
std::string values_of(const Key &key) {
  const std::map<std::string, std::string> described = {{"switch", "true or false"},
                                                        {"size", "bytes with or without a unit (4096, 32MiB, 4MB)"},
                                                        {"duration", "seconds, or a number with s, ms, min or h"}};
  const auto found = described.find(key.type);
  if (found == described.end()) return key.type + ": " + key.allowed;
  EXPECT_TRUE(key.allowed.starts_with(found->second)) << key.name;
  return key.type + key.allowed.substr(found->second.size());
}

std::string row_of(const Key &key) {
  const Settings defaults;
  const std::string value = key.text(defaults, defaults.file);
  return "| " + named(key.name, key.stands_for_group ? key.group() : "") + " | " + values_of(key) + " | " +
         (value.empty() ? "" : "`" + value + "` ") + "| " + (key.per_file ? "yes" : "no") + " | " + key.meaning +
         " |\n";
}

/// A table for each group; the keys without one share the first.
TEST(Documentation, HoldsTheTablesOfKeys) {
  const std::string head = "| key | value | default | per file | meaning |\n| --- | --- | --- | --- | --- |\n";
  std::map<std::string, std::string> tables;
  for (const Key &key : keys()) {
    std::string &table = tables[key.name.find('.') == std::string::npos ? "" : key.group()];
    if (table.empty()) table = head;
    table += row_of(key);
  }
  for (const auto &[group, table] : tables)
    EXPECT_NE(page_text().find(table + "\n"), std::string::npos) << page << " must hold this table:\n" << table;
}

TEST(Documentation, NamesTheKeysOfVariables) {
  const std::string text = page_text();
  const std::string section =
      text.substr(text.find("### Variables"), text.find("### Values") - text.find("### Variables"));
  for (const VariableKey &key : variable_keys())
    EXPECT_NE(section.find("`" + key.name + "`"), std::string::npos) << page << " must name " << key.name;
}

TEST(Documentation, ItsExamplesAreValid) {
  std::istringstream lines(page_text());
  int examples = 0;
  std::string line, yaml;
  for (bool inside = false; std::getline(lines, line);) {
    if (inside && line == "```") {
      ++examples;
      std::ofstream("example.yaml") << yaml;
      try {
        const Settings settings = load_settings("example.yaml", {}, {});
        EXPECT_FALSE(settings.file.from.empty() && settings.from.empty() && settings.patterns.empty()) << yaml;
      } catch (const Error &error) {
        if (error.status() == Status::not_compiled) GTEST_SKIP() << error.what();
        ADD_FAILURE() << error.what();
      }
    }
    if (line.starts_with("```")) inside = line == "```yaml";
    if (line == "```yaml")
      yaml.clear();
    else
      yaml += line + '\n';
  }
  EXPECT_GE(examples, 1);
}

}  // namespace
}  // namespace sv
