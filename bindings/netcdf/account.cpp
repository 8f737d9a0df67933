#include "account.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

#include "dataset.hpp"

namespace sv::netcdf {

namespace {

/// A line of fields, which tabs separate. Other processes of the run may write lines at the same time: one call, at the
/// end.
void append(std::initializer_list<std::string> fields) {
  const char *const list = std::getenv("SV_RUN_FILES");
  if (list == nullptr || *list == '\0') return;
  std::string line;
  for (const std::string &field : fields) {
    if (!line.empty()) line.push_back('\t');
    for (const char c : field) line.push_back(c == '\t' || c == '\n' ? ' ' : c);
  }
  line.push_back('\n');
  const int file = ::open(list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
  ::close(file);
}

}  // namespace

void tell_taken(const Dataset &own, int code) {
  const Account &account = own.account;
  const std::chrono::duration<double> open = std::chrono::steady_clock::now() - account.opened;
  append({"taken", "1", std::to_string(account.puts), std::to_string(account.gets), std::to_string(account.put_bytes),
          std::to_string(account.got_bytes), std::to_string(open.count()), std::to_string(code), own.path, "netCDF"});
}

void tell_left(const std::string &path, const std::string &reason) { append({"left", "1", reason, path, "netCDF"}); }

}  // namespace sv::netcdf
