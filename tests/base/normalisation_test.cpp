#include "base/normalisation.hpp"

#include <gtest/gtest.h>

namespace sv {
namespace {

TEST(Normalisation, LeavesAsItIsWhatHasTheForm) {
  for (const char *text : {"", "temp", "caf\u00e9", "\u6e29\u5ea6", "\u0c95\u0cc7", "\xff\xfe", "a\xcc"})
    EXPECT_EQ(text, normalised(text)) << text;
}

TEST(Normalisation, OnlyLooksAtAsciiAndLatin) {
  EXPECT_FALSE(may_be_denormal("sea_surface_temperature"));
  EXPECT_FALSE(may_be_denormal("\u00e9\u02ff"));
  EXPECT_TRUE(may_be_denormal("e\u0301"));
}

// Unicode Standard Annex 15, figures 3 to 6, and the syllables of Hangul.
TEST(Normalisation, ComposesAfterTheOrderOfClasses) {
  EXPECT_EQ("t\u00e9mp", normalised("te\u0301mp"));
  EXPECT_EQ("\u1e69", normalised("s\u0307\u0323"));
  EXPECT_EQ("\u1e0d\u0307", normalised("d\u0307\u0323"));
  EXPECT_EQ("\u00c5", normalised("\u212b"));
  EXPECT_EQ("\u03a9", normalised("\u2126"));
  EXPECT_EQ("\ud55c\uae00", normalised("\u1112\u1161\u11ab\u1100\u1173\u11af"));
  EXPECT_EQ("\u0915\u093c", normalised("\u0958"));  // excluded from composition
}

TEST(Normalisation, DoesNotComposeAcrossWhatBlocks) {
  EXPECT_EQ("a\u0305\u0301", normalised("a\u0305\u0301"));
  EXPECT_EQ("\u00e1\u0301", normalised("a\u0301\u0301"));
}

}  // namespace
}  // namespace sv
