// docs/configuration.md lists every key as the table of keys has it, and its examples are valid.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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

std::string row_of(const Key &key) {
  const Settings defaults;
  const std::string value = key.text(defaults, defaults.file);
  return "| `" + key.name + "` | " + key.type + ": " + key.allowed + " | " + (value.empty() ? "" : "`" + value + "` ") +
         "| `" + key.variable() + "` | " + (key.per_file ? "yes" : "no") + " | " + key.meaning + " |\n";
}

TEST(Documentation, HoldsTheTableOfKeys) {
  std::string table =
      "| key | value | default | variable | per file | meaning |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Key &key : keys()) table += row_of(key);
  EXPECT_NE(page_text().find(table), std::string::npos) << page << " must hold this table:\n" << table;
}

TEST(Documentation, HoldsTheTableOfKeysOfVariables) {
  std::string table = "| key | value | meaning |\n| --- | --- | --- |\n";
  for (const VariableKey &key : variable_keys())
    table += "| `" + key.name + "` | " + key.type + ": " + key.allowed + " | " + key.meaning + " |\n";
  EXPECT_NE(page_text().find(table), std::string::npos) << page << " must hold this table:\n" << table;
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
        EXPECT_FALSE(load_settings("example.yaml", {}, {}).file.from.empty()) << yaml;
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
