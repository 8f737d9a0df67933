// Malformed netCDF-4 files, made from whole ones: the same for the same seed and number. Most changes are in the
// metadata: at the beginning of a file of HDF5 and around its signatures.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>

#include "fuzz/mutations.hpp"

namespace svfuzz {

class Netcdf4Mutation {
 public:
  Netcdf4Mutation(const std::vector<Bytes> &seeds, uint64_t seed, uint64_t number)
      : random_(seed * 1000003 + number), bytes_(seeds[below(seeds.size())]) {
    marks();
    for (uint64_t left = 1 + below(below(4) == 0 ? 12 : 3); left > 0; --left) change(seeds);
    if (below(20) == 0) bytes_.resize(below(bytes_.size()) + 1);
  }
  const Bytes &bytes() const { return bytes_; }

 private:
  uint64_t below(uint64_t end) { return std::uniform_int_distribution<uint64_t>(0, end - 1)(random_); }

  /// Where HDF5's own structures begin.
  void marks() {
    constexpr std::array names{"TREE", "HEAP", "SNOD", "OHDR", "OCHK", "FRHP", "FHDB", "FHIB", "BTHD",
                               "BTLF", "GCOL", "FSHD", "FSSE", "FADB", "FAHD", "EAHD", "SMTB"};
    for (size_t at = 0; at + 4 <= bytes_.size(); ++at)
      if (std::any_of(names.begin(), names.end(),
                      [&](const char *name) { return std::memcmp(bytes_.data() + at, name, 4) == 0; }))
        marks_.push_back(at);
  }
  size_t place() {
    const uint64_t way = below(10);
    size_t at = below(bytes_.size());
    if (way < 2) at = below(96);
    if (way >= 2 && way < 8 && !marks_.empty()) at = marks_[below(marks_.size())] + below(160);
    return std::min(at, bytes_.size() - 1);
  }
  void change(const std::vector<Bytes> &seeds) {
    const size_t at = place(), width = size_t{1} << below(4);
    switch (below(6)) {
      case 0:
        bytes_[at] = static_cast<unsigned char>(bytes_[at] ^ 1U << below(8));
        break;
      case 1:
        bytes_[at] = static_cast<unsigned char>(below(256));
        break;
      case 2: {  // a number at the end of the range
        constexpr std::array<uint64_t, 10> numbers{0,      1,          0x7f,       0xff,       0x7fff,
                                                   0xffff, 0x7fffffff, 0xffffffff, 1ULL << 62, UINT64_MAX};
        const uint64_t number = numbers[below(numbers.size())];
        for (size_t i = 0; i < width && at + i < bytes_.size(); ++i)
          bytes_[at + i] = static_cast<unsigned char>(number >> (8 * i));
        break;
      }
      case 3: {  // one that is close to the present value
        const auto step = static_cast<unsigned char>(below(9) + 252);
        bytes_[at] = static_cast<unsigned char>(bytes_[at] + step);
        break;
      }
      case 4: {  // a piece of another place, or of another file
        const Bytes &from = below(2) == 0 ? bytes_ : seeds[below(seeds.size())];
        const size_t length = std::min({size_t{1} << below(9), from.size(), bytes_.size() - at});
        const Bytes piece(from.begin(), from.end());
        const size_t first = below(piece.size() - length + 1);
        std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(first), length,
                    bytes_.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      default: {  // two places change
        const size_t other = place(), length = std::min({width, bytes_.size() - at, bytes_.size() - other});
        for (size_t i = 0; i < length; ++i) std::swap(bytes_[at + i], bytes_[other + i]);
      }
    }
  }

  std::mt19937_64 random_;
  Bytes bytes_;
  std::vector<size_t> marks_;
};

}  // namespace svfuzz
