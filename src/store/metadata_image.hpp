// The metadata of a file whose library writes into memory instead of the file: the written bytes, and free space.
// HDF5's driver (backend/netcdf4) works on one, and the store writes the changes out when records are committed, so
// that the file on the disk stays unchanged in between. It knows bytes only. Local.
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

#include "store/byte_ranges.hpp"
#include "store/journal.hpp"

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
  /// `turn`: changes with a lower one are written to the file earlier. Changes in new space have 0.
  void write(int64_t offset_bytes, std::span<const std::byte> from, int turn = 1);
  /// Data of a writer will stand here: bytes that were written before are no change.
  void forget(int64_t offset_bytes, int64_t bytes);

  /// Reserves free space before this place for metadata.
  void reserve(int64_t end_bytes);
  /// Where the next bytes of this length may stand; never again given to anybody else. Up to a page, all in one: a kill
  /// between the pages of a write does not divide them.
  int64_t place_metadata(int64_t bytes);
  /// Right behind the last one, so that data that are placed together can be written together.
  int64_t place_data(int64_t bytes);
  int64_t end() const { return end_; }
  /// Of the original contents, or of all with a place since.
  int64_t length() const { return std::max(length_, end_); }
  /// Not below the committed end, to which metadata in the file refer.
  void set_end(int64_t end_bytes);

  /// The changes since the last commit, by turns, in ascending order within each; adjacent ones joined.
  std::vector<Change> changes();
  /// They are in the file.
  void committed();

 private:
  static constexpr int64_t page_bytes = 4096;
  using Page = std::vector<std::byte>;
  Page &page(int64_t number);
  template <class Visit>
  void for_pages(int64_t offset_bytes, int64_t bytes, Visit visit);

  Read read_;
  std::unordered_map<int64_t, Page> pages_;
  std::map<int, ByteRanges> changed_;  // by turn
  ByteRanges new_;                     // that have places since the last commit
  int64_t end_ = 0;                    // of all that has a place
  int64_t committed_end_ = 0;          // the same, when it was committed last
  int64_t length_ = 0;
  int64_t free_begin_ = 0, free_end_ = 0;  // room for metadata
};

}  // namespace sv
