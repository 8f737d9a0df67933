// The stub of a build without yaml-cpp, compiled here under another name, together with the parser that it replaces.
#include <gtest/gtest.h>

#include "base/error.hpp"
#undef SV_HAVE_YAML
#define parse_yaml parse_yaml_absent
#include "config/yaml_absent.cpp"
#undef parse_yaml

namespace sv {
namespace {

TEST(WithoutYaml, AFileIsNotCompiled) {
  try {
    parse_yaml_absent("route: row\n", "sverdrup.yaml");
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::not_compiled);
    EXPECT_NE(std::string(error.what()).find("sverdrup.yaml"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("yaml-cpp"), std::string::npos);
  }
}

}  // namespace
}  // namespace sv
