#include "account.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

namespace sv::face {

namespace {

const char *list_path() {
  const char *const named = std::getenv("SV_RUN_FILES");
  return named != nullptr && *named != '\0' ? named : nullptr;
}

/// Appends a line of fields, which tabs separate, by one call: other processes may write lines at the same time.
void append(std::initializer_list<std::string> fields) {
  if (!lists_files()) return;
  std::string line;
  for (const std::string &field : fields) {
    if (!line.empty()) line.push_back('\t');
    for (const char c : field) line.push_back(c == '\t' || c == '\n' ? ' ' : c);
  }
  line.push_back('\n');
  const int list = ::open(list_path(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (list < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(list, line.data(), line.size());
  ::close(list);
}

}  // namespace

bool lists_files() { return list_path() != nullptr; }

void list_handled(const std::string &path, const Account &account, int ranks, int code) {
  const std::chrono::duration<double> open = std::chrono::steady_clock::now() - account.opened;
  append({"taken", std::to_string(ranks), std::to_string(account.puts), std::to_string(account.gets),
          std::to_string(account.put_bytes), std::to_string(account.got_bytes), std::to_string(open.count()),
          std::to_string(code), path, SV_FACE_LIBRARY, account.note});
}

void list_left(const std::string &path, const std::string &reason, int ranks) {
  append({"left", std::to_string(ranks), reason, path, SV_FACE_LIBRARY});
}

}  // namespace sv::face
