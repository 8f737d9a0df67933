// The filters of a variable's chunks, as HDF5 applies them: from values to the body that stands in the file, and back.
// A store has Filters for each variable whose chunks pass through any, and Codecs for all of them: a library's state
// and memory is too large to be there once per variable. Local.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/netcdf4/storage.hpp"
#include "codec/codec.hpp"

namespace sv::netcdf4 {

/// What deflates and inflates for a store, made when it is first needed.
class Codecs {
 public:
  /// `library`: of those that deflate, or "auto".
  explicit Codecs(std::string library) : library_(std::move(library)) {}
  /// Error(not_compiled) where none is built in.
  ByteCodec &deflate(int level);
  ByteCodec &inflate();
  std::vector<std::byte> rooms[2];  // of what has passed through one filter, and goes into the next

 private:
  const std::string library_;
  std::map<int, std::unique_ptr<ByteCodec>> deflates_;  // by level
  std::unique_ptr<ByteCodec> inflate_;
};

class Filters {
 public:
  /// `codecs` must outlive it. Error(not_compiled) where a library is not built in.
  Filters(const std::vector<Filter> &filters, int64_t element_bytes, Codecs &codecs);

  /// The body, which stays until the next call of any Filters with these codecs.
  std::span<const std::byte> encode(std::span<const std::byte> values);
  /// `mask`: bit i is set where the body has not passed through filter i.
  /// Error(format) where the body is not one of so many values.
  void decode(std::span<const std::byte> body, uint32_t mask, std::span<std::byte> values);
  /// Of the library that deflates; "" where none does.
  std::string codec() const { return deflate_ == nullptr ? "" : deflate_->name(); }

 private:
  std::span<const std::byte> pass(const Filter &filter, std::span<const std::byte> from, std::vector<std::byte> &room);
  void pass_back(const Filter &filter, std::span<const std::byte> from, std::span<std::byte> to);

  const std::vector<Filter> filters_;
  const int element_bytes_;
  Codecs &codecs_;
  ByteCodec *deflate_ = nullptr;
};

}  // namespace sv::netcdf4
