#include "serial/stored_file.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/fill.hpp"
#include "serial/store_thread.hpp"

namespace sv {

namespace {

constexpr int64_t worth_a_task = 1 << 20, most_in_a_task = 64 << 20, most_in_a_block = 32 << 20, fill_bytes = 4 << 20;
constexpr size_t most_parts = 8192;

/// Calls visit(box, elements before it in the order of the cells) for boxes of which the cells consist.
template <class Visit>
void for_boxes(const StridedCells &cells, Visit &&visit) {
  const int dims = cells.start.n;
  int strided = 0;  // dimensions from the first to the last one with a stride
  for (int d = 0; d < dims; ++d)
    if (cells.stride[d] != 1 && cells.count[d] > 1) strided = d + 1;
  Box box{cells.start, cells.count};
  for (int d = 0; d < strided; ++d) box.count[d] = 1;
  Index at(strided, 0);
  for (int64_t done = 0, step = box.elements(), all = cells.count.product(); done < all; done += step) {
    visit(box, done);
    for (int d = strided; d-- > 0;) {
      at[d] = at[d] + 1 < cells.count[d] ? at[d] + 1 : 0;
      box.start[d] = cells.start[d] + at[d] * cells.stride[d];
      if (at[d] > 0) break;
    }
  }
}

/// Calls visit(record, box in the slab, elements before it) for the records that a box of cells has; 0 without records.
template <class Visit>
void for_records(const Box &cells, bool has_records, Visit &&visit) {
  if (!has_records) return visit(0, cells, 0);
  Box inside;
  for (int d = 1; d < cells.dims(); ++d) {
    inside.start.push(cells.start[d]);
    inside.count.push(cells.count[d]);
  }
  for (int64_t r = 0; r < cells.count[0]; ++r) visit(cells.start[0] + r, inside, r * inside.elements());
}

/// The lengths of blocks that a put copies at once: whole chunks, as many as are bounded in bytes, and those of a row
/// rather than those of a column, so that stretches in memory are long. `chunk`: its last dimensions are those of the
/// cells.
Index block_of(const Box &cells, const Index &chunk, int64_t element_bytes) {
  const int dims = cells.dims(), axes = chunk.n - dims;
  Index block;
  int64_t bytes = element_bytes;
  for (int d = 0; d < dims; ++d) {
    block.push(chunk[axes + d]);
    bytes *= std::min(block[d], cells.count[d]);
  }
  for (int d = dims; d-- > 0;) {
    const int64_t end = cells.start[d] + cells.count[d];
    const int64_t all = divide_up(end, block[d]) - cells.start[d] / block[d];
    const int64_t chunks = std::clamp<int64_t>(most_in_a_block / bytes, 1, all);
    block[d] = chunks == all ? end : chunks * block[d];
    bytes *= chunks;
    if (chunks < all) break;
  }
  return block;
}

/// Calls visit(part) for the parts of a box that stand in different blocks.
template <class Visit>
void for_parts_in_blocks(const Box &cells, const Index &block, Visit &&visit) {
  const int dims = cells.dims();
  Box part = cells;
  const auto begin_part = [&](int d, int64_t start) {
    const int64_t length = block[d], end = cells.start[d] + cells.count[d];
    part.start[d] = start;
    part.count[d] = std::min(end, start / length * length + length) - start;
  };
  for (int d = 0; d < dims; ++d) begin_part(d, cells.start[d]);
  for (bool more = true; more;) {
    visit(part);
    int d = dims;
    for (more = false; !more && d > 0;) {
      --d;
      const int64_t next = part.start[d] + part.count[d];
      more = next < cells.start[d] + cells.count[d];
      begin_part(d, more ? next : cells.start[d]);
    }
  }
}

}  // namespace

StoredFile::StoredFile(std::unique_ptr<Store> store, PlacedSchema schema, std::vector<bool> fills)
    : store_(std::move(store)), schema_(std::move(schema)), fills_(std::move(fills)) {}

std::unique_ptr<StoredFile> StoredFile::create(std::unique_ptr<Store> store, PlacedSchema schema,
                                               std::vector<bool> fills, bool exclusive) {
  std::unique_ptr<StoredFile> made(new StoredFile(std::move(store), std::move(schema), std::move(fills)));
  made->store_->create(made->schema_, exclusive);
  made->learn_storage();
  return made;
}

/// What the file has is put already: the store fills what it lacks.
std::unique_ptr<StoredFile> StoredFile::open(std::unique_ptr<Store> store, PlacedSchema schema,
                                             std::vector<bool> fills) {
  std::unique_ptr<StoredFile> made(new StoredFile(std::move(store), std::move(schema), std::move(fills)));
  made->store_->reopen(made->schema_);
  made->learn_storage();
  made->committed_records_ = made->schema_.records;
  for (int v = 0; v < std::ssize(made->schema_.variables); ++v) {
    const Variable &each = made->variable(v);
    if (made->storing_[static_cast<size_t>(v)].foreign)
      throw Error(Status::unsupported, "it is stored in a way that is only read", "Leave it to netCDF")
          .in_variable(each.name);
    made->unput_.set_put(v, each.has_records ? made->schema_.records : 1);
  }
  return made;
}

StoredFile::~StoredFile() { abandon(); }

void StoredFile::learn_storage() {
  storing_.clear();
  for (int v = 0; v < std::ssize(schema_.variables); ++v) storing_.push_back(store_->storing(v));
}

/// The thread uses the store from now on, until settle().
void StoredFile::in_thread(int64_t bytes, std::function<void(Store &)> task) {
  StoreThread::own().submit(bytes, [this, own = std::move(task)] {
    if (error_.error()) return;  // nothing of the file is written any more
    if (const auto failed = caught(-1, [&] { own(*store_); })) error_.note(*failed);
  });
}

void StoredFile::hand_over() {
  if (copies_.is_empty()) return;
  const auto copies = std::make_shared<ValueCopies>(std::exchange(copies_, {}));
  in_thread(copies->memory_bytes(), [copies](Store &store) {
    static_cast<void>(caught(-1, [&] { copies->prepare_next(); }));  // without memory, the next put reports it
    store.write_many(copies->parts());
  });
}

/// The thread has nothing to do for any file when it returns. Throws what it could not write.
void StoredFile::settle() {
  hand_over();
  StoreThread::own().rest();
  error_.check();
}

void StoredFile::in_this_thread(const std::function<void(Store &)> &task) {
  settle();
  if (const auto failed = caught(-1, [&] { task(*store_); })) {
    error_.note(*failed);
    throw Error(*failed);
  }
}

void StoredFile::redefine(const PlacedSchema &schema, std::vector<bool> fills) {
  in_this_thread([&](Store &store) { store.redefine(schema); });
  const int64_t records = schema_.records;
  schema_ = schema;
  schema_.records = records;
  fills_ = std::move(fills);
  learn_storage();
}

/// In stores with chunks, lengths of dimensions other than the record dimension are definitions.
void StoredFile::lengthen(const StridedCells &cells) {
  const Variable &of = variable(cells.variable);
  bool grows = false;
  for (int d = 0; d < cells.start.n; ++d) {
    const int64_t end = cells.start[d] + (cells.count[d] - 1) * cells.stride[d] + 1;
    if (d < of.record_axes()) {
      schema_.records = std::max(schema_.records, end);
    } else if (Dimension &dim = schema_.dims[static_cast<size_t>(of.dims[static_cast<size_t>(d)])]; end > dim.length) {
      dim.length = end;
      grows = true;
    }
  }
  if (!grows) return;
  hand_over();
  in_thread(0, [schema = schema_](Store &store) { store.redefine(schema); });
}

void StoredFile::put(const StridedCells &cells, const std::byte *values) {
  error_.check();
  lengthen(cells);
  const Variable &of = variable(cells.variable);
  const int64_t bytes = width(cells.variable);
  for_boxes(cells, [&](const Box &box, int64_t before) {
    for_records(box, of.has_records, [&](int64_t record, const Box &inside, int64_t more) {
      put_slab({cells.variable, record}, inside, values + (before + more) * bytes);
    });
  });
  if (copies_.bytes() >= worth_a_task || copies_.parts().size() >= most_parts)
    hand_over();
  else
    StoreThread::own().lend();
}

void StoredFile::put_slab(const UnputCells::Slab &slab, const Box &cells, const std::byte *values) {
  const Storing &stored = storing_[static_cast<size_t>(slab.variable)];
  if (stored.fills)
    return for_parts_in_blocks(cells, block_of(cells, stored.chunk, width(slab.variable)),
                               [&](const Box &part) { copy(slab, part, cells, values); });
  const bool fills = fills_[static_cast<size_t>(slab.variable)];
  if (fills && unput_.must_fill_before(slab, cells, schema_.slab_shape(variable(slab.variable)))) fill(slab);
  copy(slab, cells, cells, values);
}

/// `values`: of all cells; those of `part` are copied.
void StoredFile::copy(const UnputCells::Slab &slab, const Box &part, const Box &cells, const std::byte *values) {
  const int64_t bytes = width(slab.variable), elements = part.elements();
  if (copies_.bytes() + elements * bytes > most_in_a_task) hand_over();
  StoreThread::own().await_room(copies_.memory_bytes() + elements * bytes);  // its memory can be used again then
  std::byte *to = copies_.add({slab.variable, slab.record, part, 0, elements}, elements * bytes);
  if (part == cells) {
    std::memcpy(to, values, static_cast<size_t>(elements * bytes));
    return;
  }
  RowCursor rows(part, cells, 0, cells.elements());
  int64_t begin = 0, end = 0;  // a stretch of values that is not copied yet
  const auto copy_stretch = [&] {
    std::memcpy(to, values + begin * bytes, static_cast<size_t>((end - begin) * bytes));
    to += (end - begin) * bytes;
  };
  for (Row row; rows.next(row); end = row.position + row.elements) {
    if (row.position == end) continue;
    copy_stretch();
    begin = row.position;
  }
  copy_stretch();
}

/// Gives fill values to its unput cells.
void StoredFile::fill(const UnputCells::Slab &slab) {
  const Variable &of = variable(slab.variable);
  const int64_t bytes = width(slab.variable), most = std::max<int64_t>(1, fill_bytes / bytes);
  const Element value = schema_.fill_value(of);
  const ByteRanges ranges = unput_.take(slab);
  for (const auto &[begin, end] : ranges.ends())
    for (int64_t at = begin; at < end; at += most) {
      const int64_t elements = std::min(most, end - at);
      if (copies_.bytes() + elements * bytes > most_in_a_task) hand_over();
      StoreThread::own().await_room(copies_.memory_bytes() + elements * bytes);
      const Box whole = Box::whole(schema_.slab_shape(of));
      std::byte *const to = copies_.add({slab.variable, slab.record, whole, at, at + elements}, elements * bytes);
      fill_elements(to, elements, value.data(), bytes);
    }
}

void StoredFile::fill_all() {
  for (int v = 0; v < std::ssize(schema_.variables); ++v)
    if (!storing_[static_cast<size_t>(v)].fills && fills_[static_cast<size_t>(v)] && !variable(v).has_records)
      unput_.add_untouched({v, 0}, schema_.slab_elements(variable(v)));
  for (const UnputCells::Slab &slab : unput_.slabs()) fill(slab);
}

/// A store reads records that count.
void StoredFile::settle_to_read() {
  fill_all();
  in_this_thread([&](Store &store) {
    if (committed_records_ < schema_.records) store.commit(committed_records_ = schema_.records);
  });
}

void StoredFile::put_strings(const StridedCells &cells, std::span<const std::string> strings) {
  error_.check();
  lengthen(cells);
  in_this_thread([&](Store &store) {
    for_boxes(cells, [&](const Box &box, int64_t before) {
      const auto first = static_cast<size_t>(before), count = static_cast<size_t>(box.elements());
      store.write_strings(cells.variable, box, strings.subspan(first, count));
    });
  });
}

std::vector<std::string> StoredFile::get_strings(const StridedCells &cells) {
  settle_to_read();
  std::vector<std::string> strings;
  for_boxes(cells, [&](const Box &box, int64_t) {
    std::ranges::move(store_->read_strings(cells.variable, box), std::back_inserter(strings));
  });
  return strings;
}

void StoredFile::get(const StridedCells &cells, std::byte *values) {
  settle_to_read();
  const Variable &of = variable(cells.variable);
  const int64_t bytes = width(cells.variable);
  for_boxes(cells, [&](const Box &box, int64_t before) {
    for_records(box, of.has_records, [&](int64_t record, const Box &inside, int64_t more) {
      const int64_t elements = inside.elements();
      store_->read({cells.variable, record, inside, 0, elements},
                   {values + (before + more) * bytes, static_cast<size_t>(elements * bytes)});
    });
  });
}

void StoredFile::sync() {
  fill_all();
  in_this_thread([&](Store &store) { store.commit(committed_records_ = schema_.records); });
}

void StoredFile::close() {
  sync();
  in_this_thread([](Store &store) {
    store.detach();
    store.finish();
  });
  is_closed_ = true;
}

void StoredFile::abandon() noexcept {
  if (std::exchange(is_closed_, true)) return;
  StoreThread::own().rest();
  store_->mark_failed_everywhere();
  static_cast<void>(caught(-1, [this] { store_->detach(); }));
  store_->abandon();
}

}  // namespace sv
