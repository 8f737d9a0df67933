// The statements of pieces about their set: those of other programs, damaged or made to do harm, are refused, in little
// time and memory.
#include "store/division.hpp"
#include "store/variable_files.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "store/schema_builder.hpp"
#include "store/set_run.hpp"
#include "store/status_of.hpp"

namespace sv::testing {
namespace {

/// Of a set of two pieces along `i`, which has no axis of its own. `first`: the marking variable stands first.
Schema piece(bool first) {
  SchemaBuilder builder(Format::cdf2);
  builder.dim("i", 4).numbers<int32_t>("NumFilesInSet", Type::int32, {2});
  if (!first) builder.variable("p", Type::float32, {0});
  builder.variable("i", Type::int32, {0});
  builder.numbers<int32_t>("sverdrup_axis", Type::int32, {1});
  builder.numbers<int32_t>("domain_decomposition", Type::int32, {1, 8, 5, 8});
  if (first) builder.variable("p", Type::float32, {0});
  return builder.schema();
}

TEST(Sets, APieceInAnotherOrderIsRefused) {
  const PieceView view = view_of_piece(piece(false));
  EXPECT_EQ(view.whole.variables.size(), 1U);
  EXPECT_EQ(view.box.start[0], 4);
  EXPECT_EQ(status_of([] { view_of_piece(piece(true)); }), Status::format);
}

TEST(Sets, AnAxisOfTheModelIsNotTakenForAMark) {
  Schema whole = SchemaBuilder(Format::cdf2).dim("i", 8).variable("i", Type::float64, {0}).schema();
  whole.variables[0].attributes.push_back(piece(false).variables[1].attributes[0]);
  const Division division{{0}, {{0, Box::whole({8})}}};
  EXPECT_TRUE(added_axes(piece_schema(whole, division, 0, {})).empty());
}

TEST(Sets, AVariableIsNamedOnce) {
  const auto with = [](const std::string &names) {
    return SchemaBuilder(Format::cdf2).text("sverdrup_files", names).text("sverdrup_variables", "v").schema();
  };
  EXPECT_EQ(files_of_set(with("a/b")), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(status_of([&] { files_of_set(with("a/b/a")); }), Status::format);
}

TEST(Sets, AChainThatManyVariablesNeedIsRefused) {
  constexpr int n = 3000;
  SchemaBuilder builder(Format::cdf2);
  for (int i = 0; i < n; ++i) {
    builder.variable("c" + std::to_string(i), Type::int32, {});
    builder.text("coordinates", "c" + std::to_string(i + 1));
  }
  for (int i = 0; i < n; ++i) {
    builder.variable("v" + std::to_string(i), Type::int32, {});
    builder.text("coordinates", "c0");
  }
  EXPECT_EQ(status_of([&] { variable_files(builder.schema()); }), Status::limit);
}

TEST(Sets, ARunHasANumber) {
  Schema schema;
  set_run(schema, INT32_MAX);
  EXPECT_EQ(run_of(schema), INT32_MAX);
  EXPECT_EQ(status_of([&] { set_run(schema, int64_t{INT32_MAX} + 1); }), Status::limit);
}

}  // namespace
}  // namespace sv::testing
