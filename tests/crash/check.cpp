// Builds the crash states of a recorded run and judges them: crash_check LOG [key=value ...]
//
//   count=N          distinct states (default 1000); seed=S, of the random ones (default 1)
//   state=TEXT       that state alone, and its files are left in crash_state, which must not exist
//   final=DIR        first, whether the log repeated is what the run has left there
//
// The last line on standard output is JSON: how many states, and their verdicts. Exit status 1: a promise was
// broken; the first case of each kind is printed, with its state. The states are looked at in a child process: a
// reader that crashes, or does not come to an end, is judged, too.
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unordered_set>

#include "judge.hpp"
#include "log.hpp"
#include "states.hpp"

namespace svcrash {
namespace {

constexpr int reader_limit_s = 30, most_stories = 8;

/// What parent and child share.
struct Books {
  int64_t states[2], promised[2], fate[2][fates];  // by Crash
  int64_t violations, built, at;                   // at: the state that is being read
  int n_stories, crash;                            // of that state
  bool done, promises;
  char state[200], stories[most_stories][1200];
};

struct Options {
  std::string log, state, final_directory;
  size_t count = 1000;
  uint64_t seed = 1;
};

/// Printed once for each text without its numbers.
void report_violation(Books &books, const std::string &state, const std::string &description) {
  ++books.violations;
  const auto form = [](const std::string &text) {
    std::string rest;
    for (const char c : text)
      if (c < '0' || c > '9') rest += c;
    return rest;
  };
  for (int i = 0; i < books.n_stories; ++i)
    if (form(std::strchr(books.stories[i], ' ')) == form(" " + description)) return;
  if (books.n_stories == most_stories) return;
  std::snprintf(books.stories[books.n_stories++], sizeof books.stories[0], "%s %s", state.c_str(), description.c_str());
}

/// The files of a state in a directory, of which only what differs from the state before is written.
class Stage {
 public:
  explicit Stage(std::string directory) : directory_(std::move(directory)) {}

  void show(const Image &image) {
    std::erase_if(there_, [&](const auto &each) { return image.count(each.first) == 0; });
    remove_others(image);
    for (const auto &[name, content] : image) {
      const auto found = there_.find(name);
      if (found != there_.end() && found->second.hash == content->hash && found->second.changed == change_of(name))
        continue;
      // A new file each time: HDF5, which may keep open what it could not read, takes one of the same inode for the
      // same.
      write_file(directory_ + "/" + name, *content);
      there_[name] = {content->hash, change_of(name)};
    }
  }

 private:
  /// Readers may have made more than a state had.
  void remove_others(const Image &image) const {
    std::vector<std::filesystem::path> others;
    for (auto each = std::filesystem::recursive_directory_iterator(directory_); each != end(each); ++each) {
      if (has(image, each->path().lexically_relative(directory_))) continue;
      others.push_back(each->path());
      each.disable_recursion_pending();
    }
    for (const std::filesystem::path &other : others) std::filesystem::remove_all(other);
  }
  struct Shown {
    uint64_t hash;
    int64_t changed;  // readers may repair the files
  };
  int64_t change_of(const std::string &name) const {
    struct stat status {};
    if (stat((directory_ + "/" + name).c_str(), &status) != 0) return -1;
    return status.st_ctim.tv_sec * 1000000000 + status.st_ctim.tv_nsec;
  }
  std::string directory_;
  std::map<std::string, Shown> there_;
};

/// Goes through states in the order of their moments, with the disk and the promises of each.
class Walk {
 public:
  explicit Walk(const Log &log) : log_(log), disk_(log) {}
  void go_to(int operations) {
    while (disk_.done() < operations) {
      const Operation &next = log_.operations[static_cast<size_t>(disk_.done())];
      if (next.kind == Kind::mark) promises_.hear(next.name);
      disk_.advance();
    }
  }
  const Disk &disk() const { return disk_; }
  const Promises &promises() const { return promises_; }

 private:
  const Log &log_;
  Disk disk_;
  Promises promises_;
};

class Campaign {
 public:
  Campaign(const Log &log, const Options &options, Books &books, std::string directory)
      : log_(log), options_(options), books_(books), stage_(directory), scene_(directory, reader_) {}

  void run(int64_t from) {
    skip_ = from;
    look_at(kill_states(log_, options_.count / 3 + 1, options_.seed));
    look_at(systematic_states(log_, options_.count * 2 / 3, options_.seed));
    size_t before = 0;  // where random ones are hardly ever new, there are no more
    for (uint64_t round = 1; seen_.size() < options_.count && seen_.size() > before + options_.count / 50; ++round) {
      before = seen_.size();
      look_at(random_states(log_, options_.count, mix(options_.seed, round)));
    }
  }
  void show(const State &state) {
    Walk walk(log_);
    walk.go_to(state.operations);
    look(state, walk);
    stage_.show(walk.disk().image(state));  // readers have repaired it, and gone on
  }

 private:
  void look_at(const std::vector<State> &states) {
    Walk walk(log_);
    for (const State &state : states) {
      if (seen_.size() >= options_.count) return;
      walk.go_to(state.operations);
      look(state, walk);
    }
  }
  void look(const State &state, const Walk &walk) {
    const Image image = walk.disk().image(state);
    const auto crash = static_cast<int>(state.crash);
    const uint64_t what = mix(mix(hash_of(image), walk.promises().hash()), static_cast<uint64_t>(crash));
    if (!seen_.insert(what).second || ++number_ <= skip_) return;
    std::snprintf(books_.state, sizeof books_.state, "%s", text_of(state).c_str());
    books_.crash = crash;
    books_.promises = walk.promises().promise(state.crash);
    books_.at = number_;
    stage_.show(image);
    const Judgement judgement = scene_.judge(image, walk.promises(), state.crash);
    ++books_.states[crash];
    if (books_.promises) ++books_.promised[crash];
    ++books_.fate[crash][static_cast<int>(judgement.fate)];
    if (!judgement.violation.empty()) report_violation(books_, books_.state, judgement.violation);
  }

  const Log &log_;
  const Options &options_;
  Books &books_;
  SverdrupReader reader_;
  Stage stage_;
  Scene scene_;
  std::unordered_set<uint64_t> seen_;
  int64_t number_ = 0, skip_ = 0;
};

void check_final(const Log &log, const std::string &directory) {
  Disk disk(log);
  while (static_cast<size_t>(disk.done()) < log.operations.size()) disk.advance();
  State all;
  all.operations = disk.done();
  const Image image = disk.image(all);
  size_t found = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_directory()) continue;
    const std::string name = entry.path().lexically_relative(directory);
    const auto known = image.find(name);
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    if (known == image.end() || known->second->bytes.size() != bytes.size() ||
        std::memcmp(known->second->bytes.data(), bytes.data(), bytes.size()) != 0)
      give_up("the log, repeated, does not give the file " + name + ": something was not recorded");
    ++found;
  }
  if (found != image.size()) give_up("the log, repeated, gives other names than the run");
}

/// In the child: MPI is started there, and ends with it.
int work(const Log &log, const Options &options, Books &books, int64_t from) {
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
  MPI_Init(nullptr, nullptr);
  const std::optional<State> one = state_of(options.state);
  if (!options.state.empty() && !one) give_up("there is no state '" + options.state + "'");
  // It is new, since other files in it are removed.
  const std::string directory =
      one ? std::filesystem::current_path().string() + "/crash_state" : "/dev/shm/sv_crash_" + std::to_string(getpid());
  if (!std::filesystem::create_directories(directory)) give_up("'" + directory + "' exists already. Remove it");
  {
    Campaign campaign(log, options, books, directory);
    if (one)
      campaign.show(*one);
    else
      campaign.run(from);
  }
  if (!one) std::filesystem::remove_all(directory);
  books.done = true;
  MPI_Finalize();
  return 0;
}

/// Returns how the child ended; it is ended where it reads one state for too long.
int wait_for(pid_t child, const Books &books) {
  int status = 0;
  int64_t at = -1, since = 0;
  for (int64_t tick = 0; waitpid(child, &status, WNOHANG) == 0; ++tick) {
    if (books.at != at) {
      at = books.at;
      since = tick;
    }
    if (tick - since == reader_limit_s * 100) kill(child, SIGKILL);
    usleep(10000);
  }
  std::filesystem::remove_all("/dev/shm/sv_crash_" + std::to_string(child));
  return status;
}

int check(const Options &options) {
  const Log log = read_log(options.log);
  if (!options.final_directory.empty()) check_final(log, options.final_directory);
  void *memory = mmap(nullptr, sizeof(Books), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) give_up("no memory");
  Books &books = *static_cast<Books *>(memory);
  int64_t from = 0, deaths = 0;
  while (!books.done) {
    const pid_t child = fork();
    if (child == 0) std::exit(work(log, options, books, from));
    const int status = wait_for(child, books);
    if (books.done) break;
    if (books.at == from || WIFEXITED(status)) give_up("the states could not be looked at");
    from = books.at;
    ++deaths;
    ++books.states[books.crash];
    ++books.fate[books.crash][static_cast<int>(Fate::refused)];
    if (books.promises) {
      ++books.promised[books.crash];
      report_violation(books, books.state, "a reader was ended by signal " + std::to_string(WTERMSIG(status)));
    }
  }
  for (int i = 0; i < books.n_stories; ++i) std::printf("VIOLATION %s\n", books.stories[i]);
  const auto numbers = [](const int64_t *from_first, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i > 0 ? ", " : "") + std::to_string(from_first[i]);
    return text;
  };
  std::printf(
      "{\"operations\": %zu, \"violations\": %lld, \"deaths\": %lld, \"kill\": [%lld, %lld, %s], \"power\": [%lld, "
      "%lld, %s]}\n",
      log.operations.size(), static_cast<long long>(books.violations), static_cast<long long>(deaths),
      static_cast<long long>(books.states[0]), static_cast<long long>(books.promised[0]),
      numbers(books.fate[0], fates).c_str(), static_cast<long long>(books.states[1]),
      static_cast<long long>(books.promised[1]), numbers(books.fate[1], fates).c_str());
  return books.violations > 0 ? 1 : 0;
}

}  // namespace
}  // namespace svcrash

int main(int argc, char **argv) {
  using svcrash::give_up;
  if (argc < 2) give_up("crash_check LOG [count=N] [seed=S] [state=TEXT] [final=DIR]");
  svcrash::Options options;
  options.log = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i], value = word.substr(word.find('=') + 1);
    if (word.rfind("count=", 0) == 0)
      options.count = std::stoull(value);
    else if (word.rfind("seed=", 0) == 0)
      options.seed = std::stoull(value);
    else if (word.rfind("state=", 0) == 0)
      options.state = value;
    else if (word.rfind("final=", 0) == 0)
      options.final_directory = value;
    else
      give_up("unknown argument " + word);
  }
  return svcrash::check(options);
}
