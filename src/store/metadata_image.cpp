#include "store/metadata_image.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv {

namespace {

constexpr int64_t alignment_bytes = 8;  // of metadata

/// Of space for metadata for which the reserve has no room: a small part of the file.
int64_t region_bytes(int64_t end_bytes) {
  constexpr int64_t least = 4 << 10, most = 1 << 20, part = 64;
  return std::clamp(end_bytes / part, least, most);
}

}  // namespace

MetadataImage::MetadataImage(std::span<const std::byte> all) {
  write(0, all);
  end_ = length_ = std::ssize(all);
}

void MetadataImage::reserve(int64_t end_bytes) {
  free_begin_ = align_up(end_, alignment_bytes);
  free_end_ = end_ = align_up(std::max(free_begin_, end_bytes), page_bytes);
}

MetadataImage::Page &MetadataImage::page(int64_t number) {
  const auto known = pages_.find(number);
  if (known != pages_.end()) return known->second;
  Page made(page_bytes);
  if (read_) read_(number * page_bytes, made);
  return pages_.emplace(number, std::move(made)).first->second;
}

template <class Visit>
void MetadataImage::for_pages(int64_t offset_bytes, int64_t bytes, Visit visit) {
  for (int64_t done = 0; done < bytes;) {
    const int64_t at = (offset_bytes + done) % page_bytes, here = std::min(page_bytes - at, bytes - done);
    visit(page((offset_bytes + done) / page_bytes).data() + at, done, here);
    done += here;
  }
}

void MetadataImage::read(int64_t offset_bytes, std::span<std::byte> to) {
  for_pages(offset_bytes, std::ssize(to), [&](const std::byte *in_page, int64_t done, int64_t here) {
    std::copy_n(in_page, here, to.data() + done);
  });
}

void MetadataImage::write(int64_t offset_bytes, std::span<const std::byte> from, int turn) {
  const int64_t end = offset_bytes + std::ssize(from);
  for_pages(offset_bytes, std::ssize(from),
            [&](std::byte *in_page, int64_t done, int64_t here) { std::copy_n(from.data() + done, here, in_page); });
  if (new_.contains(offset_bytes, end)) turn = 0;
  for (auto &[other, ranges] : changed_)
    if (other != turn) ranges.remove(offset_bytes, end);
  changed_[turn].add(offset_bytes, end);
}

void MetadataImage::forget(int64_t offset_bytes, int64_t bytes) {
  for (auto &[turn, ranges] : changed_) ranges.remove(offset_bytes, offset_bytes + bytes);
}

int64_t MetadataImage::place_metadata(int64_t bytes) {
  const auto begin_for = [bytes](int64_t at) {
    const int64_t rest = align_up(at, page_bytes) - at;
    return bytes <= page_bytes && bytes > rest ? at + rest : at;
  };
  if (free_end_ - begin_for(free_begin_) < bytes) {
    free_begin_ = align_up(end_, page_bytes);
    free_end_ = end_ = free_begin_ + align_up(std::max(bytes, region_bytes(end_)), page_bytes);
  }
  const int64_t place = begin_for(free_begin_);
  free_begin_ = align_up(place + bytes, alignment_bytes);
  new_.add(place, place + bytes);
  return place;
}

int64_t MetadataImage::place_data(int64_t bytes) {
  const int64_t place = end_;
  end_ += bytes;
  return place;
}

void MetadataImage::set_end(int64_t end_bytes) {
  length_ = length();
  end_ = std::max(end_bytes, committed_end_);
  free_end_ = std::min(free_end_, end_);
  free_begin_ = std::min(free_begin_, free_end_);
}

std::vector<Change> MetadataImage::changes() {
  std::vector<Change> all;
  for (const auto &[turn, ranges] : changed_)
    for (const auto &[begin, end] : ranges.ends()) {
      all.push_back({begin, std::vector<std::byte>(static_cast<size_t>(end - begin))});
      read(begin, all.back().bytes);
    }
  return all;
}

void MetadataImage::committed() {
  changed_.clear();
  new_ = {};
  committed_end_ = end_;
}

}  // namespace sv
