#include "string_arrays.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace sv::c {

namespace {

char *copy_of(const std::string &text) {
  auto *const made = static_cast<char *>(std::malloc(text.size() + 1));
  if (made == nullptr) throw std::bad_alloc();
  std::memcpy(made, text.c_str(), text.size() + 1);
  return made;
}

}  // namespace

void free_strings(std::span<char *> values) {
  for (char *&each : values) std::free(std::exchange(each, nullptr));
}

void give_strings(char **values, std::span<const std::string> strings) {
  const std::span<char *> made(values, strings.size());
  std::fill(made.begin(), made.end(), nullptr);
  try {
    for (size_t i = 0; i < strings.size(); ++i) made[i] = copy_of(strings[i]);
  } catch (...) {
    free_strings(made);
    throw;
  }
}

}  // namespace sv::c
