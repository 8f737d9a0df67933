// The contents of the campaign's files: known to the writing programs and to the judge.
//
//   time(time)           the step                     depth(y, x)         fixed
//   temp(time, z, y, x)                               flag(time), small(time): one value, an int and a byte
//   added(time, y, x)    of later versions, from one of its records on; fill before
//   attributes           `version`; text_0, text_1 ...: of every version others, so that a mixture of two is seen
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace svcrash {

struct Sizes {
  int64_t nz = 2, ny = 6, nx = 20;
  int texts = 4;
};

/// What a file is like from one definition to the next; a file has one or more, numbered upwards.
struct Version {
  int number = 0;
  int salt = 0;             // files of one name with other values have other salts
  int64_t added_from = -1;  // the first record with a value of `added`; -1: there is no such variable
};

constexpr double added_fill = -7;

/// The time of a period of eight hours (streams_run.hpp), in hours.
inline double middle_of(int64_t period) { return 8.0 * static_cast<double>(period) + 4; }

inline double truth(const Version &version, int variable, int64_t step, int64_t cell) {
  return static_cast<double>((7 * cell + 1013 * step + 131 * version.salt + 4001 * variable) % 32749);
}
enum { var_depth = 1, var_temp, var_flag, var_small, var_added };

inline double truth_small(const Version &version, int64_t step) {
  return static_cast<double>(static_cast<int64_t>(truth(version, var_small, step, 0)) % 101);
}

/// About 100 bytes, so that some of them fill pages.
inline std::string truth_text(int version, int number) {
  std::string text = "text " + std::to_string(number) + " of version " + std::to_string(version);
  text.resize(static_cast<size_t>(60 + 31 * ((version + number) % 3)), static_cast<char>('a' + version % 26));
  return text;
}

}  // namespace svcrash
