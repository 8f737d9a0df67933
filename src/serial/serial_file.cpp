#include "serial/serial_file.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "store/header_format.hpp"
#include "store/read_schema.hpp"

namespace sv {

namespace {

/// As netCDF-C has them after it has read a header: the padding of the last fixed variable belongs to it.
void set_begins(PlacedSchema &schema) {
  CdfPlaces &places = *schema.places;
  int first_fixed = -1, first_record = -1, last_fixed = -1;
  for (int v = 0; v < std::ssize(schema.variables); ++v) {
    int &first = schema.variables[static_cast<size_t>(v)].has_records ? first_record : first_fixed;
    if (first < 0) first = v;
    if (!schema.variables[static_cast<size_t>(v)].has_records) last_fixed = v;
  }
  places.record_begin = places.header_bytes;
  if (last_fixed >= 0) places.record_begin = schema.place(last_fixed).begin + schema.place(last_fixed).slab_bytes;
  if (first_record >= 0) places.record_begin = schema.place(first_record).begin;
  places.data_begin = first_fixed >= 0 ? schema.place(first_fixed).begin : places.record_begin;
}

/// The same bytes of slabs in their new places.
ByteRanges moved(const ByteRanges &ranges, const Slabs &before, const Slabs &after) {
  ByteRanges made;
  for (const auto &[begin, end] : ranges.ends())
    before.each(begin, end, [&](const Slabs::Stretch &stretch) {
      const int64_t to = after.place(stretch.variable, stretch.record) + stretch.at;
      made.add(to, to + stretch.length);
    });
  return made;
}

/// `has_padding`: whether the padding after values that end there has been written, or will be. Otherwise it is 0,
/// since other bytes may stand in the new place.
void move_batch(Batch &batch, const Slabs &before, const Slabs &after,
                const std::function<bool(int64_t begin, int64_t end)> &has_padding) {
  static std::array<std::byte, 4> zeros{};
  batch.move_pieces([&](const Batch::Piece &piece, const Batch::Take &take) {
    before.each(piece.offset_bytes, piece.offset_bytes + piece.length, [&](const Slabs::Stretch &stretch) {
      const int64_t to = after.place(stretch.variable, stretch.record) + stretch.at;
      take({to, piece.bytes + (stretch.offset_bytes - piece.offset_bytes), stretch.length});
      const int64_t end = stretch.offset_bytes + stretch.length, padding = before.padding_at(end);
      if (padding > 0 && !has_padding(end, end + padding)) take({to + stretch.length, zeros.data(), padding});
    });
  });
}

bool any_moves(const Slabs &before, const Slabs &after) {
  for (int v = 0; v < before.variables(); ++v)
    for (const int64_t record : {0, 1})
      if (before.place(v, record) != after.place(v, record)) return true;
  return false;
}

}  // namespace

std::unique_ptr<SerialFile> SerialFile::make(const std::string &path, Format format, bool exclusive) {
  const Presence presence = exclusive ? Presence::absent : presence_of(path);
  if (presence != Presence::absent && presence != Presence::file)
    throw Error(Status::access, "this is no regular file", "Give another name").in_file(path);
  using Mode = PositionalFile::Mode;
  PositionalFile file(path, presence == Presence::absent ? Mode::make : Mode::update);
  if (presence != Presence::absent) file.resize(0);
  std::unique_ptr<SerialFile> made(new SerialFile(path, std::move(file), true));
  made->schema_.format = format;
  made->is_new_ = made->is_defining_ = true;
  made->hand_over_header();  // readers find a netCDF file
  return made;
}

std::unique_ptr<SerialFile> SerialFile::open(const std::string &path, bool writing) {
  using Mode = PositionalFile::Mode;
  PositionalFile file(path, writing ? Mode::update : Mode::read);
  std::unique_ptr<SerialFile> opened(new SerialFile(path, std::move(file), writing));
  opened->read_definitions();
  ByteRanges there;
  there.add(0, opened->out_.file().size());
  opened->out_.set_written(there);
  return opened;
}

SerialFile::~SerialFile() {
  if (is_closed_ || !is_writable_) return;
  try {
    is_defining_ ? abort() : close();
  } catch (const std::exception &) {  // callers that need the error call close
  }
}

void SerialFile::read_definitions() {
  schema_ = read_schema(out_.file(), {});
  set_begins(schema_);
  filling_.variables.assign(schema_.variables.size(), true);
  if (is_writable_) renew_slabs();
  counted_records_ = schema_.records;
  cache_.forget();
}

/// Those of the schema as it is now; returns the ones before. Where fill values are others, what these have not filled
/// yet is filled first: no job that waits has slabs with other fill values than the file's.
std::shared_ptr<const Slabs> SerialFile::renew_slabs() {
  auto now = std::make_shared<const Slabs>(schema_);
  if (slabs_ && !slabs_->fills_like(*now)) {
    settle_fill();
    out_.drain();
  }
  return std::exchange(slabs_, std::move(now));
}

void SerialFile::define() {
  check();
  if (header_changed_) hand_over_header();
  before_ = schema_;
  is_defining_ = true;
}

void SerialFile::end_definitions(const NetcdfRoom &room) {
  check();
  place_like_netcdf(schema_, schema_before(), room);
  const std::shared_ptr<const Slabs> before = renew_slabs();
  std::vector<Job> waiting = out_.take_back();
  std::erase_if(waiting, [](const Job &job) { return std::holds_alternative<HeaderJob>(job); });  // a new one follows
  if (before_ && any_moves(*before, *slabs_)) relocate(before, waiting);
  const size_t first_new = before_ ? before_->variables.size() : 0;
  before_.reset();
  is_defining_ = is_new_ = false;
  may_wait_ = true;
  // Other processes may open the file from now on: the header must be there, but the values that wait need not be.
  hand_over_header(Outflow::Then::drains);
  out_.drain();
  for (Job &job : waiting) out_.submit(std::move(job));
  for (size_t v = first_new; v < schema_.variables.size(); ++v) {
    const int variable = static_cast<int>(v);
    const int64_t slabs = schema_.variables[v].has_records ? schema_.records : 1;
    for (int64_t record = 0; filling_.variables[v] && record < slabs; ++record) {
      const int64_t at = slabs_->place(variable, record);
      holes_.add(at, at + slabs_->length(variable));
      if (holes_.ends().size() > most_holes) settle_fill();
    }
  }
}

/// The values in the file move there; pending ones get other places.
void SerialFile::relocate(const std::shared_ptr<const Slabs> &before, std::vector<Job> &waiting) {
  ByteRanges written = out_.written();
  const ByteRanges values = written;
  for (const auto &[begin, end] : values.ends()) written.add(end, end + before->padding_at(end));
  if (!written.ends().empty()) {
    out_.submit(MoveJob{before, slabs_, written});
    out_.set_written(moved(written, *before, *slabs_));
  }
  const auto has_padding = [&](int64_t begin, int64_t end) {
    return written.contains(begin, end) || holes_.contains(begin, end);
  };
  for (Job &job : waiting) {
    if (auto *const batch = std::get_if<Batch>(&job)) move_batch(*batch, *before, *slabs_, has_padding);
    if (auto *const fill = std::get_if<FillJob>(&job)) {
      ByteRanges ranges;
      for (const auto &[begin, end] : fill->ranges) ranges.add(begin, end);
      const ByteRanges there = moved(ranges, *before, *slabs_);
      fill->slabs = slabs_;
      fill->ranges.assign(there.ends().begin(), there.ends().end());
    }
  }
  move_batch(batch_, *before, *slabs_, has_padding);
  holes_ = moved(holes_, *before, *slabs_);
  cache_.forget();
}

void SerialFile::change_header(bool fill_changes) {
  header_changed_ = true;
  if (fill_changes) renew_slabs();
}

void SerialFile::settle_fill() {
  if (holes_.ends().empty()) return;
  FillJob fill{slabs_, {holes_.ends().begin(), holes_.ends().end()}};
  holes_ = {};
  may_wait_ = true;
  out_.submit(std::move(fill));
}

/// With the values that were just put, so that it costs no write of its own.
void SerialFile::fill_padding(int64_t begin) {
  const int64_t padding = slabs_->padding_at(begin);
  if (padding == 0 || !holes_.contains(begin, begin + padding)) return;
  holes_.remove(begin, begin + padding);
  slabs_->fill(begin, {batch_.room(begin, padding), static_cast<size_t>(padding)});
}

void SerialFile::grow(int64_t records) {
  if (records <= schema_.records) return;
  const int64_t before = std::exchange(schema_.records, records);
  const int64_t begin = slabs_->record_begin(), bytes = slabs_->record_bytes();
  if (filling_.records) holes_.add(begin + before * bytes, begin + records * bytes);
  may_wait_ = true;
}

void SerialFile::hand_over(Outflow::Then then) {
  if (!batch_.is_empty()) out_.submit(std::exchange(batch_, Batch()), then);
}

/// With the count of records that were in the file when it was last synchronised.
void SerialFile::hand_over_header(Outflow::Then then) {
  const int64_t records = std::exchange(schema_.records, counted_records_);
  std::vector<std::byte> header = encode_header(schema_);
  schema_.records = records;
  out_.submit(HeaderJob{0, std::move(header)}, then);
  header_changed_ = false;
}

/// Afterwards all that was put or filled can be read from the file.
void SerialFile::write_values() {
  settle_fill();
  hand_over(Outflow::Then::drains);
  out_.drain();
  cache_.forget();
  may_wait_ = false;
}

void SerialFile::get(int64_t offset_bytes, std::span<std::byte> bytes) {
  if (may_wait_) write_values();
  cache_.read(out_.file(), offset_bytes, bytes);
}

void SerialFile::settle() {
  if (!is_writable_) return;
  write_values();
  if (is_new_) return;  // it has no definitions yet
  if (header_changed_ && !is_defining_) hand_over_header(Outflow::Then::drains);
  if (counted_records_ != schema_.records) {
    out_.submit(HeaderJob{records_offset, encode_records(schema_.format, schema_.records)}, Outflow::Then::drains);
    counted_records_ = schema_.records;
  }
  out_.drain();
  const CdfPlaces &places = *(before_ ? *before_ : schema_).places;
  const int64_t begin_of_records = places.record_bytes > 0 ? places.record_begin : 0;  // to which netCDF-C fills a file
  const int64_t length = std::max(places.end_of_data(schema_.records), begin_of_records);
  if (out_.file().size() < length) out_.file().resize(length);
}

void SerialFile::sync() {
  if (!is_writable_) return read_definitions();
  settle();
  if (is_durable_) out_.file().sync();
}

void SerialFile::close() {
  if (is_closed_) return;
  is_closed_ = true;
  if (is_writable_) sync();
  out_.file().close();
}

void SerialFile::abort() {
  if (before_) schema_ = *before_;
  before_.reset();
  is_defining_ = false;
  if (!is_new_) return close();
  is_closed_ = true;
  out_.rest();
  const bool is_there = identity_at(path_).is_of_file(out_.file().identity());
  out_.file().close();
  if (is_there) remove_file(path_);
}

}  // namespace sv
