// A CDF file that one process writes and reads alone, as netCDF-C does, but without waiting. Values are copied, and a
// thread writes them (serial/writing.hpp). Cells that netCDF-C pre-fills are filled only if they were never put. When
// definitions grow, pending values move in memory. No MPI.
//
// It knows bytes and definitions; its caller (bindings/netcdf) implements the meaning of netCDF's calls, their errors
// and conversions. The order of calls:
//
//   make | open ─▶ ([define ─▶ (schema() changes)* ─▶ end_definitions], grow*, (put | get)*, [sync])* ─▶ close
//
// A new file begins with definitions. Every function throws Error. For one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "serial/block_cache.hpp"
#include "serial/placing.hpp"
#include "serial/writing.hpp"
#include "store/name_set.hpp"

namespace sv {

class SerialFile {
 public:
  /// A new file under its final name, which is there at once. `exclusive`: Error(exists) where something has the name;
  /// otherwise a regular file of that name is emptied.
  static std::unique_ptr<SerialFile> make(const std::string &path, Format format, bool exclusive);
  /// Error(format) if it is no file of CDF-1, 2 or 5.
  static std::unique_ptr<SerialFile> open(const std::string &path, bool writing);
  SerialFile(const SerialFile &) = delete;
  /// Without close: as close, or as abort while definitions are open; but errors are not reported.
  ~SerialFile();

  /// May be changed while definitions are open; else only names, attributes and values that take no more bytes than
  /// before, which is followed by change_header().
  PlacedSchema &schema() { return schema_; }
  bool is_writable() const { return is_writable_; }
  bool is_defining() const { return is_defining_; }
  /// Those before the present definitions; nullptr outside of them, and for a new file.
  const PlacedSchema *schema_before() const { return before_ ? &*before_ : nullptr; }
  /// netCDF's filling: by variable, whether it is filled when it is new; and new records, all variables alike.
  struct Filling {
    std::vector<bool> variables;
    bool records = true;
  };
  Filling &filling() { return filling_; }
  /// Whether sync and close return, from now on, when everything is on the disk. Not at first.
  void be_durable(bool durable) { is_durable_ = durable; }

  void define();
  /// `room`: the numbers of nc__enddef. The header is in the file when it returns, so that others can open it.
  void end_definitions(const NetcdfRoom &room);
  /// `fill_changes`: perhaps a fill value has changed, too.
  void change_header(bool fill_changes = false);

  /// There are at least so many records: new ones are filled where netCDF fills them.
  void grow(int64_t records);
  /// Calls fill(to, at, bytes) for memory that takes the next `bytes` of a stretch of the file; `at` counts from its
  /// beginning. They are whole elements of `width` bytes.
  template <class Fill>
  void put(int64_t offset_bytes, int64_t length, int64_t width, Fill &&fill);
  /// Bytes beyond the end of the file are 0. Waits for pending puts.
  void get(int64_t offset_bytes, std::span<std::byte> bytes);

  /// When it returns, all puts and the record count are in the file, which has its length: call it before this process
  /// opens the file once more. While definitions are open, the header is the one before them. Nothing for a file that
  /// is read only.
  void settle();
  /// As settle, and on the disk if the file is durable. For a file that is read only: reads changes of other programs.
  void sync();
  /// As sync; and the file is closed.
  void close();
  /// Instead of close: without its last definitions; a new file is removed.
  void abort();

  /// Throws what the thread could not write.
  void check() const { out_.check(); }

 private:
  SerialFile(std::string path, PositionalFile file, bool is_writable)
      : path_(FileName(std::move(path)).place()), out_(std::move(file)), is_writable_(is_writable) {}
  void read_definitions();
  std::shared_ptr<const Slabs> renew_slabs();
  void relocate(const std::shared_ptr<const Slabs> &before, std::vector<Job> &waiting);
  void fill_padding(int64_t begin);
  void settle_fill();
  void hand_over(Outflow::Then then = Outflow::Then::goes_on);
  void hand_over_header(Outflow::Then then = Outflow::Then::goes_on);
  void write_values();

  std::string path_;  // absolute: the program may change its directory
  Outflow out_;
  PlacedSchema schema_;
  std::optional<PlacedSchema> before_;
  std::shared_ptr<const Slabs> slabs_;  // of a file that is written, once it is defined
  Filling filling_;
  Batch batch_;
  ByteRanges holes_;  // of the file: to be filled unless they are put
  BlockCache cache_;
  bool is_writable_ = false, is_defining_ = false, is_new_ = false, is_closed_ = false;
  bool header_changed_ = false, is_durable_ = false;
  bool may_wait_ = false;        // some value may not be in the file yet
  int64_t counted_records_ = 0;  // in the header that was handed over last
  static constexpr size_t most_holes = 4096;
};

template <class Fill>
void SerialFile::put(int64_t offset_bytes, int64_t length, int64_t width, Fill &&fill) {
  if (!holes_.ends().empty()) {
    holes_.remove(offset_bytes, offset_bytes + length);
    if (holes_.ends().size() > most_holes) settle_fill();
  }
  may_wait_ = true;
  const int64_t step = block_bytes / width * width;
  for (int64_t at = 0; at < length; at += step) {
    const int64_t part = std::min(step, length - at);
    fill(batch_.room(offset_bytes + at, part), at, part);
    if (batch_.is_full()) hand_over();
  }
  if ((offset_bytes + length) % 4 != 0 && !holes_.ends().empty()) fill_padding(offset_bytes + length);
}

}  // namespace sv
