#include "janitor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

namespace sv_tools {

namespace {

/// Out of reach of the signals to the job, and of the launcher, which waits for all that may still write.
void leave_the_job() {
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, descriptor);
}

constexpr char expected = '+', kept = '-';  // before each path

/// The paths that the messages expect and no later one keeps.
std::set<std::string> remaining(std::string_view messages) {
  std::set<std::string> paths;
  for (size_t end = 0; (end = messages.find('\0')) != std::string_view::npos; messages.remove_prefix(end + 1)) {
    const std::string path(messages.substr(1, end - 1));
    if (messages.front() == expected)
      paths.insert(path);
    else
      paths.erase(path);
  }
  return paths;
}

[[noreturn]] void remove_when_it_ends(int pipe) {
  leave_the_job();
  std::string messages;
  std::array<char, 4096> some{};
  for (ssize_t got = 0; (got = read(pipe, some.data(), some.size())) > 0;)
    messages.append(some.data(), static_cast<size_t>(got));
  std::error_code stays;
  for (const std::string &path : remaining(messages)) std::filesystem::remove_all(path, stays);
  _exit(0);
}

}  // namespace

Janitor::Janitor() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    remove_when_it_ends(ends[0]);
  }
  close(ends[0]);
  pipe_ = ends[1];
  if (child > 0) return;
  close(pipe_);
  pipe_ = -1;
}

Janitor::~Janitor() {
  if (pipe_ >= 0) close(pipe_);
}

void Janitor::expect(const std::string &path) { send(expected, path); }

void Janitor::keep(const std::string &path) { send(kept, path); }

void Janitor::send(char message, const std::string &path) {
  const std::string text = message + std::filesystem::absolute(path).string() + '\0';
  if (pipe_ >= 0 && write(pipe_, text.data(), text.size()) < 0) {
    close(pipe_);  // it is gone
    pipe_ = -1;
  }
}

}  // namespace sv_tools
