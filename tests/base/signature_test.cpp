#include "base/signature.hpp"

#include <gtest/gtest.h>

namespace sv {
namespace {

// Files keep signatures, so these are the published values of FNV-1a.
TEST(Signature, IsTheOneThatFilesKeep) {
  EXPECT_EQ(0xcbf29ce484222325u, signature_of(""));
  EXPECT_EQ(0xaf63dc4c8601ec8cu, signature_of("a"));
  EXPECT_EQ(0x85944171f73967e8u, signature_of("foobar"));
}

TEST(Signature, TakesBytesWithoutTheirSign) { EXPECT_EQ(0xaf64724c8602eb6eu, signature_of("\xff")); }

}  // namespace
}  // namespace sv
