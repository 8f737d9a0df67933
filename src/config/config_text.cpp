#include "config/config_text.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/error.hpp"

namespace sv {

std::string read_config_text(const std::string &path, const std::string &what) {
  constexpr size_t largest_file_bytes = 1 << 20;
  const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "r"), std::fclose);
  if (!file) throw system_error(errno, what + " cannot be opened", path);
  std::string text;
  std::array<char, 4096> block;
  while (const size_t got = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), got);
    if (text.size() > largest_file_bytes)
      throw Error(Status::config, what + " is longer than 1 MiB", "Check that this is the file you meant")
          .in_file(path);
  }
  if (std::ferror(file.get())) throw system_error(errno, what + " cannot be read", path);
  return text;
}

}  // namespace sv
