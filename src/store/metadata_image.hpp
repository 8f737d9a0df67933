// The metadata of a file whose library writes into memory instead of the file: what it has written, and where there is
// room. HDF5's driver (backend/netcdf4) works on one, and the store writes out what has changed when records are
// committed, so that in between the file on the disk stays as it was. It knows bytes only. Local.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace sv {

/// Metadata stand together, in stretches of whole pages that they share with no data, as long as new ones are
/// allocated; data stand behind them.
class MetadataImage {
 public:
  /// Of a new file, which has these bytes so far: all of them are still to be written out.
  explicit MetadataImage(std::span<const std::byte> all);
  /// Of a file that is there, and so long: `read` fills a span from an offset on, with 0 behind its end.
  using Read = std::function<void(int64_t offset_bytes, std::span<std::byte>)>;
  MetadataImage(Read read, int64_t length_bytes) : read_(std::move(read)), length_(length_bytes) {}

  void read(int64_t offset_bytes, std::span<std::byte> to);
  void write(int64_t offset_bytes, std::span<const std::byte> from);

  /// What comes before this place, and has none yet, is for metadata.
  void reserve(int64_t end_bytes);
  /// Where the next bytes of this length may stand; never again given to anybody else.
  int64_t place_metadata(int64_t bytes);
  /// Right behind the last one, so that data that are placed together can be written together.
  int64_t place_data(int64_t bytes);
  int64_t end() const { return end_; }
  /// Of what there was at first, or of all that has a place since.
  int64_t length() const { return std::max(length_, end_); }
  void set_end(int64_t end_bytes);

  /// Calls `write` for what has changed since the last time, in ascending order; joined where it touches. What it
  /// throws leaves the rest, and what it was called for, to the next time.
  void write_out(const std::function<void(int64_t offset_bytes, std::span<const std::byte>)> &write);

 private:
  static constexpr int64_t page_bytes = 4096;
  using Page = std::vector<std::byte>;
  Page &page(int64_t number);
  template <class Visit>
  void for_pages(int64_t offset_bytes, int64_t bytes, Visit visit);
  void mark(int64_t begin, int64_t end);

  Read read_;
  std::unordered_map<int64_t, Page> pages_;
  std::map<int64_t, int64_t> changed_;  // begin to end, apart from each other
  int64_t end_ = 0;                     // of all that has a place
  int64_t length_ = 0;
  int64_t free_begin_ = 0, free_end_ = 0;  // room for metadata
};

}  // namespace sv
