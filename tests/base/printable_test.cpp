// Names in files cannot reach the terminal as commands.
#include "base/printable.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace sv {
namespace {

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable_message("plain, \u00e9t\u00e9, a\tb\n"), "plain, \u00e9t\u00e9, a\tb\n");
  EXPECT_EQ(printable("a\tb\n"), "a\\x09b\\x0a");
  EXPECT_EQ(printable("a\x1b]0;title\x07"), "a\\x1b]0;title\\x07");
  EXPECT_EQ(printable("\r\x7f" + std::string(1, '\0')), "\\x0d\\x7f\\x00");
  const std::string csi = "\xc2\x9b", no_break = "\xc2\xa0";
  EXPECT_EQ(printable(csi + "31m and " + no_break), "\\xc2\\x9b31m and " + no_break);
  EXPECT_EQ(printable("\xc2"), "\\xc2");
}

TEST(Printable, ErrorsAre) {
  const Error error = Error(Status::format, "the variable 'a\x1b[31m' is damaged", "Remove '\x07'").in_file("b\x1b.nc");
  EXPECT_STREQ(error.what(), "file 'b\\x1b.nc': the variable 'a\\x1b[31m' is damaged. Remove '\\x07'");
}

}  // namespace
}  // namespace sv
