// A header that is overwritten in place: any remainder reads as the old one or the new one.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "schema_builder.hpp"
#include "status_of.hpp"
#include "store/cdf_store.hpp"
#include "store/header_copy.hpp"
#include "store/header_format.hpp"
#include "store/read_schema.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
using testing::SchemaBuilder;
using Bytes = std::vector<std::byte>;

const std::string changed_path = "changed.nc", copy_path = changed_path + ".header";

Bytes content_of(const std::string &name) {
  Bytes all(fs::file_size(name));
  std::ifstream(name, std::ios::binary)
      .read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(all.size()));
  return all;
}

void give_content(const std::string &name, const Bytes &bytes) {
  std::ofstream(name, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

PlacedSchema with_text(PlacedSchema schema, size_t length) {
  schema.attributes.push_back(text_attribute("comment", std::string(length, 'c')));
  return schema;
}

/// A growing file with three records, of which its header is changed from an old one, of `old_text` bytes more, to one
/// of `new_text`: its bytes before and after, and the copy as it was in between.
class Changed : public ::testing::Test {
 protected:
  void change(Format format, size_t old_text, size_t new_text) {
    for (const char *name : {"changed.nc", "changed.nc.header", "changed.nc.complete"}) fs::remove(name);
    const PlacedSchema plain{
        SchemaBuilder(format).record_dim("t").dim("x", 4).variable("a", Type::int16, {0, 1}).schema(), {}};
    before_ = with_text(plain, old_text);
    place_variables(before_, {.header_reserve = 16 << 10});
    auto store = make_cdf_store(changed_path, Kind::growing);
    store->create(before_, false);
    for (int64_t r = 0; r < 3; ++r) {
      store->write({0, r, Box::whole({4}), 0, 4}, Bytes(8, static_cast<std::byte>(r + 1)));
      store->commit(r + 1);
    }
    before_.records = 3;
    old_ = content_of(changed_path);
    after_ = with_text(plain, new_text);
    ASSERT_TRUE(place_again(after_, before_, {.header_reserve = 16 << 10}));
    after_.records = 3;
    store->redefine(after_);
    store->commit(3);
    EXPECT_FALSE(fs::exists(copy_path));
    store->detach();
    store->abandon();
    new_ = content_of(changed_path);
    make_copy();
  }

  /// What the copy holds: made by changing the header of a file that may not be changed.
  void make_copy() {
    give_content(changed_path, old_);
    PositionalFile file(changed_path, PositionalFile::Mode::read);
    StoreCounters counters;
    const Bytes header(new_.begin(), new_.begin() + after_.places->header_bytes);
    const HeaderChange change{header, before_.places->header_bytes, count_width(after_.format), false, true};
    EXPECT_THROW(change_header(file, changed_path, change, counters), Error);
    ASSERT_TRUE(fs::exists(copy_path));
    EXPECT_EQ(content_of(changed_path), old_);
    copy_ = content_of(copy_path);
  }

  /// Sectors of the new header where the bit of `mask` is set, the others of the old one.
  Bytes mixture(uint64_t mask, size_t unit) const {
    Bytes bytes = old_;
    for (size_t at = 0; at < static_cast<size_t>(after_.places->header_bytes); ++at)
      if ((mask >> (at / unit % 64) & 1) != 0) bytes[at] = new_[at];
    return bytes;
  }

  size_t text_length(const PlacedSchema &schema) const {
    return find_attribute(schema.attributes, "comment")->values.size();
  }

  /// Reading, then opening for writing (`opens`): three records, and the old text or the new one.
  void expect_whole(const Bytes &bytes, bool opens = true) {
    fs::remove(changed_path + ".complete");
    give_content(changed_path, bytes);
    give_content(copy_path, copy_);
    PlacedSchema found = read_schema(changed_path);
    EXPECT_EQ(content_of(changed_path), bytes);
    const size_t text = text_length(found);
    EXPECT_TRUE(text == text_length(before_) || text == text_length(after_)) << text;
    EXPECT_EQ(found.records, 3);
    EXPECT_EQ(found.places->record_begin, before_.places->record_begin);
    if (!opens) return;
    auto store = make_cdf_store(changed_path, Kind::growing);
    store->reopen(found);
    store->detach();
    store->abandon();
    EXPECT_FALSE(fs::exists(copy_path));
    found = read_schema(changed_path);
    EXPECT_EQ(text_length(found), text);
    EXPECT_EQ(found.records, 3);
    EXPECT_TRUE(std::equal(old_.begin() + before_.places->data_begin, old_.end(),
                           content_of(changed_path).begin() + before_.places->data_begin));
  }

  PlacedSchema before_, after_;
  Bytes old_, new_, copy_;
};

TEST_F(Changed, EveryMixtureOfSectorsAndPagesIsMended) {
  for (const Format format : {Format::cdf1, Format::cdf5})
    for (const auto &[from, to] : {std::pair<size_t, size_t>{100, 1500}, {1500, 100}, {1200, 1200 + 300}, {40, 9000}}) {
      change(format, from, to);
      for (uint64_t mask = 0; mask < 32; ++mask) expect_whole(mixture(mask, 512), mask % 8 == 5);
      for (uint64_t mask = 0; mask < 8; ++mask) expect_whole(mixture(mask, 4096), mask % 3 == 1);
    }
}

TEST_F(Changed, AWriteThatEndedAnywhereIsMended) {
  change(Format::cdf2, 700, 1600);
  const auto head = static_cast<size_t>(before_.places->header_bytes),
             all = static_cast<size_t>(after_.places->header_bytes);
  for (size_t end = head; end <= all; ++end) {  // the part behind the old header is written first
    Bytes bytes = old_;
    std::copy(new_.begin() + before_.places->header_bytes, new_.begin() + static_cast<std::ptrdiff_t>(end),
              bytes.begin() + before_.places->header_bytes);
    expect_whole(bytes, end % 64 == 0);
  }
  for (size_t end = 8; end <= head; ++end) {
    Bytes bytes = old_;
    std::copy(new_.begin() + before_.places->header_bytes, new_.begin() + after_.places->header_bytes,
              bytes.begin() + before_.places->header_bytes);
    std::copy_n(new_.begin(), end, bytes.begin());
    expect_whole(bytes, end % 64 == 0);
  }
}

TEST_F(Changed, TheRecordCountIsTheFilesOwn) {
  change(Format::cdf2, 100, 1500);
  for (const uint64_t mask : {1, 2}) {
    Bytes bytes = mixture(mask, 512);
    bytes[7] = std::byte{2};  // of the count: never more than has been committed, nor less
    give_content(changed_path, bytes);
    give_content(copy_path, copy_);
    PlacedSchema found = read_schema(changed_path);
    EXPECT_EQ(found.records, 2);
    auto store = make_cdf_store(changed_path, Kind::growing);
    store->reopen(found);
    store->detach();
    store->abandon();
    EXPECT_EQ(read_schema(changed_path).records, 2);
  }
}

TEST_F(Changed, ACopyThatIsNotWholeOrOfAnotherFileIsNotBelieved) {
  change(Format::cdf2, 100, 1500);
  const Bytes whole = copy_;
  for (size_t length = 0; length < whole.size();
       length += 97) {  // cut off, or not yet on the disk: the old header stands
    give_content(changed_path, old_);
    copy_ = Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    expect_whole(old_);
    copy_.resize(whole.size());
    expect_whole(old_);
  }
  copy_ = whole;
  Bytes other = new_;
  other[static_cast<size_t>(after_.places->header_bytes) / 2] = std::byte{'d'};  // changed later, by somebody else
  give_content(changed_path, other);
  give_content(copy_path, copy_);
  auto store = make_cdf_store(changed_path, Kind::growing);
  store->reopen(read_schema(changed_path));
  store->detach();
  store->abandon();
  EXPECT_EQ(content_of(changed_path), other);
  EXPECT_FALSE(fs::exists(copy_path));
}

TEST_F(Changed, WhoMayOnlyReadReadsTheMendedHeader) {
  change(Format::cdf2, 100, 1500);
  const Bytes torn = mixture(2, 512);
  give_content(changed_path, torn);
  give_content(copy_path, copy_);
  PlacedSchema found = read_schema(changed_path);
  auto store = make_cdf_store(changed_path, Kind::published);
  store->attach(found, false);
  Bytes values(8);
  store->read({0, 2, Box::whole({4}), 0, 4}, values);
  EXPECT_EQ(values, Bytes(8, std::byte{3}));
  store->detach();
  EXPECT_EQ(content_of(changed_path), torn);
  EXPECT_EQ(content_of(copy_path), copy_);
  fs::remove(copy_path);
}

TEST_F(Changed, NoOtherUserIsBelieved) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  change(Format::cdf2, 1200, 1500);
  const Bytes torn = mixture(1, 512);
  give_content(changed_path, torn);
  give_content(copy_path, copy_);
  const uid_t owner = 4321, other = 1234;
  ASSERT_EQ(::chown(changed_path.c_str(), owner, owner), 0);
  PositionalFile file(changed_path, PositionalFile::Mode::update);
  StoreCounters counters;
  const auto mended_with = [&](uid_t user) {
    EXPECT_EQ(::chown(copy_path.c_str(), user, user), 0);
    return mended_header(file, changed_path, counters).size();
  };
  for (const uid_t user : {owner, uid_t{0}}) EXPECT_GT(mended_with(user), 0U) << user;
  EXPECT_EQ(mended_with(other), 0U);
  EXPECT_EQ(testing::status_of([&] { mend_header(file, changed_path, counters); }), Status::access);
  EXPECT_EQ(content_of(changed_path), torn);
  fs::remove(copy_path);
}

TEST(Reserve, IsTakenOnTheDiskWhenItIsPromised) {
  for (const Kind kind : {Kind::published, Kind::growing}) {
    PlacedSchema schema{SchemaBuilder(Format::cdf2).record_dim("t").variable("a", Type::int16, {0}).schema(), {}};
    place_variables(schema, {.header_reserve = 1 << 20});
    auto store = make_cdf_store("reserved.nc", kind);
    store->create(schema, false);
    struct stat status {};
    ASSERT_EQ(::stat("reserved.nc.part", &status), 0);
    EXPECT_GE(512 * status.st_blocks, schema.places->data_begin);
    store->detach();
    store->abandon();
  }
}

}  // namespace
}  // namespace sv
