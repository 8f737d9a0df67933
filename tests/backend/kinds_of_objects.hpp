// The kinds of Objects that the tests run over: a folder, and memory.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "backend/zarr/folder.hpp"
#include "memory_objects.hpp"

namespace sv::testing {

class ObjectsTest : public ::testing::TestWithParam<const char *> {
 protected:
  /// One more that has the same objects.
  std::unique_ptr<Objects> objects() const {
    if (std::string(GetParam()) == "folder") return std::make_unique<zarr::Folder>(place_);
    return std::make_unique<MemoryObjects>(space_);
  }
  void SetUp() override {
    std::filesystem::remove_all(place_);
    std::filesystem::create_directory(place_);
    space_->clear();
  }

 private:
  const std::string place_ = "objects";
  const std::shared_ptr<MemorySpace> space_ = std::make_shared<MemorySpace>();
};

inline const auto all_kinds = ::testing::Values("folder", "memory");
inline std::string name_of(const ::testing::TestParamInfo<const char *> &tested) { return tested.param; }

}  // namespace sv::testing
