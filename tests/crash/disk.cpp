#include "disk.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

namespace svcrash {
namespace {

constexpr int64_t smallest_sector = 512;

// Most of the time of the campaign would go into a hash that has to wait for itself: four run concurrently.
uint64_t hash_bytes(std::span<const std::byte> bytes) {
  constexpr size_t lanes = 4;
  uint64_t lane[lanes] = {bytes.size(), 1, 2, 3};
  while (bytes.size() >= 8 * lanes) {
    for (size_t i = 0; i < lanes; ++i) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + 8 * i, 8);
      lane[i] = (lane[i] ^ word) * 0x9FB21C651E98DF25ULL;
      lane[i] ^= lane[i] >> 32;
    }
    bytes = bytes.subspan(8 * lanes);
  }
  uint64_t hash = mix(mix(lane[0], lane[1]), mix(lane[2], lane[3]));
  for (const std::byte each : bytes) hash = mix(hash, std::to_integer<uint64_t>(each));
  return hash;
}

std::shared_ptr<const Content> shared(std::vector<std::byte> bytes) {
  auto content = std::make_shared<Content>();
  content->hash = hash_bytes(bytes);
  content->bytes = std::move(bytes);
  return content;
}

size_t at(int64_t offset) { return static_cast<size_t>(offset); }

/// A file on its way: which sectors have lost something, and so keep what they have.
class Growing {
 public:
  explicit Growing(const std::vector<std::byte> &bytes) : bytes_(bytes) {}

  template <typename Keep>
  void apply(const Operation &operation, Keep keep) {
    if (operation.kind == Kind::resize) return resize(operation.offset, keep(operation.offset));
    const int64_t begin = operation.offset, end = begin + operation.length;
    for (int64_t from = begin; from < end;) {
      const int64_t sector = from / smallest_sector, to = std::min(end, (sector + 1) * smallest_sector);
      if (!is_frozen(sector)) {
        if (keep(from))
          put(operation, from, to);
        else
          freeze(sector);
      }
      from = to;
    }
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  bool is_frozen(int64_t sector) const { return at(sector) < frozen_.size() && frozen_[at(sector)]; }
  void freeze(int64_t sector) {
    if (at(sector) >= frozen_.size()) frozen_.resize(at(sector) + 1);
    frozen_[at(sector)] = true;
  }
  void put(const Operation &operation, int64_t from, int64_t to) {
    if (at(to) > bytes_.size()) {
      if (length_is_lost_ || operation.kind == Kind::zero) to = std::min(to, static_cast<int64_t>(bytes_.size()));
      if (to <= from) return;
      bytes_.resize(std::max(bytes_.size(), at(to)));
    }
    if (operation.kind == Kind::zero)
      std::memset(bytes_.data() + from, 0, at(to - from));
    else
      std::memcpy(bytes_.data() + from, operation.data.data() + (from - operation.offset), at(to - from));
  }
  void resize(int64_t length, bool kept) {
    if (!kept) length_is_lost_ = true;
    if (!length_is_lost_) bytes_.resize(at(length));
  }
  std::vector<std::byte> bytes_;
  std::vector<bool> frozen_;
  bool length_is_lost_ = false;
};

double share(uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

/// Whether what an operation did at an offset is on the disk.
bool is_kept(const State &state, int operation, int64_t offset) {
  const bool whole = state.sector == 0;
  const uint64_t dice = mix(mix(state.seed, static_cast<uint64_t>(operation)),
                            whole ? 0 : static_cast<uint64_t>(offset / state.sector) + 1);
  switch (state.loss) {
    case Loss::none:
      return true;
    case Loss::all:
      return false;
    case Loss::lose_one:
      return operation != state.victim || (!whole && share(dice) < 0.5);
    case Loss::keep_one:
      return operation == state.victim && (whole || share(dice) < 0.5);
    default: {
      constexpr double chances[] = {0.1, 0.5, 0.9, 0.98};
      return share(dice) < chances[state.seed % 4];
    }
  }
}

}  // namespace

void write_file(const std::filesystem::path &path, const Content &content) {
  std::filesystem::remove(path);
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char *>(content.bytes.data()), static_cast<std::streamsize>(content.bytes.size()));
  out.close();
  if (!out) give_up("cannot write " + path.string());
}

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBULL;
  return hash ^ (hash >> 31);
}

uint64_t hash_of(const Image &image) {
  uint64_t hash = image.size();
  for (const auto &[name, content] : image)
    hash = mix(mix(hash, hash_bytes(std::as_bytes(std::span(name)))), content->hash);
  return hash;
}

void Disk::advance() {
  const Operation &operation = log_.operations[at(done_)];
  if (operation.changes_data()) {
    File &file = files_[at(operation.file)];
    Growing growing(file.now->bytes);
    growing.apply(operation, [](int64_t) { return true; });
    file.now = shared(growing.take());
    file.pending.push_back(done_);
  }
  if (operation.kind == Kind::sync && operation.file >= 0) {
    files_[at(operation.file)].synced = files_[at(operation.file)].now;
    files_[at(operation.file)].pending.clear();
  }
  if (operation.changes_names()) change_names(operation);
  if (operation.kind == Kind::sync_directory) {
    const std::optional<int> directory = directory_of(operation.name);  // nothing: it is gone
    if (directory) put_names_on_disk(own_, *directory);
  }
  if (operation.kind == Kind::sync_directory || operation.kind == Kind::sync)
    for (int each = 0; each < std::ssize(now_); ++each) put_names_on_disk(with_data_, each);
  ++done_;
}

std::optional<int> Disk::directory_of(const std::string &path) const {
  if (path.empty()) return 0;
  const auto [above, name] = find(path);
  const auto found = now_[at(above)].find(name);
  if (found == now_[at(above)].end() || found->second >= 0) return std::nullopt;
  return number_of(found->second);
}

Disk::Found Disk::find(const std::string &path) const {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {0, path};
  const std::optional<int> above = directory_of(path.substr(0, slash));
  if (!above) give_up("a name in a directory that nobody made: " + path);
  return {*above, path.substr(slash + 1)};
}

/// A change of one name, or of two.
void Disk::change_names(const Operation &operation) {
  if (operation.kind == Kind::create && operation.name.empty()) return;
  std::vector<Change> changes;
  const auto [directory, name] = find(operation.name);
  const auto entry = [&](const Found &of) -> std::optional<int> {
    const auto found = now_[at(of.directory)].find(of.name);
    return found == now_[at(of.directory)].end() ? std::nullopt : std::optional(found->second);
  };
  if (operation.kind == Kind::rename || operation.kind == Kind::exchange) {
    const Found to = find(operation.other);
    const bool both = operation.kind == Kind::exchange;
    changes.push_back({directory, name, both ? entry(to) : std::nullopt, done_});
    changes.push_back({to.directory, to.name, entry({directory, name}), done_});
  } else if (operation.kind == Kind::unlink) {
    changes.push_back({directory, name, std::nullopt, done_});
  } else if (operation.kind == Kind::make_directory) {
    changes.push_back({directory, name, -1 - static_cast<int>(now_.size()), done_});
    for (auto *const entries : {&now_, &own_.synced, &with_data_.synced}) entries->emplace_back();
  } else {
    changes.push_back({directory, name, operation.file, done_});
  }
  for (const Change &each : changes) {
    apply(now_, each);
    for (Tree *const tree : {&own_, &with_data_}) tree->pending.push_back(each);
  }
}

void Disk::apply(std::vector<Entries> &entries, const Change &change) {
  Entries &of = entries[at(change.directory)];
  if (change.entry)
    of[change.name] = *change.entry;
  else
    of.erase(change.name);
}

void Disk::put_names_on_disk(Tree &tree, int directory) {
  std::erase_if(tree.pending, [&](const Change &each) {
    if (each.directory != directory) return false;
    apply(tree.synced, each);
    return true;
  });
}

/// That have names which are not on the disk.
std::vector<int> Disk::directories(const Tree &tree) {
  std::vector<int> all;
  for (const Change &each : tree.pending) all.push_back(each.directory);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

int Disk::pending_directories(Names model) const { return static_cast<int>(directories(tree(model)).size()); }

int Disk::pending_names(Names model, int only) const {
  const std::vector<int> of = directories(tree(model));
  std::vector<int> operations;
  for (const Change &each : tree(model).pending)
    if (only < 0 || each.directory == of[at(only)]) operations.push_back(each.operation);
  return static_cast<int>(std::unique(operations.begin(), operations.end()) - operations.begin());
}

std::vector<int> Disk::pending_data() const {
  std::vector<int> all;
  for (const File &file : files_) all.insert(all.end(), file.pending.begin(), file.pending.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::shared_ptr<const Content> Disk::after_power_loss(const File &file, const State &state) const {
  if (file.pending.empty() || state.loss == Loss::none) return file.now;
  if (state.loss == Loss::all) return file.synced;
  Growing growing(file.synced->bytes);
  for (const int each : file.pending)
    growing.apply(log_.operations[at(each)], [&](int64_t offset) { return is_kept(state, each, offset); });
  return shared(growing.take());
}

std::shared_ptr<const Content> Disk::torn(const File &file, const Operation &operation, int64_t bytes) const {
  Growing growing(file.now->bytes);
  Operation part = operation;
  part.length = bytes;
  growing.apply(part, [](int64_t) { return true; });
  return shared(growing.take());
}

/// All that stands in a directory, with its path before it.
void Disk::add(Image &image, const std::vector<Entries> &entries, const Found &directory, const Look &look) {
  for (const auto &[name, entry] : entries[at(directory.directory)]) {
    const std::string path = directory.name.empty() ? name : directory.name + "/" + name;
    if (entry < 0)
      add(image, entries, {number_of(entry), path}, look);
    else
      image[path] = look(entry);
  }
}

Image Disk::image(const State &state) const {
  Image image;
  if (state.crash == Crash::kill) {
    const Operation *cut = state.kept_bytes >= 0 ? &log_.operations[at(done_)] : nullptr;
    add(image, now_, {0, ""}, [&](int file) {
      const bool is_cut = cut != nullptr && cut->file == file;
      return is_cut ? torn(files_[at(file)], *cut, state.kept_bytes) : files_[at(file)].now;
    });
    return image;
  }
  const Tree &names = tree(state.names);
  std::vector<Entries> entries = names.synced;
  const std::vector<int> of = directories(names);
  int kept = 0, last = -1;
  for (const Change &each : names.pending) {
    if (state.names_only >= 0 && each.directory != of[at(state.names_only)]) continue;
    if (std::exchange(last, each.operation) != each.operation && ++kept > state.names_kept) break;
    apply(entries, each);
  }
  std::map<int, std::shared_ptr<const Content>> contents;  // a file may have two names
  add(image, entries, {0, ""}, [&](int file) {
    auto &content = contents[file];
    if (!content) content = after_power_loss(files_[at(file)], state);
    return content;
  });
  return image;
}

bool has(const Image &image, const std::string &name) {
  const auto below = image.lower_bound(name + "/");
  return image.count(name) > 0 || (below != image.end() && below->first.starts_with(name + "/"));
}

std::string text_of(const State &state) {
  char text[160];
  if (state.crash == Crash::kill)
    std::snprintf(text, sizeof text, "kill:%d:%lld", state.operations, static_cast<long long>(state.kept_bytes));
  else
    std::snprintf(text, sizeof text, "power:%d:%d:%d:%d:%d:%d:%d:%llu", state.operations, static_cast<int>(state.names),
                  state.names_kept, state.names_only, static_cast<int>(state.loss), state.victim, state.sector,
                  static_cast<unsigned long long>(state.seed));
  return text;
}

std::optional<State> state_of(const std::string &text) {
  State state;
  long long bytes = 0;
  unsigned long long seed = 0;
  int names = 0, loss = 0;
  if (std::sscanf(text.c_str(), "kill:%d:%lld", &state.operations, &bytes) == 2) {
    state.kept_bytes = bytes;
    return state;
  }
  if (std::sscanf(text.c_str(), "power:%d:%d:%d:%d:%d:%d:%d:%llu", &state.operations, &names, &state.names_kept,
                  &state.names_only, &loss, &state.victim, &state.sector, &seed) != 8)
    return std::nullopt;
  state.crash = Crash::power;
  state.names = static_cast<Names>(names);
  state.loss = static_cast<Loss>(loss);
  state.seed = seed;
  return state;
}

}  // namespace svcrash
