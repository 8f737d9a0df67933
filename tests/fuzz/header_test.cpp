// Malformed headers, by the hundred thousand: each is refused with a reason, or read; in memory that its size
// justifies. FUZZ_SECONDS (2) of random ones, of run SEED (1). The file that a signal ended the program with is
// current.nc.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "fuzz/current_case.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/mutations.hpp"
#include "store/cdf_store.hpp"
#include "store/read_schema.hpp"

namespace sv {
namespace {

using svfuzz::Bytes;

constexpr unsigned most_seconds = 10;  // for one case, before a signal ends it
constexpr int64_t most_read_bytes = 16 << 10;
constexpr int64_t most_sieve_bytes = 5 << 20;

std::string text_of(const PlacedSchema &schema) {
  std::ostringstream text;
  const auto add = [&text](const std::vector<Attribute> &attributes) {
    for (const Attribute &a : attributes)
      text << a.name << ':' << static_cast<int>(a.type) << ':' << a.count << ':'
           << std::string_view(reinterpret_cast<const char *>(a.values.data()), a.values.size()) << ',';
  };
  for (const Dimension &d : schema.dims) text << d.name << '=' << d.length << ';';
  add(schema.attributes);
  for (int i = 0; i < std::ssize(schema.variables); ++i) {
    const Variable &v = schema.variables[static_cast<size_t>(i)];
    text << '\n' << v.name << '(' << static_cast<int>(v.type);
    for (const int d : v.dims) text << ',' << d;
    text << ")@" << schema.place(i).begin << '+' << schema.place(i).slab_bytes << ' ';
    add(v.attributes);
  }
  text << schema.places->header_bytes << ',' << schema.places->record_begin << ',' << schema.places->record_bytes;
  return text.str();
}

class Trial {
 public:
  int accepted = 0, refused = 0;

  /// Returns whether the header was accepted.
  bool run(const Bytes &bytes) {
    file_.set(bytes);
    alarm(most_seconds);
    const bool was_accepted = decodes(bytes);
    alarm(0);
    (was_accepted ? accepted : refused)++;
    return was_accepted;
  }

 private:
  static bool is_refusal(const Error &error) {
    const Status status = error.status();
    const bool clear = status == Status::format || status == Status::limit || status == Status::not_found;
    EXPECT_TRUE(clear && std::strlen(error.what()) > 20) << static_cast<int>(status) << ": " << error.what();
    return clear;
  }
  bool decodes(const Bytes &bytes) {
    const auto *const first = reinterpret_cast<const std::byte *>(bytes.data());
    const auto size = static_cast<int64_t>(bytes.size());
    const size_t before = svfuzz::live_bytes;
    svfuzz::most_bytes = before;
    try {
      static_cast<void>(decode_header(first, size, -1));
    } catch (const NeedMore &more) {
      EXPECT_GT(more.at_least, size);
    } catch (const Error &error) {
      is_refusal(error);
    }
    const std::optional<int64_t> end = end_of_header(first, size);
    try {
      const PlacedSchema schema = decode_header(first, size, size);
      EXPECT_EQ(end, schema.places->header_bytes);
      EXPECT_LE(svfuzz::most_bytes - before, 4096 + 16 * bytes.size()) << "memory";
      check_encoding(schema);
      read_values(schema);
      return true;
    } catch (const Error &error) {
      EXPECT_LE(svfuzz::most_bytes - before, 4096 + 16 * bytes.size() + most_sieve_bytes) << "memory";
      is_refusal(error);
      return false;
    }
  }
  /// Nothing where it cannot be found.
  static std::optional<int64_t> end_of_header(const std::byte *first, int64_t size) {
    try {
      return header_end(first, size, size);
    } catch (const Error &error) {
      is_refusal(error);
      return std::nullopt;
    }
  }
  static void check_encoding(const PlacedSchema &schema) {
    const std::vector<std::byte> again = encode_header(schema);
    EXPECT_EQ(static_cast<int64_t>(again.size()), schema.places->header_bytes);
    EXPECT_EQ(text_of(decode_header(again.data(), static_cast<int64_t>(again.size()), -1)), text_of(schema));
  }
  void read_values(const PlacedSchema &in_memory) {
    const PlacedSchema schema = read_schema(file_.path());
    EXPECT_EQ(text_of(schema), text_of(in_memory));
    const auto store = make_cdf_store(file_.path(), Kind::published);
    store->attach(schema, false);
    for (int v = 0; v < static_cast<int>(schema.variables.size()); ++v) {
      const Variable &variable = schema.variables[static_cast<size_t>(v)];
      const int64_t elements = schema.slab_elements(variable);
      const int64_t some = std::min(elements, most_read_bytes / size_of(variable.type));
      for (const int64_t record : {int64_t{0}, std::max<int64_t>(schema.records - 1, 0)})
        for (const int64_t from : {int64_t{0}, elements - some}) {
          std::vector<std::byte> values(static_cast<size_t>(some * size_of(variable.type)));
          try {
            store->read(
                {v, variable.has_records ? record : 0, Box::whole(schema.slab_shape(variable)), from, from + some},
                values);
          } catch (const Error &error) {
            is_refusal(error);
          }
        }
    }
    store->detach();
  }

  svfuzz::CurrentCase file_;
};

TEST(Fuzz, SeedsAreReadWhole) {
  Trial trial;
  for (const svfuzz::Seed &seed : svfuzz::read_corpus(SV_CORPUS)) EXPECT_TRUE(trial.run(seed.bytes)) << seed.name;
  EXPECT_GE(trial.accepted, 15);
}

TEST(Fuzz, EveryTruncationAndEveryFieldWithBadValues) {
  Trial trial;
  for (const svfuzz::Seed &seed : svfuzz::read_corpus(SV_CORPUS)) {
    svfuzz::Systematic mutations(seed);
    Bytes bytes;
    while (mutations.next(bytes)) {
      const bool accepted = trial.run(bytes);
      if (bytes.size() < seed.header) {
        EXPECT_FALSE(accepted) << seed.name << " cut to " << bytes.size();
      }
      if (HasFailure()) {
        svfuzz::CurrentCase::keep();
        FAIL() << "the file is current.nc, made of " << seed.name;
      }
    }
  }
  std::printf("%d accepted, %d refused\n", trial.accepted, trial.refused);
  EXPECT_GT(trial.accepted, 1000);
  EXPECT_GT(trial.refused, 10000);
}

TEST(Fuzz, RandomMutations) {
  const std::vector<svfuzz::Seed> seeds = svfuzz::read_corpus(SV_CORPUS);
  const uint64_t run = svfuzz::from_environment("SEED", 1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(svfuzz::from_environment("FUZZ_SECONDS", 2));
  Trial trial;
  uint64_t n = 0;
  for (; std::chrono::steady_clock::now() < end; ++n) {
    const svfuzz::Mutation mutation(seeds, run, n);
    trial.run(mutation.bytes());
    if (!HasFailure()) continue;
    svfuzz::CurrentCase::keep();
    FAIL() << "mutation " << n << " of SEED=" << run << "; the file is current.nc";
  }
  std::printf("SEED=%llu: %d accepted, %d refused\n", static_cast<unsigned long long>(run), trial.accepted,
              trial.refused);
  EXPECT_GT(trial.accepted, 0);
  EXPECT_GT(trial.refused, 0);
}

}  // namespace
}  // namespace sv
