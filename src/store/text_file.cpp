#include "store/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/error.hpp"

namespace sv {

void write_text(const std::string &path, const std::string &text, const std::string &what) {
  const auto check = [&](bool success) {
    if (!success) throw system_error(errno, what, path);
  };
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "we"), std::fclose);
  check(file != nullptr);
  check(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0);
  check(std::fclose(file.release()) == 0);  // some file systems report errors only now
}

}  // namespace sv
