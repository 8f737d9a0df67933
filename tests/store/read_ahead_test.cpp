// The key reading.ahead: which bytes the CDF store asks the system to read while the program computes. posix_fadvise is
// this file's.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "schema_builder.hpp"
#include "store/cdf_store.hpp"

namespace {
std::vector<std::pair<int64_t, int64_t>> asked;  // offset and bytes of POSIX_FADV_WILLNEED; touching ones joined
int64_t largest = 0;                             // bytes of one request
}  // namespace

extern "C" int posix_fadvise(int, off_t offset, off_t length, int advice) {
  if (advice != POSIX_FADV_WILLNEED) return 0;
  const bool touches = !asked.empty() && asked.back().first + asked.back().second == offset;
  touches ? void(asked.back().second += length) : void(asked.emplace_back(offset, length));
  largest = std::max<int64_t>(largest, length);
  return 0;
}

namespace sv {
namespace {

using testing::SchemaBuilder;
using Requests = std::vector<std::pair<int64_t, int64_t>>;

// v[time][100][1000] of doubles, and w[100][1000] without records; three records.
class ReadAhead : public ::testing::Test {
 protected:
  void SetUp() override {
    schema_ = SchemaBuilder(Format::cdf5)
                  .record_dim("time")
                  .dim("y", 100)
                  .dim("x", 1000)
                  .variable("v", Type::float64, {0, 1, 2})
                  .variable("w", Type::float64, {1, 2})
                  .placed();
    const auto writer = make_cdf_store("ahead.nc", Kind::published);
    writer->create(schema_, false);
    const Box whole{{0, 0}, {100, 1000}};
    const std::vector<std::byte> values(100 * 1000 * 8);
    writer->write({1, 0, whole, 0, whole.elements()}, values);
    for (int64_t record = 0; record < 3; ++record) writer->write({0, record, whole, 0, whole.elements()}, values);
    writer->commit(3);
    writer->finish();
    schema_.records = 3;
    asked.clear();
  }
  Requests after_reading(int variable, int64_t record, const Box &box, bool on = true) {
    const auto reader = make_cdf_store("ahead.nc", Kind::published, {.read_ahead = on});
    reader->attach(schema_, false);
    std::vector<std::byte> values(static_cast<size_t>(box.elements() * 8));
    reader->read({variable, record, box, 0, box.elements()}, values);
    reader->detach();
    return std::exchange(asked, {});
  }
  int64_t begin(int64_t record) const { return schema_.place(0).begin + record * schema_.places->record_bytes; }

  PlacedSchema schema_;
};

TEST_F(ReadAhead, AsksForTheSameCellsOfTheNextRecord) {
  EXPECT_EQ(after_reading(0, 0, {{0, 0}, {100, 1000}}), (Requests{{begin(1), 800000}}));
  EXPECT_LE(largest, 128 << 10);  // of which Linux fetches all
  EXPECT_EQ(after_reading(0, 1, {{10, 0}, {2, 1000}}), (Requests{{begin(2) + 10 * 8000, 16000}}));
}
TEST_F(ReadAhead, JoinsRowsThatAreNearEachOther) {
  EXPECT_EQ(after_reading(0, 0, {{0, 100}, {3, 200}}), (Requests{{begin(1) + 800, 2 * 8000 + 1600}}));
}
TEST_F(ReadAhead, AsksForNothingPastTheLastRecordWithoutRecordsOrWithoutTheKey) {
  EXPECT_EQ(after_reading(0, 2, {{0, 0}, {100, 1000}}), Requests{});
  EXPECT_EQ(after_reading(1, 0, {{0, 0}, {100, 1000}}), Requests{});
  EXPECT_EQ(after_reading(0, 0, {{0, 0}, {100, 1000}}, false), Requests{});
}

}  // namespace
}  // namespace sv
