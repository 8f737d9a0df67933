// A model of a disk: the contents of the page cache, of the disk, and possible contents after a crash.
//
// Data. Of every sector of a file, the disk holds one of the states that the page cache has had since the last sync:
// a lost write takes with it all later writes into the same sector. The length of a file is likewise one of
// those since the last sync. Names. Those of a directory reach the disk in the order in which they were changed; a sync
// of the directory puts them there. Of several directories, all names may reach it in that order, or one directory's
// before the others'. Where a file system syncs names with data (Names::with_data), any sync puts all names there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "log.hpp"

namespace svcrash {

enum class Crash { kill, power };
enum class Names { own, with_data };
enum class Loss { none, all, lose_one, keep_one, random };

/// One crash, after so many operations of the log.
struct State {
  int operations = 0;
  Crash crash = Crash::kill;
  int64_t kept_bytes = -1;  // kill: of the operation that was next, a write, so much was done; -1: nothing
  Names names = Names::own;
  int names_kept = 0;   // power: of the changes of names that are not on the disk
  int names_only = -1;  // power: of this directory (number among those that have such changes), none of others; -1: all
  Loss loss = Loss::none;
  int victim = -1;  // the operation that is lost, or kept
  int sector = 0;   // bytes: of the victim, or of each, these are lost one by one; 0: it is lost as a whole
  uint64_t seed = 0;
};

std::string text_of(const State &state);
std::optional<State> state_of(const std::string &text);

struct Content {
  std::vector<std::byte> bytes;
  uint64_t hash = 0;
};

/// Makes a file anew, and the directories above it.
void write_file(const std::filesystem::path &path, const Content &content);

/// The files after the crash, by name, with the directories below the whole. Contents are shared with the
/// disk and with other images.
using Image = std::map<std::string, std::shared_ptr<const Content>>;
uint64_t hash_of(const Image &image);
/// Whether there is a file of this name, or a directory with files.
bool has(const Image &image, const std::string &name);
uint64_t mix(uint64_t a, uint64_t b);

class Disk {
 public:
  explicit Disk(const Log &log) : log_(log), files_(static_cast<size_t>(log.files)) {}

  /// Carries out the next operation.
  void advance();
  int done() const { return done_; }
  /// `state` is about this moment.
  Image image(const State &state) const;

  /// Of data: operations that are not on the disk.
  std::vector<int> pending_data() const;
  /// Of names: changes that are not on the disk; of one of so many directories, or of all of them (-1).
  int pending_names(Names model, int only = -1) const;
  int pending_directories(Names model) const;

 private:
  struct File {
    std::shared_ptr<const Content> now = std::make_shared<Content>(), synced = now;
    std::vector<int> pending;
  };
  /// Names in a directory, with their targets: a file by its number, or a directory by its own, below 0.
  using Entries = std::map<std::string, int>;
  struct Change {
    int directory;
    std::string name;
    std::optional<int> entry;  // that it names from now on; nothing: the name is gone
    int operation;
  };
  struct Tree {
    std::vector<Entries> synced{{}};  // by the number of the directory: 0 is the whole
    std::vector<Change> pending;
  };
  struct Found {  // where a name stands
    int directory;
    std::string name;
  };
  using Keep = std::function<bool(int operation, int64_t offset)>;
  const Tree &tree(Names model) const { return model == Names::own ? own_ : with_data_; }
  static int number_of(int entry) { return -1 - entry; }  // of a directory
  std::optional<int> directory_of(const std::string &path) const;
  Found find(const std::string &path) const;
  void change_names(const Operation &operation);
  static void put_names_on_disk(Tree &tree, int directory);
  static std::vector<int> directories(const Tree &tree);
  static void apply(std::vector<Entries> &entries, const Change &change);
  using Look = std::function<std::shared_ptr<const Content>(int file)>;
  static void add(Image &image, const std::vector<Entries> &entries, const Found &directory, const Look &look);
  std::shared_ptr<const Content> after_power_loss(const File &file, const State &state) const;
  std::shared_ptr<const Content> torn(const File &file, const Operation &operation, int64_t bytes) const;

  const Log &log_;
  std::vector<File> files_;
  std::vector<Entries> now_{{}};
  Tree own_, with_data_;
  int done_ = 0;
};

}  // namespace svcrash
