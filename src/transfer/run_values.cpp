#include "transfer/run_values.hpp"

#include <bit>
#include <cstring>

namespace sv {

namespace {

template <class Word>
void move_word(const std::byte *from, std::byte *to, bool swaps) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  if (swaps) {
    if constexpr (sizeof word == 2) word = __builtin_bswap16(word);
    if constexpr (sizeof word == 4) word = __builtin_bswap32(word);
    if constexpr (sizeof word == 8) word = __builtin_bswap64(word);
  }
  std::memcpy(to, &word, sizeof word);
}

/// A single element that is not converted.
void move_element(const std::byte *from, std::byte *to, int64_t bytes, bool swaps) {
  switch (bytes) {
    case 8:
      return move_word<uint64_t>(from, to, swaps);
    case 4:
      return move_word<uint32_t>(from, to, swaps);
    case 2:
      return move_word<uint16_t>(from, to, swaps);
    default:
      *to = *from;
  }
}

/// Moves the runs of one request after the other.
template <class Row>
class Mover {
 public:
  Mover(const OwnRuns &own, RequestRows<Row> &rows) : own_(own), rows_(rows) {}

  /// `at`: the bytes in the order of the file.
  void operator()(const OwnRun &run, std::byte *at) {
    if (run.request != request_) look_up(run.request);
    if (run.elements == 1 && plain_) return pack_or_unpack_one(run, at);
    OutOfRange range_errors = 0;
    if constexpr (std::is_same_v<Row, PackRow>)
      range_errors = (*row_)(run.memory, stride_, at, run.elements);
    else
      range_errors = (*row_)(at, run.memory, stride_, run.elements);
    if (range_errors > 0) rows_.took(request_, range_errors);
  }

 private:
  void pack_or_unpack_one(const OwnRun &run, std::byte *at) const {
    if constexpr (std::is_same_v<Row, PackRow>)
      move_element(run.memory, at, bytes_, swaps_);
    else
      move_element(at, run.memory, bytes_, swaps_);
  }
  void look_up(int request) {
    request_ = request;
    row_ = &rows_.of(request);
    plain_ = row_->is_plain();
    swaps_ = row_->swaps();
    bytes_ = row_->file_bytes();
    stride_ = own_.of[static_cast<size_t>(request)].stride_bytes;
  }

  const OwnRuns &own_;
  RequestRows<Row> &rows_;
  int request_ = -1;
  const Row *row_ = nullptr;
  bool plain_ = false, swaps_ = false;
  int64_t bytes_ = 0, stride_ = 0;
};

/// Calls visit(run, position in the slice, or in a message) for this rank's runs in a slice. In a message they stand
/// one after the other; shared parts once.
template <class Visit>
void for_runs(const RunTable &table, int sink, int round, Form form, Visit &&visit) {
  const RunTable::InSlice &in = table.in_slice(sink, round);
  if (in.first == in.last) return;
  size_t i = in.first;
  int64_t body = 0, begin = 0, end = 0;  // of the joined part, in the message and in the slice
  table.plan->for_portions(sink, round, [&](const Portion &portion) {
    const int64_t offset = table.plan->offset_of(portion);
    const int64_t behind =
        offset + (portion.elements.last - portion.elements.first) * table.plan->band_of(portion).element_bytes;
    const int64_t in_slice = portion.slice_bytes - offset;
    if (form == Form::in_place) {
      for (; i < in.last && table.own.runs[i].offset_bytes < behind; ++i)
        visit(table.own.runs[i], table.own.runs[i].offset_bytes + in_slice);
      return;
    }
    for (; i < in.last && table.own.runs[i].offset_bytes < behind; ++i) {
      const OwnRun &run = table.own.runs[i];
      const int64_t at = run.offset_bytes + in_slice;
      if (at > end) {
        body += end - begin;
        begin = at;
        end = at;
      }
      end = std::max(end, at + table.own.bytes_of(run));
      visit(run, body + at - begin);
    }
  });
}

}  // namespace

int64_t RunSource::put(int sink, int round, Form form, std::byte *to) {
  Mover<PackRow> move(table_.own, rows_);
  for_runs(table_, sink, round, form, [&](const OwnRun &run, int64_t at) { move(run, to + at); });
  return table_.in_slice(sink, round).bytes;
}

void RunTarget::take(int sink, int round, Form form, const std::byte *from) {
  Mover<UnpackRow> move(table_.own, rows_);
  for_runs(table_, sink, round, form,
           [&](const OwnRun &run, int64_t at) { move(run, const_cast<std::byte *>(from) + at); });
}

void pack_run(const OwnRuns &own, const OwnRun &run, RequestRows<PackRow> &rows, std::byte *to) {
  Mover<PackRow> move(own, rows);
  move(run, to);
}

void unpack_run(const OwnRuns &own, const OwnRun &run, RequestRows<UnpackRow> &rows, const std::byte *from) {
  Mover<UnpackRow> move(own, rows);
  move(run, const_cast<std::byte *>(from));
}

}  // namespace sv
