// A model of a disk: what is in the page cache, what is on the disk, and what may be there after a crash.
//
// Data. Of every sector of a file, the disk holds one of the states that the page cache has had since the last sync:
// what was lost takes with it all that was written later into the same sector. The length of a file is likewise one of
// those since the last sync. Names. They reach the disk in the order in which they were changed; a sync of the
// directory puts them there, and where a file system syncs names with data (Names::with_data), a sync of any file, too.
#pragma once

#include <cstdint>
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
  int names_kept = 0;  // power: of the changes of names that are not on the disk
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

/// What is found after the crash: by name. Contents are shared with the disk and with other images.
using Image = std::map<std::string, std::shared_ptr<const Content>>;
uint64_t hash_of(const Image &image);
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
  int pending_names(Names model) const { return static_cast<int>(names(model).pending.size()); }

 private:
  struct File {
    std::shared_ptr<const Content> now = std::make_shared<Content>(), synced = now;
    std::vector<int> pending;
  };
  struct Directory {
    std::map<std::string, int> synced;
    std::vector<int> pending;
  };
  using Keep = std::function<bool(int operation, int64_t offset)>;
  const Directory &names(Names model) const { return model == Names::own ? own_ : with_data_; }
  void apply_name(std::map<std::string, int> &directory, const Operation &operation) const;
  void put_names_on_disk(Directory &directory);
  std::shared_ptr<const Content> after_power_loss(const File &file, const State &state) const;
  std::shared_ptr<const Content> torn(const File &file, const Operation &operation, int64_t bytes) const;

  const Log &log_;
  std::vector<File> files_;
  std::map<std::string, int> now_;
  Directory own_, with_data_;
  int done_ = 0;
};

}  // namespace svcrash
