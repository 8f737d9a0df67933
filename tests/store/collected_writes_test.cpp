// Collected data are in the file as if each write had been made, in fewer calls.
#include "store/collected_writes.hpp"

#include <gtest/gtest.h>

#include "schema_builder.hpp"
#include "status_of.hpp"
#include "store/cdf_store.hpp"

namespace sv {
namespace {

using testing::SchemaBuilder;
using testing::status_of;
using Bytes = std::vector<std::byte>;

constexpr size_t large = 64 << 10;  // at most taken at once
constexpr int64_t room = 1 << 20;

class Collecting : public ::testing::Test {
 protected:
  void SetUp() override {
    remove_file("collected.bin");
    file_ = PositionalFile("collected.bin", PositionalFile::Mode::make);
  }
  bool take(int64_t offset, size_t size, int variable = 0) {
    const Bytes values(size, static_cast<std::byte>(++takes_));
    if (!collected_.take(offset, values, variable)) return false;
    if (wanted_.size() < static_cast<size_t>(offset) + size) wanted_.resize(static_cast<size_t>(offset) + size);
    std::ranges::copy(values, wanted_.begin() + offset);
    return true;
  }
  /// Writes the collected data; expects so many calls, and finds the data.
  void expect_writes(int64_t writes) {
    const int64_t before = counters_.writes;
    collected_.write(file_, counters_);
    EXPECT_TRUE(collected_.is_empty());
    EXPECT_EQ(counters_.writes - before, writes);
    Bytes found(wanted_.size() + 1);
    EXPECT_EQ(file_.read(0, found, counters_), std::ssize(wanted_));
    found.pop_back();
    EXPECT_EQ(found, wanted_);
  }

  CollectedWrites collected_;
  PositionalFile file_;
  StoreCounters counters_;
  Bytes wanted_;
  int takes_ = 0;
};

TEST_F(Collecting, WhatTouchesIsOneWrite) {
  for (int64_t at = 0; at < 10; ++at) EXPECT_TRUE(take(at * 100, 100));
  expect_writes(1);
  EXPECT_TRUE(take(1000, 7));
  expect_writes(1);
}

TEST_F(Collecting, TheOrderInWhichItComesDoesNotMatter) {
  for (const int64_t at : {4, 2, 0, 7, 3, 1}) EXPECT_TRUE(take(at * 5000, 5000));
  expect_writes(2);
}

TEST_F(Collecting, NothingIsReplaced) {
  EXPECT_TRUE(take(100, 100));
  EXPECT_TRUE(take(300, 100));
  for (const auto &[offset, size] :
       {std::pair<int64_t, size_t>{100, 100}, {50, 51}, {199, 1}, {199, 101}, {250, 51}, {0, 1000}})
    EXPECT_FALSE(take(offset, size)) << offset;
  EXPECT_TRUE(take(200, 100));
  EXPECT_TRUE(take(0, 100));
  expect_writes(1);
  EXPECT_TRUE(take(150, 100));
  expect_writes(1);
}

TEST_F(Collecting, ItsRoomIsBounded) {
  EXPECT_FALSE(take(0, large + 1));
  int64_t at = 0;
  while (take(at, large)) at += large;
  EXPECT_EQ(at, room);
  EXPECT_TRUE(take(at, 0));
  expect_writes(1);
  int64_t runs = 0;
  while (take(2 * runs, 1)) ++runs;
  EXPECT_EQ(runs, 1024);
  collected_.clear();
  EXPECT_TRUE(collected_.is_empty());
  collected_.keep_many();
  for (at = 0; take(at, large);) at += large;
  EXPECT_EQ(at, 8 * room);
  expect_writes(1);
}

TEST_F(Collecting, ItTellsWhichVariablesCouldNotBeWritten) {
  file_.close();
  file_ = PositionalFile("collected.bin", PositionalFile::Mode::read);
  for (int variable = 2; variable < 5; ++variable) EXPECT_TRUE(take(variable * 10, 10, variable));
  EXPECT_EQ(status_of([&] { collected_.write(file_, counters_); }), Status::io);
  EXPECT_TRUE(collected_.is_empty());
  EXPECT_EQ(collected_.first_variable(), 2);
  EXPECT_EQ(collected_.last_variable(), 4);
}

/// A file of ten variables v0 .. v9 of five doubles, and r0 of records of five.
class Store10 : public ::testing::Test {
 protected:
  void SetUp() override {
    SchemaBuilder builder(Format::cdf2);
    builder.record_dim("t").dim("x", 5);
    for (int v = 0; v < 10; ++v) builder.variable("v" + std::to_string(v), Type::float64, {1});
    schema_ = builder.variable("r0", Type::float64, {0, 1}).placed();
    store_ = make_cdf_store("collected.nc", Kind::published);
    store_->create(schema_, false);
    store_->collect();
    before_ = store_->counters().writes;
  }
  void TearDown() override { store_->abandon(); }
  Slab all_of(int variable) const { return {variable, 0, {{0}, {5}}, 0, 5}; }
  void put(int variable, int value) { store_->write(all_of(variable), Bytes(40, static_cast<std::byte>(value))); }
  int got(int variable) {
    Bytes values(40);
    store_->read(all_of(variable), values);
    return static_cast<int>(values.front());
  }
  int64_t writes() const { return store_->counters().writes - before_; }

  PlacedSchema schema_;
  std::unique_ptr<Store> store_;
  int64_t before_ = 0;
};

TEST_F(Store10, ACommitWritesWhatWasCollectedBeforeItCounts) {
  for (int v = 0; v < 11; ++v) put(v, v + 1);
  EXPECT_EQ(writes(), 0);
  store_->commit(1);
  EXPECT_EQ(writes(), 2);
  for (int v = 0; v < 11; ++v) EXPECT_EQ(got(v), v + 1);
}

TEST_F(Store10, ACountThatStandsThereIsNotWrittenAgain) {
  put(3, 1);
  store_->commit(0);
  EXPECT_EQ(writes(), 1);
  store_->commit(0);
  EXPECT_EQ(writes(), 1);
  store_->commit(1);
  EXPECT_EQ(writes(), 2);
}

TEST_F(Store10, WhoReadsSeesWhatWasWritten) {
  put(3, 1);
  EXPECT_EQ(got(3), 1);
  EXPECT_EQ(writes(), 1);
}

TEST_F(Store10, TheLaterOneOfTwoWritesWins) {
  put(3, 1);
  put(4, 2);
  put(3, 5);
  store_->sync();
  EXPECT_EQ(got(3), 5);
  EXPECT_EQ(got(4), 2);
}

TEST_F(Store10, ManyAtOnceComeBehindWhatWasCollected) {
  put(3, 1);
  Bytes values(40, std::byte{7});
  const SlabPart part{all_of(3), values, false};
  store_->write_many(std::span(&part, 1));
  EXPECT_EQ(got(3), 7);
}

TEST_F(Store10, ItIsWrittenWhenTheFileIsClosed) {
  put(9, 4);
  store_->detach();
  EXPECT_EQ(writes(), 1);
}

}  // namespace
}  // namespace sv
