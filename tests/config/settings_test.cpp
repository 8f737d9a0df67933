#include "config/configuration.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <set>

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
  EXPECT_EQ(settings.watchdog_seconds, 1200);
  EXPECT_TRUE(settings.from.empty());
  EXPECT_TRUE(settings.file.from.empty());
}

TEST(Settings, EveryKeyReadsItsOwnDefault) {
  const Settings defaults;
  for (const Key &key : keys()) {
    for (const std::string &name : key.names()) {
      const std::string variable = variable_of(name);
      const Settings settings = load_settings("", {{variable, key.text(defaults, defaults.file)}}, {});
      EXPECT_EQ(key.text(settings, settings.file), key.text(defaults, defaults.file)) << name;
      EXPECT_EQ((key.per_file ? settings.file.from : settings.from).at(key.name), variable);
    }
  }
}

TEST(Settings, ReadYaml) {
  NEEDS_YAML;
  const Settings settings = from_yaml(
      "# the ocean\nroute: domains\nio_layout: [4, 2]\nwriters: 2 per node\nformat: cdf5\nkind: growing\n"
      "durability: on_disk\nfile_system:\n  stripe: 4MiB\nheader_reserve: 16KiB\nfill: no\n"
      "transport: {mode: send, window: 32MiB}\nwatchdog: 1min\ntesting: {ranks_per_node: 4}\n"
      "summary: {file: out/summary.json, table: true}\n");
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
  EXPECT_EQ(settings.file.from.at("file_system.stripe"), "sverdrup.yaml:9");
}

TEST(Settings, StreamsAreLeftToTheirLibrary) {
  NEEDS_YAML;
  const Settings settings = from_yaml("streams:\n  daily: {file: a_%Y.nc, route: 7}\nwriters: 2\n");
  EXPECT_EQ(settings_json(settings), settings_json(from_yaml("\n\nwriters: 2\n")));
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
      "file_system: {stripe: 1MiB}\n");
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

TEST(DefaultsOfTheProgram, StandBeneathAllOthers) {
  NEEDS_YAML;
  const auto settings = [](const Environment &variables, const std::vector<std::string> &options) {
    return load_settings("", variables, options);
  };
  const std::vector<std::string> defaults = {"route=row", "file_system.stripe?=2MiB", "route?=column", "fill?=no"};
  const Settings alone = settings({}, defaults);
  EXPECT_EQ(alone.file.route.name, "row");
  EXPECT_EQ(alone.file.stripe_bytes, 2 << 20);
  EXPECT_EQ(alone.file.from.at("file_system.stripe"), "default of the program");
  EXPECT_FALSE(alone.file.fill);
  std::ofstream("beneath.yaml") << "file_system: {stripe: 1MiB}\nfiles: {'r*.nc': {route: serial}}\n";
  const Settings site = settings({{"SV_SITE_CONFIG", "beneath.yaml"}, {"SV_FILL", "yes"}}, defaults);
  EXPECT_EQ(site.file.from.at("file_system.stripe"), "site beneath.yaml:1");
  EXPECT_EQ(site.file.from.at("fill"), "SV_FILL");
  EXPECT_EQ(settings({{"SV_SITE_CONFIG", "beneath.yaml"}}, {"route?=column"}).for_file("r.nc").route.name, "serial");
  expect_error(Status::config, {"'rout?=row'", "'rout'", "'route'"}, [&] { settings({}, {"rout?=row"}); });
  expect_error(Status::config, {"'?=row'"}, [&] { settings({}, {"?=row"}); });
}

TEST(SiteSettings, StandBeneathAllOthers) {
  NEEDS_YAML;
  std::ofstream("site.yaml")
      << "route: row\nfile_system.stripe: 1MiB\nfill: no\nvariables: {t: {compression: deflate:1}}\n"
         "files:\n  'r*.nc': {route: column, format: cdf5}\n  '*.nc': {format: cdf1}\n";
  const Environment variables = {{"SV_SITE_CONFIG", "site.yaml"}, {"SV_FILL", "yes"}};
  const Settings alone = load_settings("", variables, {});
  EXPECT_EQ(alone.file.from.at("route"), "site site.yaml:1");
  EXPECT_TRUE(alone.file.fill);
  EXPECT_TRUE(alone.warnings.empty());
  EXPECT_EQ(alone.for_file("r.nc").route.name, "column");
  const Settings both =
      from_yaml("route: serial\nvariables: {t: {compression: zstd:1}}\nfiles:\n  'r1*': {format: cdf2}\n", variables);
  EXPECT_EQ(both.file.from.at("route"), "sverdrup.yaml:1");
  EXPECT_EQ(both.file.from.at("file_system.stripe"), "site site.yaml:2");
  EXPECT_EQ(both.for_file("r1.nc").format, Format::cdf2);  // the run's pattern, over the site's defaults
  EXPECT_EQ(both.for_file("r1.nc").stripe_bytes, 1 << 20);
  EXPECT_EQ(both.for_file("r2.nc").format, Format::cdf5);
  EXPECT_EQ(both.for_file("r2.nc").route.name,
            "serial");  // the run's keys for all files hold for the site's patterns
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

TEST(Groups, AreMapsOrTheValueOfTheirMainKey) {
  NEEDS_YAML;
  for (const std::string text :
       {"async: servers:2\nchunks: [1, 20]\n", "async: {mode: servers:2}\nchunks:\n  shape: 1,20\n",
        "async.mode: servers:2\nchunks: {shape: [1, 20]}\n"}) {
    const Settings settings = from_yaml(text);
    EXPECT_EQ(async_mode_text(settings.servers), "servers:2") << text;
    EXPECT_EQ(settings.file.chunks.shape, (Index{1, 20})) << text;
    EXPECT_EQ(settings.from.at("async.mode"), "sverdrup.yaml:1") << text;
  }
  const Settings both = from_yaml("async: {mode: threads, memory: 8MiB}\nfiles: {'a*': {async: {group: none}}}\n",
                                  {{"SV_ASYNC_MEMORY", "4MiB"}}, {"async=auto"});
  EXPECT_EQ(async_mode_text(both.servers), "auto");
  EXPECT_EQ(both.server_memory_bytes, 4 << 20);
  EXPECT_EQ(both.for_file("a.nc").server_group.group, GroupRequest::none);
}

TEST(Groups, AreRefusedWhereTheySayTwoThings) {
  NEEDS_YAML;
  expect_bad_yaml("async: threads\nasync.mode: auto\n", {"sverdrup.yaml:2", "'async.mode' is given a second time"});
  expect_bad_yaml("chunks: {shape: auto}\nchunks.shape: auto\n", {"sverdrup.yaml:2", "second time"});
  expect_bad_yaml("files:\n  'a*':\n    combine: step\n    combine.mode: off\n", {"sverdrup.yaml:4", "second time"});
  expect_bad_yaml("async: {mode: {a: b}}\n", {"sverdrup.yaml:1", "'async.mode'", "no single value"});
  expect_bad_yaml("testing: 3\n", {"sverdrup.yaml:1", "unknown key 'testing'"});
  expect_error(Status::config, {"'SV_ASYNC'", "second time"}, [] {
    load_settings("", {{"SV_ASYNC", "auto"}, {"SV_ASYNC_MODE", "threads"}}, {});
  });
  const Settings last = load_settings("", {}, {"async=threads", "async.mode=auto"});
  EXPECT_EQ(async_mode_text(last.servers), "auto");
}

TEST(Groups, TheirKeysAreSuggestedByTheirLastName) {
  NEEDS_YAML;
  expect_bad_yaml("shuffle: no\n", {"unknown key 'shuffle'", "'compression.shuffle'"});
  expect_bad_yaml("async: {memroy: 1GiB}\n", {"unknown key 'async.memroy'", "'async.memory'"});
  const Settings settings = load_settings("", {{"SV_RANKS_PER_NODE", "2"}}, {});
  ASSERT_EQ(settings.warnings.size(), 1U);
  EXPECT_NE(settings.warnings[0].find("'SV_TESTING_RANKS_PER_NODE'"), std::string::npos) << settings.warnings[0];
}

TEST(Keys, HaveNamesOfTheirOwn) {
  std::set<std::string> variables;
  for (const Key &key : keys())
    for (const std::string &name : key.names()) {
      EXPECT_EQ(find_key(name), &key) << name;
      EXPECT_TRUE(variables.insert(variable_of(name)).second) << name;
    }
}

TEST(BadSettings, UnknownKeysNameTheLineAndTheNearest) {
  NEEDS_YAML;
  expect_bad_yaml("route: row\nio_layot: 4,2\n", {"sverdrup.yaml:2", "'io_layot'", "'io_layout'"});
  expect_bad_yaml("file: {}\n", {"sverdrup.yaml:1", "'file'", "'files'"});
  expect_bad_yaml("files:\n  '*':\n    fil: no\n", {"sverdrup.yaml:3", "'fil'", "'fill'"});
  expect_bad_yaml("files:\n  '*': {transport: {window: 1MiB}}\n",
                  {"sverdrup.yaml:2", "'transport.window'", "whole run"});
}

TEST(BadSettings, BadValuesNameTheLineAndTheNearest) {
  NEEDS_YAML;
  expect_bad_yaml("\nroute: seriall\n", {"sverdrup.yaml:2", "'route'", "'seriall'", "'serial'"});
  expect_bad_yaml("transport:\n  window: 1KiB\n", {"sverdrup.yaml:2", "'transport.window'", "'1KiB'", "'64KiB'"});
  expect_bad_yaml("fill:\n", {"sverdrup.yaml:1", "'fill'", "true or false"});
  expect_bad_yaml("files:\n  '*.nc':\n    kind: grow\n", {"sverdrup.yaml:3", "'kind'", "'grow'", "'growing'"});
  expect_bad_yaml("route: {name: row}\n", {"sverdrup.yaml:1", "unknown key 'route.name'", "'route'"});
  expect_bad_yaml("io_layout: [[4], 2]\n", {"sverdrup.yaml:1", "'io_layout'", "no single value"});
  expect_bad_yaml("transport.window: 0\n", {"sverdrup.yaml:1", "'transport.window'", "'64KiB'"});
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
  const std::string valid =
      "route: row\nio_layout: [1, 2]\nasync: {memory: 1MiB}\nfiles:\n  'a*': {fill: no, stripe: 4KiB}\n";
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
  expect_error(Status::config, {"argument 'windw=1MiB'", "'transport.window'"},
               [] { load_settings("", {}, {"windw=1MiB"}); });
  expect_error(Status::config, {"argument 'fill=maybe'", "'fill'", "'maybe'"},
               [] { load_settings("", {}, {"fill=maybe"}); });
  expect_error(Status::config, {"argument 'fill'", "key=value"}, [] { load_settings("", {}, {"fill"}); });
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
  const Settings settings =
      load_settings("", {{"SV_ROUTE", "row"}}, {"transport.window=1MiB", "summary.table=on", "summary=a\"b\\c"});
  const auto json = nlohmann::json::parse(settings_json(settings));
  EXPECT_EQ(json.size(), keys().size());
  for (const Key &key : keys()) EXPECT_TRUE(json.at(key.name).contains("value")) << key.name;
  EXPECT_EQ(json["route"]["value"], "row");
  EXPECT_EQ(json["route"]["from"], "SV_ROUTE");
  EXPECT_EQ(json["transport.window"]["value"], 1 << 20);
  EXPECT_EQ(json["transport.window"]["from"], "argument");
  EXPECT_EQ(json["summary.table"]["value"], true);
  EXPECT_EQ(json["summary.file"]["value"], "a\"b\\c");
  EXPECT_EQ(json["watchdog.time"]["value"], 1200);
  EXPECT_EQ(json["watchdog.time"]["from"], "default");
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
