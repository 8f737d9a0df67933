#include "file_stamp.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "sharing.hpp"

namespace sv::streams {

namespace {

constexpr const char *uuid_mark = "{uuid}", *now_mark = "{now}";

std::string random_uuid(std::seed_seq &seed) {
  std::mt19937 generator(seed);
  uint32_t words[4];
  for (uint32_t &word : words) word = static_cast<uint32_t>(generator());
  words[1] = (words[1] & 0xffff0fffU) | 0x4000U;      // version 4
  words[2] = (words[2] & 0x3fffffffU) | 0x80000000U;  // variant of RFC 9562
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%04x%08x", words[0], words[1] >> 16, words[1] & 0xffffU,
                words[2] >> 16, words[2] & 0xffffU, words[3]);
  return text;
}

std::string text_of(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void replace(std::string &text, const std::string &mark, const std::string &value) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
}

}  // namespace

bool has_stamp(const std::string &text) {
  return text.find(uuid_mark) != std::string::npos || text.find(now_mark) != std::string::npos;
}

FileStamp::FileStamp(sv_context *io, const std::string &file) {
  if (is_first_rank(io)) {
    const char *const epoch = std::getenv("SOURCE_DATE_EPOCH");
    const std::time_t time = epoch != nullptr ? std::strtoll(epoch, nullptr, 10) : std::time(nullptr);
    now_ = text_of(time);
    std::vector<uint32_t> numbers;
    if (epoch != nullptr) {
      for (const char each : file + now_) numbers.push_back(static_cast<unsigned char>(each));
    } else {
      std::random_device device;
      for (int i = 0; i < 8; ++i) numbers.push_back(device());
    }
    std::seed_seq seed(numbers.begin(), numbers.end());
    uuid_ = random_uuid(seed);
  }
  share(io, uuid_);
  share(io, now_);
}

std::string FileStamp::applied(std::string text) const {
  replace(text, uuid_mark, uuid_);
  replace(text, now_mark, now_);
  return text;
}

}  // namespace sv::streams
