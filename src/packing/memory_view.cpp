#include "packing/memory_view.hpp"

#include <cstdlib>
#include <cstring>

#include "packing/device_pieces.hpp"

namespace sv {

namespace {

/// Joins trailing dimensions that are contiguous in memory and whole in the share's box, so that rows are as long as
/// can be: a dense block of whole rows is one row.
void join_rows(Box &part, Box &whole, MemoryView &memory) {
  while (part.dims() > 1) {
    const int last = part.dims() - 1;
    const bool is_whole = part.count[last] == whole.count[last];
    const bool is_dense = memory.stride_bytes[last - 1] == memory.stride_bytes[last] * part.count[last];
    if (!is_whole || !is_dense) return;
    for (Box *box : {&part, &whole}) {
      const int64_t length = whole.count[last];
      box->start[last - 1] *= length;
      box->count[last - 1] *= length;
      box->start.n = box->count.n = last;
    }
    memory.stride_bytes[last - 1] = memory.stride_bytes[last];
    memory.stride_bytes.n = last;
  }
}

/// The rows of `part` one after the other: where they stand in memory, and in `whole`.
class BoxRows {
 public:
  BoxRows(const Box &part, const Box &whole, const MemoryView &memory)
      : count_(part.count),
        stride_bytes_(memory.stride_bytes),
        distance_(contiguous_strides(whole.count, 1)),
        done_(part.dims(), 0),
        at_(memory.first) {}
  /// False after the last one.
  bool next() {
    for (int d = count_.n - 2; d >= 0; --d) {
      at_ += stride_bytes_[d];
      offset_ += distance_[d];
      if (++done_[d] < count_[d]) return true;
      at_ -= count_[d] * stride_bytes_[d];
      offset_ -= count_[d] * distance_[d];
      done_[d] = 0;
    }
    return false;
  }
  std::byte *at() const { return at_; }       // its first cell
  int64_t offset() const { return offset_; }  // from the first row, in elements

 private:
  const Index &count_, &stride_bytes_;
  const Index distance_;
  Index done_;
  std::byte *at_;
  int64_t offset_ = 0;
};

/// Calls visit(memory of the row's first cell, offset of the row in the share, elements) for all rows of `part`, which
/// the share has wholly; `offset`: of its first cell. Short rows with gaps between them, as those of blocks with halos,
/// are rarely in the cache, and too short for the processor to foresee the next ones: they are fetched ahead.
template <class Visit>
void for_all_rows(const Box &part, const Box &whole, const MemoryView &memory, int64_t offset, Visit &&visit) {
  constexpr int64_t short_row_bytes = 1024;
  constexpr int rows_ahead = 16;
  const int last = part.dims() - 1;
  const int64_t elements = last < 0 ? 1 : part.count[last];
  const int64_t last_cell_bytes = last < 0 ? 0 : memory.stride_bytes[last] * (elements - 1);
  BoxRows row(part, whole, memory), ahead(part, whole, memory);
  bool fetches = std::abs(last_cell_bytes) < short_row_bytes;
  for (int i = 0; i < rows_ahead && fetches; ++i) fetches = ahead.next();
  do {
    if (fetches) {
      __builtin_prefetch(ahead.at());
      __builtin_prefetch(ahead.at() + last_cell_bytes);
      fetches = ahead.next();
    }
    visit(row.at(), offset + row.offset(), elements);
  } while (row.next());
}

/// The same for the rows of a piece.
template <class Visit>
void for_rows(const Piece &piece, const Share &share, Visit &&visit) {
  Box part = intersect(piece.box, share.box), whole = share.box;
  if (part.empty()) return;
  MemoryView memory = piece.memory;
  for (int d = 0; d < part.dims(); ++d) memory.first += (part.start[d] - piece.box.start[d]) * memory.stride_bytes[d];
  join_rows(part, whole, memory);
  const int64_t begin = position(whole, part.start);
  Index last_cell = part.start;
  for (int d = 0; d < part.dims(); ++d) last_cell[d] += part.count[d] - 1;
  if (begin >= share.first && position(whole, last_cell) < share.last)
    return for_all_rows(part, whole, memory, begin - share.first, visit);
  RowCursor rows(part, whole, share.first, share.last);
  const int n = part.dims();
  for (Row row; rows.next(row);) {
    std::byte *at = memory.first;
    for (int d = 0; d < n; ++d) at += (row.start[d] - part.start[d]) * memory.stride_bytes[d];
    visit(at, row.position - share.first, row.elements);
  }
}

/// Moves the rows of a piece by move(memory of the row, bytes between its cells, offset in the buffer, elements).
template <class Move>
OutOfRange move_rows(const Piece &piece, const Share &share, int64_t element_bytes, Form form, Move &&move) {
  OutOfRange bad = 0;
  int64_t moved = 0;
  const int n = piece.box.dims();
  const int64_t stride = n > 0 ? piece.memory.stride_bytes[n - 1] : element_bytes;
  for_rows(piece, share, [&](std::byte *at, int64_t position, int64_t elements) {
    bad += move(at, stride, (form == Form::compact ? moved : position) * element_bytes, elements);
    moved += elements;
  });
  return bad;
}

/// Copies what a box has of a share by copy(offset in the share, offset in a body, bytes). Returns the body's bytes.
template <class Copy>
int64_t copy_rows(const Box &box, const Share &share, int64_t element_bytes, Copy &&copy) {
  int64_t copied = 0;
  RowCursor rows(intersect(box, share.box), share.box, share.first, share.last);
  for (Row row; rows.next(row);) {
    const int64_t bytes = row.elements * element_bytes;
    copy((row.position - share.first) * element_bytes, copied, static_cast<size_t>(bytes));
    copied += bytes;
  }
  return copied;
}

}  // namespace

std::byte *run_of(const Piece &piece, const Box &box, int64_t element_bytes) {
  if (piece.memory.device != nullptr) return nullptr;
  const Index strides = contiguous_strides(box.count, element_bytes);
  std::byte *first = piece.memory.first;
  for (int d = 0; d < box.dims(); ++d) {
    if (box.count[d] > 1 && piece.memory.stride_bytes[d] != strides[d]) return nullptr;
    first += (box.start[d] - piece.box.start[d]) * piece.memory.stride_bytes[d];
  }
  return first;
}

OutOfRange pack(const Piece &piece, const Share &share, const PackRow &row, Form form, std::byte *to) {
  OutOfRange bad = 0;
  const auto pack_arrived = [&](const Piece &here) {
    bad += pack(here, share, row, form, to);
    if (form == Form::compact) to += here.box.elements() * row.file_bytes();
  };
  if (piece.memory.device != nullptr) {
    for_pieces_from_device(piece, share, row.memory_bytes(), pack_arrived);
    return bad;
  }
  return move_rows(piece, share, row.file_bytes(), form,
                   [&](const std::byte *at, int64_t stride, int64_t offset, int64_t elements) {
                     return row(at, stride, to + offset, elements);
                   });
}

OutOfRange unpack(const Piece &piece, const Share &share, const UnpackRow &row, Form form, const std::byte *from) {
  OutOfRange bad = 0;
  const auto unpack_next = [&](const Piece &here) {
    bad += unpack(here, share, row, form, from);
    if (form == Form::compact) from += here.box.elements() * row.file_bytes();
  };
  if (piece.memory.device != nullptr) {
    for_pieces_to_device(piece, share, row.memory_bytes(), unpack_next);
    return bad;
  }
  return move_rows(piece, share, row.file_bytes(), form,
                   [&](std::byte *at, int64_t stride, int64_t offset, int64_t elements) {
                     return row(from + offset, at, stride, elements);
                   });
}

const std::byte *spread_rows(const Box &box, const Share &share, int64_t element_bytes, const std::byte *compact,
                             std::byte *to) {
  return compact + copy_rows(box, share, element_bytes, [&](int64_t place, int64_t at, size_t bytes) {
           std::memcpy(to + place, compact + at, bytes);
         });
}

std::byte *gather_rows(const Box &box, const Share &share, int64_t element_bytes, const std::byte *from,
                       std::byte *compact) {
  return compact + copy_rows(box, share, element_bytes, [&](int64_t place, int64_t at, size_t bytes) {
           std::memcpy(compact + at, from + place, bytes);
         });
}

}  // namespace sv
