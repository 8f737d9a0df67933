#include "transfer/slab_batches.hpp"

#include "base/first_error.hpp"
#include "file/store_calls.hpp"

namespace sv {

void SlabBatches::add(const Slab &slab, int64_t bytes, bool is_apart) {
  if (wanted_.empty() || !is_apart || bytes_ + bytes > most_bytes) {
    begins_.push_back(wanted_.size());
    bytes_ = 0;
  }
  wanted_.push_back({slab, bytes});
  bytes_ += bytes;
}

void SlabBatches::read_batch(size_t first, size_t last, const Take &take) {
  int64_t bytes = 0;
  for (size_t i = first; i < last; ++i) bytes += wanted_[i].bytes;
  staging_.resize(static_cast<size_t>(bytes));
  std::vector<SlabPart> parts;
  std::byte *at = staging_.data();
  for (size_t i = first; i < last; at += wanted_[i].bytes, ++i)
    parts.push_back({wanted_[i].slab, {at, static_cast<size_t>(wanted_[i].bytes)}, false});
  Home &home = file_.home();
  (home.readers() == Readers::together ? home.store() : home.lone_reader()).read_many(parts);
  for (size_t i = first; i < last; ++i) take(i, parts[i - first].values.data());
}

void SlabBatches::read(const std::function<void()> &list, const Take &take) {
  FirstError first(file_.context().rank());
  first.attempt(list);
  const auto batch = [&](int64_t call) {  // -1: an empty one
    const auto number = static_cast<size_t>(call);
    const size_t begin = call < 0 ? wanted_.size() : begins_[number];
    read_batch(begin, call < 0 || number + 1 == begins_.size() ? wanted_.size() : begins_[number + 1], take);
  };
  const int64_t mine = first ? 0 : std::ssize(begins_);
  if (file_.home().readers() == Readers::together) {
    first.note(make_calls(file_, {Direction::read, 0, mine, static_cast<bool>(first)}, batch));
  } else {
    for (int64_t call = 0; call < mine; ++call) batch(call);
  }
  first.check();
}

}  // namespace sv
