// The contract of Objects, for every kind of them.
#include "store/objects.hpp"

#include "base/error.hpp"
#include "kinds_of_objects.hpp"

namespace sv {
namespace {

class ObjectsContract : public testing::ObjectsTest {
 protected:
  void put(const std::string &name, std::string text, bool at_once = true) {
    iovec parts[2] = {{text.data(), text.size() / 2}, {text.data() + text.size() / 2, text.size() - text.size() / 2}};
    objects_->put(name, parts, at_once, counters_);
  }
  std::string text(const std::string &name) const {
    StoreCounters counters;
    return objects()->text(name, 1000, counters).value_or("none");
  }
  std::string names(const std::string &prefix) const {
    std::string all;
    for (const auto &[name, kind] : objects()->list(prefix))
      all += name + (kind == Objects::EntryKind::directory ? "/ " : " ");
    return all;
  }
  void SetUp() override {
    ObjectsTest::SetUp();
    objects_ = objects();
  }
  std::unique_ptr<Objects> objects_;
  StoreCounters counters_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, ObjectsContract, testing::all_kinds, testing::name_of);

TEST_P(ObjectsContract, WhatIsPutIsFoundByAll) {
  for (const bool at_once : {true, false}) {
    put("a/c/0/1", "first", at_once);
    EXPECT_EQ(text("a/c/0/1"), "first");
    put("a/c/0/1", "one more", at_once);
    EXPECT_EQ(text("a/c/0/1"), "one more");
    objects_->sync();
  }
  EXPECT_TRUE(objects()->has("a/c/0/1"));
  EXPECT_EQ(counters_.writes, 4);
}

TEST_P(ObjectsContract, WhatIsNotThereIsNoError) {
  EXPECT_FALSE(objects_->has("a/zarr.json"));
  EXPECT_EQ(objects_->open("a/zarr.json"), nullptr);
  EXPECT_EQ(names("a"), "");
  EXPECT_NO_THROW(objects_->remove_chunks("a/c"));
  EXPECT_NO_THROW(objects_->remove_parts("a"));
}

TEST_P(ObjectsContract, AnOpenObjectStaysAsItWas) {
  put("a/c/0", "before");
  const auto object = objects_->open("a/c/0");
  put("a/c/0", "afterwards");
  EXPECT_EQ(object->size(), 6);
  std::string part(4, '.');
  EXPECT_EQ(object->read(3, std::as_writable_bytes(std::span(part)), counters_), 3);
  EXPECT_EQ(part, "ore.");
  EXPECT_EQ(text("a/c/0"), "afterwards");
}

TEST_P(ObjectsContract, TextsArePutTogether) {
  objects_->put({{"zarr.json", "group"}, {"a/zarr.json", "array"}}, counters_);
  EXPECT_EQ(text("zarr.json"), "group");
  EXPECT_EQ(text("a/zarr.json"), "array");
  EXPECT_THROW(objects_->text("zarr.json", 4, counters_), Error);
}

TEST_P(ObjectsContract, NamesAreListedByTheirNextPart) {
  for (const char *name : {"zarr.json", "b/c/1/0", "b/c/0/1", "b/c/0/0", "b/zarr.json"}) put(name, "x");
  EXPECT_EQ(names(""), "b/ zarr.json ");
  EXPECT_EQ(names("b"), "c/ zarr.json ");
  EXPECT_EQ(names("b/c"), "0/ 1/ ");
  EXPECT_EQ(names("b/c/0"), "0 1 ");
}

TEST_P(ObjectsContract, ChunksAreRemovedWithAllBelow) {
  for (const char *name : {"b/c/1/0", "b/c/0/1", "b/c/0/0", "b/zarr.json"}) put(name, "x");
  objects_->remove_chunks("b/c/0");
  EXPECT_EQ(names("b/c"), "1/ ");
  objects_->remove_chunks("b/c/1/0");
  EXPECT_EQ(text("b/c/1/0"), "none");
  EXPECT_EQ(text("b/zarr.json"), "x");
  objects_->sync();
}

}  // namespace
}  // namespace sv
