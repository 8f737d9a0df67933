#include "launching.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace sv_tools {

namespace fs = std::filesystem;

namespace {

constexpr const char *launchers[] = {"mpiexec", "mpirun",        "mpiexec.openmpi", "mpirun.openmpi", "orterun",
                                     "prterun", "mpiexec.hydra", "mpirun.hydra",    "mpiexec.mpich",  "mpirun.mpich",
                                     "srun"};

volatile std::sig_atomic_t child = 0, received = 0;

void note(int number) { received = number; }

void pass_on(int number) {
  note(number);
  if (child > 0) {
    kill(static_cast<pid_t>(child), number);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

/// While a command runs. The terminal sends SIGINT and SIGQUIT to the command too, which decides what becomes of them;
/// SIGTERM and SIGHUP are passed on to it, and wait until there is a command.
class Signals {
 public:
  Signals() {
    sigset_t passed_on;
    sigemptyset(&passed_on);
    for (const int number : {SIGTERM, SIGHUP}) sigaddset(&passed_on, number);
    sigprocmask(SIG_BLOCK, &passed_on, &mask_);
    received = 0;
    struct sigaction noted {
    }, passed{};
    noted.sa_handler = note;
    passed.sa_handler = pass_on;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const bool is_passed = numbers[i] == SIGTERM || numbers[i] == SIGHUP;
      sigaction(numbers[i], is_passed ? &passed : &noted, &before_[i]);
      if (numbers[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) signal(SIGHUP, SIG_IGN);  // under nohup
    }
  }
  ~Signals() {
    child = 0;
    give_back();
  }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;

  void pass_on_to(pid_t started) const {
    child = started;
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  /// As they were before.
  void give_back() const {
    for (size_t i = 0; i < numbers.size(); ++i) sigaction(numbers[i], &before_[i], nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr std::array numbers{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, numbers.size()> before_{};
  sigset_t mask_{};
};

bool is_launcher(const std::string &command) {
  const std::string name = fs::path(command).filename();
  return std::find(std::begin(launchers), std::end(launchers), name) != std::end(launchers);
}

// The file that the shell would run; empty: none.
std::string found_program(const std::string &name) {
  const auto runs = [](const fs::path &path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : "";
  const char *const path = std::getenv("PATH");
  std::string_view rest(path != nullptr ? path : "");
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (runs(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return "";
}

// Open MPI's launchers pass variables to other hosts only on request. A script of that name may have other
// arguments.
bool is_open_mpi(const std::string &command) {
  const std::string program = found_program(command);
  std::array<char, 4> magic{};
  std::ifstream(program, std::ios::binary).read(magic.data(), magic.size());
  if (!is_launcher(command) || std::string_view(magic.data(), magic.size()) != "\177ELF") return false;
  std::string quoted;
  for (const char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::unique_ptr<FILE, int (*)(FILE *)> output(popen(("'" + quoted + "' --version 2>/dev/null").c_str(), "r"),
                                                      pclose);
  std::array<char, 4096> text{};
  const size_t length = output ? fread(text.data(), 1, text.size() - 1, output.get()) : 0;
  const std::string_view version(text.data(), length);
  return version.find("Open MPI") != version.npos || version.find("OpenRTE") != version.npos ||
         version.find("PRRTE") != version.npos;
}

// The command's environment, and the names of its variables except our own.
class Environment {
 public:
  explicit Environment(const Launch &launch) {
    for (char **variable = environ; *variable != nullptr; ++variable) all_.emplace_back(*variable);
    const char *const before = std::getenv("LD_PRELOAD");
    std::string preloaded;
    for (const std::string &library : launch.libraries) preloaded += (preloaded.empty() ? "" : ":") + library;
    if (before != nullptr && *before != '\0') preloaded += (preloaded.empty() ? "" : ":") + std::string(before);
    if (!preloaded.empty()) add("LD_PRELOAD", preloaded);
    for (const auto &[name, value] : launch.variables) add(name, value);
    if (!launch.directory.empty()) set("PWD", launch.directory);  // Open MPI's launcher believes it, where it is right
  }
  const std::vector<std::string> &added() const { return added_; }
  /// Ends with a null pointer, and belongs to this object.
  std::vector<char *> pointers() {
    std::vector<char *> found;
    for (std::string &variable : all_) found.push_back(variable.data());
    found.push_back(nullptr);
    return found;
  }

 private:
  void add(const std::string &name, const std::string &value) {
    set(name, value);
    added_.push_back(name);
  }
  void set(const std::string &name, const std::string &value) {
    const std::string head = name + "=";
    all_.erase(std::remove_if(all_.begin(), all_.end(),
                              [&](const std::string &variable) { return variable.compare(0, head.size(), head) == 0; }),
               all_.end());
    all_.push_back(head + value);
  }
  std::vector<std::string> all_, added_;
};

// Only what may be called after a fork.
[[noreturn]] void become(const std::vector<char *> &arguments, const std::vector<char *> &environment,
                         const Launch &launch) {
  const char *const tool = launch.tool.c_str();
  if (!launch.directory.empty() && chdir(launch.directory.c_str()) != 0) {
    dprintf(STDERR_FILENO, "%s: '%s' cannot be entered: %s\n", tool, launch.directory.c_str(), std::strerror(errno));
    _exit(126);
  }
  execvpe(arguments[0], arguments.data(), environment.data());
  const char *const why = std::strerror(errno);
  dprintf(STDERR_FILENO, "%s: '%s' cannot be started: %s\n", tool, arguments[0], why);
  _exit(errno == ENOENT ? 127 : 126);
}

}  // namespace

std::string own_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::string own_library(const std::string &name) {
  for (const char *const folder : {SV_BIN_TO_LIB, "../lib"}) {
    std::error_code error;
    const fs::path library = fs::canonical(fs::path(own_folder()) / folder / name, error);
    if (!error) return library;
  }
  throw std::runtime_error(name + " is not where it was installed, in '" + own_folder() + "/" SV_BIN_TO_LIB "'");
}

std::string program_name(const std::vector<std::string> &command) {
  auto program = command.begin();
  if (is_launcher(command[0])) {
    program = std::find_if(command.begin() + 1, command.end(), [](const std::string &word) {
      return !word.empty() && word[0] != '-' && !found_program(word).empty();
    });
    if (program == command.end()) program = command.begin();
  }
  return fs::path(*program).filename();
}

namespace {

/// Gives Open MPI's launchers the names of the environment's variables except our own. Pointers into `command`, and a
/// null pointer.
std::vector<char *> arguments_of(std::vector<std::string> &command, const Environment &environment) {
  if (is_open_mpi(command[0]))
    for (const std::string &name : environment.added()) command.insert(command.begin() + 1, {"-x", name});
  std::vector<char *> arguments;
  for (std::string &word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

void become_launched(std::vector<std::string> command, const Launch &launch) {
  Environment environment(launch);
  const std::vector<char *> arguments = arguments_of(command, environment);
  become(arguments, environment.pointers(), launch);
}

int run_launched(std::vector<std::string> command, const Launch &launch) {
  Environment environment(launch);
  const std::vector<char *> arguments = arguments_of(command, environment), variables = environment.pointers();
  const Signals signals;
  const pid_t started = fork();
  if (started < 0) throw std::runtime_error(std::string("no process can be started: ") + std::strerror(errno));
  if (started == 0) {
    signals.give_back();
    become(arguments, variables, launch);
  }
  signals.pass_on_to(started);
  int status = 0;
  while (waitpid(started, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error(std::string("the command cannot be awaited: ") + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool was_interrupted(int status) {
  return received != 0 || std::ranges::any_of(std::array{SIGINT, SIGQUIT, SIGTERM, SIGHUP},
                                              [status](int number) { return status == 128 + number; });
}

}  // namespace sv_tools
