// Malformed CDF files, made from whole ones: the same for the same seed and number. Knows the fields of a header ("The
// NetCDF Classic Format Specification", Unidata; "CDF-5 File Format Specification", PnetCDF) by a walk of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace svfuzz {

using Bytes = std::vector<unsigned char>;

struct Field {
  enum class Kind { records, tag, count, name_length, text, type, extent, dim, vsize, begin };
  Kind kind;
  size_t at, width;  // bytes
};

inline uint64_t number_at(const Bytes &bytes, const Field &field) {
  uint64_t value = 0;
  for (size_t i = 0; i < field.width; ++i) value = value << 8 | bytes[field.at + i];
  return value;
}
inline void set_number(Bytes &bytes, const Field &field, uint64_t value) {
  for (size_t i = field.width; i-- > 0; value >>= 8) bytes[field.at + i] = static_cast<unsigned char>(value);
}

/// The fields of a whole header, in their order.
class Walk {
 public:
  explicit Walk(const Bytes &bytes) : bytes_(bytes), count_(bytes[3] == 5 ? 8 : 4), offset_(bytes[3] == 1 ? 4 : 8) {
    take(Field::Kind::records, count_);
    for (uint64_t n = list(); n > 0; --n) {
      name();
      take(Field::Kind::extent, count_);
    }
    attributes();
    for (uint64_t n = list(); n > 0; --n) {
      name();
      for (uint64_t rank = take(Field::Kind::count, count_); rank > 0; --rank) take(Field::Kind::dim, count_);
      attributes();
      take(Field::Kind::type, 4);
      take(Field::Kind::vsize, count_);
      take(Field::Kind::begin, offset_);
    }
  }
  std::vector<Field> fields;
  size_t end = 4;

 private:
  uint64_t take(Field::Kind kind, size_t width) {
    fields.push_back({kind, end, width});
    end += width;
    return number_at(bytes_, fields.back());
  }
  uint64_t list() {
    take(Field::Kind::tag, 4);
    return take(Field::Kind::count, count_);
  }
  void text(uint64_t bytes) {
    if (bytes > 0) fields.push_back({Field::Kind::text, end, static_cast<size_t>(bytes)});
    end += static_cast<size_t>((bytes + 3) / 4 * 4);
  }
  void name() { text(take(Field::Kind::name_length, count_)); }
  void attributes() {
    constexpr uint64_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    for (uint64_t n = list(); n > 0; --n) {
      name();
      const uint64_t type = take(Field::Kind::type, 4);
      text(take(Field::Kind::count, count_) * sizes[type]);
    }
  }
  const Bytes &bytes_;
  size_t count_, offset_;
};

struct Seed {
  std::string name;
  Bytes bytes;
  std::vector<Field> fields;
  size_t header;  // its length
};

/// The files of a folder, by name.
inline std::vector<Seed> read_corpus(const std::string &folder) {
  std::vector<Seed> seeds;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(in), {}};
    const Walk walk(bytes);
    seeds.push_back({entry.path().filename(), bytes, walk.fields, walk.end});
  }
  std::sort(seeds.begin(), seeds.end(), [](const Seed &a, const Seed &b) { return a.name < b.name; });
  return seeds;
}

/// Values that break arithmetic, or are close to the right one.
inline std::vector<uint64_t> values_for(const Seed &seed, const Field &field) {
  const uint64_t old = number_at(seed.bytes, field), size = seed.bytes.size();
  std::vector<uint64_t> values{0,
                               1,
                               2,
                               3,
                               5,
                               6,
                               11,
                               12,
                               16,
                               17,
                               255,
                               256,
                               0xffff,
                               old + 1,
                               old - 1,
                               old * 2,
                               old << 16,
                               size,
                               size - 1,
                               size + 1,
                               seed.header,
                               ~0ULL,
                               ~0ULL - 1,
                               1ULL << 24,
                               1ULL << 30,
                               (1ULL << 31) - 1,
                               1ULL << 31,
                               (1ULL << 32) - 1,
                               1ULL << 32,
                               1ULL << 40,
                               (1ULL << 62) - 1,
                               1ULL << 62,
                               (1ULL << 63) - 1,
                               1ULL << 63,
                               ~0ULL - 3,
                               (1ULL << 62) / 3};
  for (const Field &other : seed.fields)  // the places and ids of others
    if (other.kind == field.kind && field.kind != Field::Kind::text) values.push_back(number_at(seed.bytes, other));
  return values;
}

/// Every truncation of the header, then every field with each of these values; next() is false at the end.
class Systematic {
 public:
  explicit Systematic(const Seed &seed) : seed_(seed) {}
  bool next(Bytes &bytes) {
    if (cut_ <= seed_.header) {
      bytes.assign(seed_.bytes.begin(), seed_.bytes.begin() + static_cast<std::ptrdiff_t>(cut_++));
      return true;
    }
    while (field_ < seed_.fields.size() && (seed_.fields[field_].width > 8 || value_ >= values_.size())) advance();
    if (field_ >= seed_.fields.size()) return false;
    bytes = seed_.bytes;
    set_number(bytes, seed_.fields[field_], values_[value_++]);
    return true;
  }

 private:
  void advance() {
    if (!values_.empty() || seed_.fields[field_].width > 8) ++field_;
    value_ = 0;
    values_.clear();
    if (field_ < seed_.fields.size() && seed_.fields[field_].width <= 8)
      values_ = values_for(seed_, seed_.fields[field_]);
  }
  const Seed &seed_;
  size_t cut_ = 0, field_ = 0, value_ = 0;
  std::vector<uint64_t> values_;
};

/// Mutation number `n` of a run: one to four changes of one file.
class Mutation {
 public:
  Mutation(const std::vector<Seed> &seeds, uint64_t run, uint64_t n)
      : seeds_(seeds), random_(run * 0x9e3779b97f4a7c15ULL + n), seed_(any(seeds)), bytes_(seed_.bytes) {
    for (uint64_t changes = 1 + below(4); changes > 0; --changes) change();
  }
  const Bytes &bytes() const { return bytes_; }
  const std::string &name() const { return seed_.name; }

 private:
  uint64_t below(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  template <class T>
  const T &any(const std::vector<T> &all) {
    return all[below(all.size())];
  }
  std::ptrdiff_t place() { return static_cast<std::ptrdiff_t>(below(std::min(bytes_.size(), seed_.header) + 1)); }

  void change() {
    switch (below(10)) {
      case 0:
        bytes_.resize(below(bytes_.size() + 1));
        return;
      case 1:
        return flip();
      case 2:
        return splice();
      case 3:
        return repeat();
      case 4:
        if (bytes_.size() > 3) bytes_[3] = static_cast<unsigned char>(below(8));
        return;
      case 5:
        return swap_fields();
      default:
        return set_field();
    }
  }
  bool whole(const Field &field) const { return field.at + field.width <= bytes_.size(); }
  void flip() {
    for (uint64_t n = 1 + below(8); n > 0 && !bytes_.empty(); --n)
      bytes_[below(std::min(bytes_.size(), seed_.header))] ^= static_cast<unsigned char>(1 << below(8));
  }
  void set_field() {
    const Field &field = any(seed_.fields);
    if (!whole(field)) return;
    if (field.kind == Field::Kind::text)
      bytes_[field.at + below(field.width)] = static_cast<unsigned char>(below(256));
    else
      set_number(bytes_, field, below(8) == 0 ? random_() : any(values_for(seed_, field)));
  }
  /// Two names become one, offsets cross, the record dimension moves: a field takes what another of its kind has.
  void swap_fields() {
    const Field &one = any(seed_.fields), &other = any(seed_.fields);
    if (one.kind != other.kind || !whole(one) || !whole(other)) return;
    for (size_t i = 0; i < std::min(one.width, other.width); ++i) bytes_[one.at + i] = seed_.bytes[other.at + i];
  }
  /// The head of this file and the tail of another.
  void splice() {
    const Seed &other = any(seeds_);
    const auto from = static_cast<std::ptrdiff_t>(below(other.header));
    bytes_.resize(static_cast<size_t>(place()));
    bytes_.insert(bytes_.end(), other.bytes.begin() + from, other.bytes.end());
  }
  /// A part once more, or left out.
  void repeat() {
    std::ptrdiff_t from = place(), to = place();
    if (from > to) std::swap(from, to);
    if (below(2) == 0) return void(bytes_.erase(bytes_.begin() + from, bytes_.begin() + to));
    const Bytes part(bytes_.begin() + from, bytes_.begin() + to);
    bytes_.insert(bytes_.begin() + place(), part.begin(), part.end());
  }

  const std::vector<Seed> &seeds_;
  std::mt19937_64 random_;
  const Seed &seed_;
  Bytes bytes_;
};

/// A number from the environment.
inline uint64_t from_environment(const char *name, uint64_t otherwise) {
  const char *const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace svfuzz
