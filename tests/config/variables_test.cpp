// The section variables: of a configuration: patterns of variables, at the top of the file and under files:.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "base/error.hpp"
#include "config/configuration.hpp"
#include "config/variable_keys.hpp"
#include "config/yaml_source.hpp"

namespace sv {
namespace {

class Variables : public testing::Test {
 protected:
  void SetUp() override {
    try {
      parse_yaml("", "");
    } catch (const Error &error) {
      GTEST_SKIP() << error.what();
    }
  }
  static Settings from(const std::string &text, const Environment &variables = {},
                       const std::vector<std::string> &options = {}) {
    const std::string path = "variables.yaml";
    std::ofstream(path) << text;
    return load_settings(path, variables, options);
  }
  static ChunkRequest asked(const FileSettings &file, const std::string &name) {
    Variable variable;
    variable.name = name;
    return request_of(file.chunks, variable);
  }
  static void expect_error(const std::vector<std::string> &parts, const std::function<void()> &action) {
    try {
      action();
      ADD_FAILURE() << "no error that says " << parts[0];
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::config) << error.what();
      for (const std::string &part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\nlacks: " << part;
    }
  }
};

TEST_F(Variables, OverrideTheKeysOfTheFile) {
  const Settings settings = from(
      "compression: deflate:1\nvariables:\n"
      "  temp: {compression: {codec: deflate:4, quantize: bitround:3}, chunks: [1, 10, 270, 360]}\n"
      "  \"s*\":\n    compression:\n      codec: zstd:3\n      shuffle: false\n");
  const ChunkRequest temp = asked(settings.file, "temp"), salt = asked(settings.file, "salt");
  EXPECT_EQ(temp.deflate, 4);
  EXPECT_EQ(temp.quantization.amount, 3);
  EXPECT_EQ(temp.kind, ChunkKind::given);
  EXPECT_EQ(temp.shape, (Index{1, 10, 270, 360}));
  EXPECT_EQ(salt.zstd, 3);
  EXPECT_EQ(salt.deflate, 0);
  EXPECT_FALSE(salt.shuffle);
  EXPECT_EQ(asked(settings.file, "u").deflate, 1);
}

TEST_F(Variables, OverrideTheProgram) {
  const Settings settings = from("variables: {temp: {compression: deflate:4, endian: native}}");
  Variable variable;
  variable.name = "temp";
  VariableStorage program;
  program.zstd = 7;
  program.fletcher32 = true;
  program.endian = Endian::big;
  variable.storage = std::make_shared<const VariableStorage>(program);
  const ChunkRequest request = request_of(settings.file.chunks, variable);
  EXPECT_EQ(request.deflate, 4);
  EXPECT_EQ(request.zstd, 0);
  EXPECT_TRUE(request.fletcher32);
  EXPECT_EQ(request.endian, Endian::native);
}

TEST_F(Variables, OfAFileComeBeforeThoseOfTheRun) {
  const Settings settings = from(
      "files:\n  \"a*\":\n    variables:\n      temp: {compression: deflate:9}\nvariables:\n  temp: {compression: "
      "deflate:1}\n"
      "  salt: {compression: deflate:2}\n");
  const FileSettings &own = settings.for_file("a.nc"), &other = settings.for_file("b.nc");
  EXPECT_EQ(asked(own, "temp").deflate, 9);
  EXPECT_EQ(asked(own, "salt").deflate, 2);
  EXPECT_EQ(asked(other, "temp").deflate, 1);
}

TEST_F(Variables, OfTheEnvironmentAndArgumentsComeFirst) {
  const std::string yaml = "files: {\"a*\": {variables: {temp: {compression: deflate:1}}}}";
  const Settings settings =
      from(yaml, {{"SV_VARIABLES", "{temp: {compression: deflate:2}, salt: {compression: deflate:3}}"}},
           {"variables={salt: {compression: deflate:4}, \"t*\": {compression: zstd:5}}"});
  const FileSettings &own = settings.for_file("a.nc");
  EXPECT_EQ(asked(own, "temp").zstd, 5);
  EXPECT_EQ(asked(own, "salt").deflate, 4);
  EXPECT_TRUE(settings.warnings.empty());
  EXPECT_EQ(asked(from(yaml, {{"SV_VARIABLES", "{temp: {compression: deflate:2}}"}}).for_file("a.nc"), "temp").deflate,
            2);
}

TEST_F(Variables, AreInTheSummaryWithTheirOrigins) {
  const std::string text = settings_json(from("variables:\n  temp: {compression: deflate:4, chunks: [10, 20]}\n"));
  EXPECT_NE(text.find(R"("variables")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("compression.codec")"), std::string::npos);
  EXPECT_NE(text.find("variables.yaml:2"), std::string::npos) << text;
  EXPECT_NE(text.find("10,20"), std::string::npos) << text;
}

TEST_F(Variables, RefuseWhatTheyDoNotKnow) {
  expect_error({"variables.yaml:2", "unknown key 'shufle'", "temp", "'compression.shuffle'"},
               [] { from("variables:\n  temp: {shufle: yes}\n"); });
  expect_error({"variables.yaml:2", "'compression'", "'deflate:10'", "'deflate:9'"},
               [] { from("variables:\n  temp: {compression: deflate:10}\n"); });
  expect_error({"variables.yaml:3", "second time"},
               [] { from("variables:\n  temp: {compression: {codec: zstd},\n    compression.codec: none}\n"); });
  expect_error({"variables.yaml:1", "'temp' is not a map"}, [] { from("variables: {temp: 4}"); });
  expect_error({"unknown key 'variable'", "'variables'"}, [] { from("variable: {temp: {compression: deflate:4}}"); });
  expect_error({"argument", "unknown key 'route'"}, [] { from("", {}, {"variables={temp: {route: serial}}"}); });
  expect_error({"no variable"}, [] { from("", {}, {"variables={temp: {compression: deflate:1}}\nroute: serial"}); });
  expect_error({"'endian'", "'middle'"}, [] { from("variables: {temp: {endian: middle}}"); });
}

TEST_F(Variables, ReadWhatTheyShow) {
  for (const VariableKey &key : variable_keys()) {
    VariableStorage storage;
    EXPECT_FALSE(key.is_given(storage)) << key.name;
    const std::string value = key.type == "switch"                 ? "true"
                              : key.name == "compression.codec"    ? "blosc_zstd:5"
                              : key.name == "compression.quantize" ? "bitgroom:5"
                              : key.name == "endian"               ? "big"
                                                                   : "5";
    key.set(storage, value);
    EXPECT_TRUE(key.is_given(storage)) << key.name;
    EXPECT_NE(key.json(storage).find(value), std::string::npos) << key.name << ": " << key.json(storage);
  }
}

}  // namespace
}  // namespace sv
