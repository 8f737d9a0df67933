#include "input.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.hpp"

namespace sv_plan {

std::string input_text(const std::string &path, const std::string &what, const std::string &remedy) {
  constexpr size_t most_bytes = size_t{64} << 20;
  const auto refuse = [&](sv::Status status, const std::string &cause) {
    return sv::Error(status, cause, remedy).in_file(path);
  };
  const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "re"), std::fclose);
  if (!file) throw refuse(sv::Status::access, what + " cannot be read: " + std::strerror(errno));
  std::string text;
  std::array<char, 65536> block;
  while (const size_t got = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), got);
    if (text.size() > most_bytes) throw refuse(sv::Status::config, what + " is longer than 64 MiB");
  }
  if (std::ferror(file.get())) throw refuse(sv::Status::access, what + " cannot be read: " + std::strerror(errno));
  return text;
}

}  // namespace sv_plan
