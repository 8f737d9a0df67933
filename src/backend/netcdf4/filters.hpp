// The filters of a variable's chunks, as HDF5 applies them: from values to the body that stands in the file, and back.
// A store has one for each variable whose chunks pass through filters. Local.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/netcdf4/storage.hpp"
#include "codec/codec.hpp"

namespace sv::netcdf4 {

class Filters {
 public:
  /// `codec`: of those that deflate, or "auto". Error(not_compiled) where none is built in.
  Filters(const std::vector<Filter> &filters, int64_t element_bytes, const std::string &codec);

  /// The body, which stays until the next call.
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
  std::unique_ptr<ByteCodec> deflate_, inflate_;
  std::vector<std::byte> rooms_[2];
};

}  // namespace sv::netcdf4
