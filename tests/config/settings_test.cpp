#include "config/configuration.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>

#include "base/error.hpp"
#include "config/keys.hpp"
#include "config/yaml_source.hpp"
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define SV_TEST_JSON 1
#endif

namespace sv {
namespace {

bool has_yaml() {
  try {
    return parse_yaml("", "").empty();
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::not_compiled) << error.what();
    return false;
  }
}

std::string write_file(const std::string &text) {
  const std::string path = "sverdrup.yaml";
  std::ofstream out(path);
  out << text;
  out.close();
  EXPECT_TRUE(out.good());
  return path;
}

Settings from_yaml(const std::string &text, const Environment &variables = {},
                   const std::vector<std::string> &options = {}) {
  return load_settings(write_file(text), variables, options);
}

void expect_error(Status status, const std::vector<std::string> &parts, const std::function<void()> &action) {
  try {
    action();
    ADD_FAILURE() << "no error that says " << parts[0];
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), status) << error.what();
    for (const std::string &part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\nlacks: " << part;
  }
}

void expect_bad_yaml(const std::string &text, const std::vector<std::string> &parts) {
  expect_error(Status::config, parts, [&] { from_yaml(text); });
}

#define NEEDS_YAML \
  if (!has_yaml()) GTEST_SKIP() << "built without yaml-cpp"

TEST(Settings, WithoutSourcesAreTheDefaults) {
  const Settings settings = load_settings("", {}, {});
  EXPECT_EQ(settings.file.route.name, "auto");
  EXPECT_EQ(settings.window_bytes, 64 << 20);
  EXPECT_EQ(settings.watchdog_seconds, 300);
  EXPECT_TRUE(settings.from.empty());
  EXPECT_TRUE(settings.file.from.empty());
}

TEST(Settings, EveryKeyReadsItsOwnDefault) {
  const Settings defaults;
  for (const Key &key : keys()) {
    const Settings settings = load_settings("", {{key.variable(), key.text(defaults, defaults.file)}}, {});
    EXPECT_EQ(key.text(settings, settings.file), key.text(defaults, defaults.file)) << key.name;
    EXPECT_EQ((key.per_file ? settings.file.from : settings.from).at(key.name), key.variable());
  }
}

TEST(Settings, ReadYaml) {
  NEEDS_YAML;
  const Settings settings = from_yaml(
      "# the ocean\nroute: domains\nio_layout: [4, 2]\nwriters: 2 per node\nformat: cdf5\nkind: growing\n"
      "durability: on_disk\nstripe: 4MiB\nheader_reserve: 16KiB\nfill: no\ntransport: send\nwindow: 32MiB\n"
      "watchdog: 1min\nranks_per_node: 4\nsummary: out/summary.json\ntable: true\n");
  EXPECT_EQ(settings.file.route.name, "domains");
  EXPECT_EQ(settings.file.route.io_nx, 4);
  EXPECT_EQ(settings.file.route.io_ny, 2);
  EXPECT_EQ(settings.file.route.writers.kind, Writers::Kind::per_node);
  EXPECT_EQ(settings.file.route.writers.n, 2);
  EXPECT_EQ(settings.file.format, Format::cdf5);
  EXPECT_EQ(settings.file.kind, Kind::growing);
  EXPECT_EQ(settings.file.durability, Durability::on_disk);
  EXPECT_EQ(settings.file.stripe_bytes, 4 << 20);
  EXPECT_EQ(settings.file.header_reserve_bytes, 16384);
  EXPECT_FALSE(settings.file.fill);
  EXPECT_EQ(settings.transport, Transport::send);
  EXPECT_EQ(settings.window_bytes, 32 << 20);
  EXPECT_EQ(settings.watchdog_seconds, 60);
  EXPECT_EQ(settings.ranks_per_node, 4);
  EXPECT_EQ(settings.summary, "out/summary.json");
  EXPECT_TRUE(settings.table);
  EXPECT_EQ(settings.file.from.at("stripe"), "sverdrup.yaml:8");
}

TEST(Settings, EmptyFilesAreNoFile) {
  NEEDS_YAML;
  for (const char *text : {"", "# nothing\n", "---\n", "files:\n"}) EXPECT_TRUE(from_yaml(text).file.from.empty());
}

TEST(Settings, VariablesWinOverTheFileAndArgumentsOverBoth) {
  NEEDS_YAML;
  const std::string text = "route: row\nwriters: 3\nformat: cdf1\nfiles:\n  'r*.nc': {route: column, writers: 2}\n";
  const Settings settings =
      from_yaml(text, {{"SV_ROUTE", "shared"}, {"SV_WRITERS", "self"}}, {"writers=5", "writers=1"});
  EXPECT_EQ(settings.file.route.name, "shared");
  EXPECT_EQ(settings.file.route.writers.n, 1);
  EXPECT_EQ(settings.file.format, Format::cdf1);
  EXPECT_EQ(settings.file.from.at("route"), "SV_ROUTE");
  EXPECT_EQ(settings.file.from.at("writers"), "argument");
  EXPECT_EQ(settings.file.from.at("format"), "sverdrup.yaml:3");
  const FileSettings &restart = settings.for_file("r1.nc");
  EXPECT_EQ(restart.route.name, "shared");
  EXPECT_EQ(restart.route.writers.n, 1);
}

TEST(Settings, PatternsStartFromTheDefaultsAndTheFirstMatchWins) {
  NEEDS_YAML;
  const Settings settings = from_yaml(
      "files:\n  'restart*.nc': {route: serial, fill: false}\n  '*/daily/*': {format: cdf5}\n  '*.nc':\nroute: row\n"
      "stripe: 1MiB\n");
  EXPECT_EQ(settings.for_file("run/restart_01.nc").route.name, "serial");
  EXPECT_EQ(settings.for_file("run/restart_01.nc").stripe_bytes, 1 << 20);
  EXPECT_FALSE(settings.for_file("restart.nc").fill);
  EXPECT_EQ(settings.for_file("out/daily/restart.nc").route.name, "serial");
  EXPECT_EQ(settings.for_file("out/daily/t.nc").format, Format::cdf5);
  EXPECT_EQ(settings.for_file("out/daily/t.nc").route.name, "row");
  EXPECT_EQ(&settings.for_file("ocean.nc"), &settings.patterns[2].second);
  EXPECT_EQ(&settings.for_file("ocean.dat"), &settings.file);
}

TEST(Settings, SvConfigNamesTheFileUnlessAnArgumentDoes) {
  NEEDS_YAML;
  const std::string path = write_file("route: row\n");
  EXPECT_EQ(load_settings("", {{"SV_CONFIG", path}}, {}).file.route.name, "row");
  EXPECT_EQ(load_settings(path, {{"SV_CONFIG", "/nowhere.yaml"}}, {}).file.route.name, "row");
  expect_error(Status::not_found, {"/nowhere.yaml"}, [] { load_settings("", {{"SV_CONFIG", "/nowhere.yaml"}}, {}); });
}

TEST(SiteSettings, StandBeneathAllOthers) {
  NEEDS_YAML;
  std::ofstream("site.yaml") << "route: row\nstripe: 1MiB\nfill: no\nvariables: {t: {deflate: 1}}\n"
                                "files:\n  'r*.nc': {route: column, format: cdf5}\n  '*.nc': {format: cdf1}\n";
  const Environment variables = {{"SV_SITE_CONFIG", "site.yaml"}, {"SV_FILL", "yes"}};
  const Settings alone = load_settings("", variables, {});
  EXPECT_EQ(alone.file.from.at("route"), "site site.yaml:1");
  EXPECT_TRUE(alone.file.fill);
  EXPECT_TRUE(alone.warnings.empty());
  EXPECT_EQ(alone.for_file("r.nc").route.name, "column");
  const Settings both =
      from_yaml("route: serial\nvariables: {t: {zstd: 1}}\nfiles:\n  'r1*': {format: cdf2}\n", variables);
  EXPECT_EQ(both.file.from.at("route"), "sverdrup.yaml:1");
  EXPECT_EQ(both.file.from.at("stripe"), "site site.yaml:2");
  EXPECT_EQ(both.for_file("r1.nc").format, Format::cdf2);  // the run's pattern, over the site's defaults
  EXPECT_EQ(both.for_file("r1.nc").stripe_bytes, 1 << 20);
  EXPECT_EQ(both.for_file("r2.nc").format, Format::cdf5);
  EXPECT_EQ(both.for_file("r2.nc").route.name,
            "serial");  // what the run sets for all files holds for the site's patterns
  ASSERT_EQ(both.file.chunks.variables.size(), 2U);
  EXPECT_EQ(both.file.chunks.variables[0].second.zstd, 1);
}

TEST(SiteSettings, AreThoseOfTheNamedFileOrNone) {
  NEEDS_YAML;
  std::ofstream("site.yaml") << "rout: row\n";
  expect_error(Status::config, {"site site.yaml:1", "'rout'"}, [] {
    load_settings("", {{"SV_SITE_CONFIG", "site.yaml"}}, {});
  });
  expect_error(Status::not_found, {"nowhere.yaml", "the site's configuration"}, [] {
    load_settings("", {{"SV_SITE_CONFIG", "nowhere.yaml"}}, {});
  });
  EXPECT_TRUE(load_settings("", {{"SV_SITE_CONFIG", ""}}, {}).from.empty());
}

TEST(BadSettings, UnknownKeysNameTheLineAndTheNearest) {
  NEEDS_YAML;
  expect_bad_yaml("route: row\nio_layot: 4,2\n", {"sverdrup.yaml:2", "'io_layot'", "'io_layout'"});
  expect_bad_yaml("file: {}\n", {"sverdrup.yaml:1", "'file'", "'files'"});
  expect_bad_yaml("files:\n  '*':\n    fil: no\n", {"sverdrup.yaml:3", "'fil'", "'fill'"});
  expect_bad_yaml("files:\n  '*': {window: 1MiB}\n", {"sverdrup.yaml:2", "'window'", "whole run"});
}

TEST(BadSettings, BadValuesNameTheLineAndTheNearest) {
  NEEDS_YAML;
  expect_bad_yaml("\nroute: seriall\n", {"sverdrup.yaml:2", "'route'", "'seriall'", "'serial'"});
  expect_bad_yaml("window: 1KiB\n", {"sverdrup.yaml:1", "'window'", "'1KiB'", "'64KiB'"});
  expect_bad_yaml("table:\n", {"sverdrup.yaml:1", "'table'", "true or false"});
  expect_bad_yaml("files:\n  '*.nc':\n    kind: grow\n", {"sverdrup.yaml:3", "'kind'", "'grow'", "'growing'"});
  expect_bad_yaml("route: {name: row}\n", {"sverdrup.yaml:1", "'route'", "no single value"});
  expect_bad_yaml("io_layout: [[4], 2]\n", {"sverdrup.yaml:1", "'io_layout'", "no single value"});
  expect_bad_yaml("window: 0\n", {"sverdrup.yaml:1", "'window'", "'64KiB'"});
}

TEST(BadSettings, WhatIsNotAMapOfKeysIsRefused) {
  NEEDS_YAML;
  expect_bad_yaml("- route\n", {"sverdrup.yaml:1", "not a map"});
  expect_bad_yaml("route: row\n\n bad: : :\n", {"sverdrup.yaml:3", "not YAML"});
  expect_bad_yaml("route: row\nroute: column\n", {"sverdrup.yaml:2", "second time"});
  expect_bad_yaml("files:\n  a: {}\n  a: {}\n", {"sverdrup.yaml:3", "second time"});
  expect_bad_yaml("files: [a]\n", {"sverdrup.yaml:1", "'files' is not a map"});
  expect_bad_yaml("route: row\n---\nroute: column\n", {"second document"});
  expect_bad_yaml(std::string(2 << 20, '#'), {"longer than 1 MiB"});
}

TEST(BadSettings, AnyBytesAreSettingsOrAnError) {
  NEEDS_YAML;
  const std::string valid = "route: row\nio_layout: [1, 2]\nwindow: 1MiB\nfiles:\n  'a*': {fill: no, stripe: 4KiB}\n";
  std::mt19937 random(7);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = valid;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      text[random() % text.size()] = random() % 2 ? static_cast<char>(random()) : ":{}[]'\"#&*!-\n "[random() % 14];
    try {
      from_yaml(text);
      ++accepted;
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::config) << text;
      EXPECT_NE(std::string(error.what()).find("sverdrup.yaml:"), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
  for (const char c : {'[', '{', '-'}) expect_bad_yaml(std::string(100'000, c), {"sverdrup.yaml:1"});
}

TEST(BadSettings, FilesThatCannotBeReadAreErrors) {
  expect_error(Status::not_found, {"absent.yaml"}, [] { load_settings("absent.yaml", {}, {}); });
  expect_error(Status::access, {"directory"}, [] { load_settings(".", {}, {}); });
}

TEST(BadSettings, VariablesNameTheNearest) {
  expect_error(Status::config, {"SV_ROUTE", "'colunm'", "'column'"}, [] {
    load_settings("", {{"SV_ROUTE", "colunm"}}, {});
  });
}

TEST(BadSettings, VariablesThatMayBeSomebodyElsesAreAWarning) {
  const Settings settings = load_settings("", {{"SV_HOME", "/x"}, {"SV_WRITER", "2"}, {"SV_route", "row"}}, {});
  ASSERT_EQ(settings.warnings.size(), 3U);
  EXPECT_NE(settings.warnings[0].find("'SV_HOME'"), std::string::npos) << settings.warnings[0];
  for (const std::string part : {"'SV_WRITER'", "'SV_WRITERS'"})
    EXPECT_NE(settings.warnings[1].find(part), std::string::npos) << settings.warnings[1];
  EXPECT_NE(settings.warnings[2].find("'SV_ROUTE'"), std::string::npos) << settings.warnings[2];
  EXPECT_NE(settings_json(settings).find("'SV_HOME'"), std::string::npos);
  EXPECT_TRUE(settings.from.empty());
}

TEST(BadSettings, VariablesWithAnotherMeaningAreLeftAlone) {
  const Settings settings = load_settings("",
                                          {{"SV_DEVICE_RATE", "1"},
                                           {"SV_INJECT", "x"},
                                           {"SV_TEST_TMP", "y"},
                                           {"SV_TRACE_FILES", "*"},
                                           {"PATH", "z"},
                                           {"SVN_EDITOR", "vi"}},
                                          {});
  EXPECT_TRUE(settings.from.empty());
  EXPECT_TRUE(settings.warnings.empty());
}

TEST(BadSettings, ArgumentsNameTheNearest) {
  expect_error(Status::config, {"argument 'windw=1MiB'", "'window'"}, [] { load_settings("", {}, {"windw=1MiB"}); });
  expect_error(Status::config, {"argument 'fill=maybe'", "'fill'", "'maybe'"},
               [] { load_settings("", {}, {"fill=maybe"}); });
  expect_error(Status::config, {"argument 'table'", "key=value"}, [] { load_settings("", {}, {"table"}); });
  expect_error(Status::config, {"'files=x'", "section"}, [] { load_settings("", {}, {"files=x"}); });
}

TEST(ProcessEnvironment, HoldsItsVariables) {
  ASSERT_EQ(setenv("SV_TEST_VARIABLE", "a=b", 1), 0);
  const Environment variables = environment();
  EXPECT_EQ(variables.at("SV_TEST_VARIABLE"), "a=b");
  for (const auto &variable : variables) EXPECT_TRUE(variable.first.starts_with("SV_")) << variable.first;
}

#ifdef SV_TEST_JSON
TEST(SettingsJson, HoldsEveryKeyWithItsOrigin) {
  const Settings settings = load_settings("", {{"SV_ROUTE", "row"}}, {"window=1MiB", "table=on", "summary=a\"b\\c"});
  const auto json = nlohmann::json::parse(settings_json(settings));
  EXPECT_EQ(json.size(), keys().size());
  for (const Key &key : keys()) EXPECT_TRUE(json.at(key.name).contains("value")) << key.name;
  EXPECT_EQ(json["route"]["value"], "row");
  EXPECT_EQ(json["route"]["from"], "SV_ROUTE");
  EXPECT_EQ(json["window"]["value"], 1 << 20);
  EXPECT_EQ(json["window"]["from"], "argument");
  EXPECT_EQ(json["table"]["value"], true);
  EXPECT_EQ(json["summary"]["value"], "a\"b\\c");
  EXPECT_EQ(json["watchdog"]["value"], 300);
  EXPECT_EQ(json["watchdog"]["from"], "default");
}

TEST(SettingsJson, ShowsWhatPatternsChange) {
  NEEDS_YAML;
  const auto json = nlohmann::json::parse(settings_json(from_yaml("fill: no\nfiles:\n  '\"r*\"': {route: row}\n")));
  EXPECT_EQ(json["fill"]["from"], "sverdrup.yaml:1");
  EXPECT_EQ(json["files"].size(), 1U);
  EXPECT_EQ(json["files"]["\"r*\""],
            nlohmann::json::parse(R"({"route": {"value": "row", "from": "sverdrup.yaml:3"}})"));
}
#endif

}  // namespace
}  // namespace sv
