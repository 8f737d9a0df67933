// Malformed configurations: each is refused as a bad configuration, which names the file, or read; soon, and in memory
// that its size justifies. COUNT (3000) random ones, of run SEED (1). If a signal ends the program, the input is in
// current.yaml.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <random>

#include "base/error.hpp"
#include "config/configuration.hpp"
#include "fuzz/current_case.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/mutations.hpp"

namespace sv {
namespace {

constexpr unsigned most_seconds = 5;  // for one text, before a signal ends the program
constexpr size_t most_bytes_of_nothing = 1 << 20, most_bytes_per_character = 2000;

const std::vector<std::string> seeds = {
    "route: domains\ntransport: {mode: send, window: 8MiB}\nio_layout: [2, 3]\nfiles:\n  \"restart*.nc\": {route: "
    "serial, kind: growing}\n",
    "# a comment\nfile_system:\n  stripe: 1MiB   # another\nwatchdog: 30\nfiles:\n  'a.nc':\n    writers: self\n    "
    "format: \"cdf5\"\n",
    "{async: servers:2, async.memory: 64MiB, summary.table: true}\n",
    "&mpp_io_nml\n  io_layout = 2, 3,\n  header_buffer_val = 16384 ! a comment\n  global_field_on_root_pe = "
    "2*.true.\n/\n",
    "&other a='it''s', b=\"x\" &end\n&mpp_io_nml deflate_level=3 shuffle=1 /\n"};

/// Whether the text was accepted.
bool is_read(const std::string &text) {
  bool accepted = true;
  static svfuzz::CurrentCase current("current.yaml");
  static svfuzz::Bytes bytes;
  bytes.assign(text.begin(), text.end());
  current.set(bytes);
  const size_t before = svfuzz::live_bytes;
  svfuzz::most_bytes = before;
  alarm(most_seconds);
  try {
    static_cast<void>(load_settings(ConfigText{"run.yaml", text}, {}, {}));
  } catch (const Error &error) {
    accepted = false;
    EXPECT_EQ(error.status(), Status::config) << error.what();
    EXPECT_NE(std::string(error.what()).find("run.yaml"), std::string::npos) << error.what();
  }
  alarm(0);
  EXPECT_LE(svfuzz::most_bytes - before, most_bytes_of_nothing + most_bytes_per_character * text.size()) << text;
  return accepted;
}

class Malformed : public testing::Test {
 protected:
  void SetUp() override {
    try {
      load_settings(ConfigText{"run.yaml", "route: serial\n"}, {}, {});
    } catch (const Error &error) {
      if (error.status() == Status::not_compiled) GTEST_SKIP() << "built without yaml-cpp";
      throw;
    }
  }
};

TEST_F(Malformed, PunctuationWhereNoneMayStandIsRefusedSoon) {
  for (const std::string text : {
           ",",
           ",\n",
           ", a: 1\n",
           "]\n",
           "a: ]\n",
           "}: 1\n",
           "- ,\n",
           "route: serial\n, file_system.stripe: 4KiB\n",
           "route: serial\n]",
           "files:\n  , \"*\": 1\n",
           "route: serial\n...\n,",
           "--- ,",
           "!!map ,",
           "&a ,",
           "? ,",
           ": ,",
           "{,",
           "[,",
           "*a",
       })
    EXPECT_FALSE(is_read(text)) << text;
}

TEST_F(Malformed, TheMessageNamesTheLineOfWhatDoesNotBelong) {
  try {
    load_settings(ConfigText{"run.yaml", "# a comment\n\n, file_system.stripe: 4KiB\n"}, {}, {});
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("run.yaml:3: this is not YAML: ','"), std::string::npos) << error.what();
  }
}

TEST_F(Malformed, DeepAndLongTextsAreReadInTime) {
  for (const std::string part :
       {"[", "{", "- ", "? ", "a: {", "- [", ", ", "a,", "&a ", "\"", "'", "!", "%", "*a ", "--- ", "a: "})
    for (const size_t length : {100, 10'000, 100'000}) {
      std::string text;
      while (text.size() < length) text += part;
      is_read(text);
    }
}

/// `times` times.
std::string repeated(size_t times, const std::function<std::string(size_t)> &part) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part(i);
  return text;
}

TEST_F(Malformed, AliasesAndRepeatsStandForNoMoreThanCanBeHeld) {
  const std::string letters(100'000, 'A');
  const auto key = [](const std::string &head, size_t i) { return head + std::to_string(i); };
  const auto keys = repeated(5000, [&](size_t i) { return key("k", i) + ": 1, "; });
  for (const std::string &text :
       {"summary: [&v \"" + letters + "\"" + repeated(20'000, [](size_t) { return ", *v"; }) + "]\n",
        "files: {a: &a {" + keys + "}" + repeated(5000, [&](size_t i) { return ", " + key("p", i) + ": *a"; }) + "}\n",
        "files: {a: {k: &v \"" + letters + "\"}" +
            repeated(5000, [&](size_t i) { return ", " + key("p", i) + ": {k: *v}"; }) + "}\n",
        "&a k=" + repeated(20'000, [](size_t) { return "1000*,"; }) + "/\n",
        "&a k=" + repeated(200, [&](size_t) { return "1000*" + std::string(1000, 'x') + ","; }) + "/\n"})
    EXPECT_FALSE(is_read(text)) << text.substr(0, 20);
}

TEST_F(Malformed, RandomMutations) {
  const uint64_t run = svfuzz::from_environment("SEED", 1);
  std::mt19937_64 random(run);
  const auto below = [&random](size_t limit) { return limit == 0 ? size_t{0} : static_cast<size_t>(random() % limit); };
  const std::string special = ",:[]{}&*!|>'\"%@`#-?/=\n\t \\~.$\x80\xff";
  const uint64_t count = svfuzz::from_environment("COUNT", 3000);
  int accepted = 0, refused = 0;
  for (uint64_t n = 0; n < count && !HasFailure(); ++n) {
    std::string text = seeds[below(seeds.size())];
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
      const size_t at = below(text.size());
      switch (below(5)) {
        case 0:
          text.insert(at, 1, special[below(special.size())]);
          break;
        case 1:
          text.erase(at, 1 + below(4));
          break;
        case 2:
          text.resize(at);
          break;
        case 3:
          text.insert(at, text.substr(below(text.size() + 1), below(30)));
          break;
        default:
          if (!text.empty()) text[at] = special[below(special.size())];
      }
    }
    (is_read(text) ? accepted : refused)++;
  }
  std::printf("SEED=%llu: %d accepted, %d refused\n", static_cast<unsigned long long>(run), accepted, refused);
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace sv
