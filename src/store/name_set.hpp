// Sets of files by name: a file belongs to one under each of its names, relative or not, links or not, and need not
// exist yet. Code that makes files asks whether a new name is one of a file that is still being written. A run may make
// many thousands of files, so the cost of a question must not grow with their number. Local; no MPI.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sv {

/// A name of a file as a call gave it, the file's place, and where that leads, which is asked when it is needed first.
class FileName {
 public:
  /// A relative one begins in this rank's working directory as it is now, wherever the program goes later. Where that
  /// directory is not known, or the whole path is longer than the system takes, it stays relative.
  explicit FileName(std::string path);
  /// Of another name in the place of `like`: as if it had been given with that one.
  FileName(std::string path, const FileName &like) : FileName(like.directory_, std::move(path)) {}
  /// Of a name that was given elsewhere, where `place` stands for it.
  static FileName given_elsewhere(const std::string &path, const std::string &place);

  /// As it was given: for messages, and to be compared between ranks.
  const std::string &path() const { return path_; }
  /// Where the file is opened.
  const std::string &place() const { return place_; }
  /// The directory of a relative name, with its '/'; "": none.
  const std::string &directory() const { return directory_; }
  /// The same for all names of a file but hard links.
  const std::string &destination() const;
  /// Whether both are names of one file.
  bool is_of_file(const FileName &other) const;

 private:
  FileName(std::string directory, std::string path);
  const std::string path_, directory_, place_;
  mutable std::optional<std::string> destination_;
};

class NameSet {
 public:
  void add(const std::string &path);
  /// Whether this very name was added.
  bool has(const std::string &path) const { return names_.count(path) > 0; }
  /// Whether this is a name of one of these files, as this rank's file system sees it.
  bool has_file_of(const std::string &path);
  bool is_empty() const { return names_.empty(); }
  void clear() { *this = {}; }

 private:
  std::set<std::string> names_;
  std::vector<std::string> unasked_;              // of which it is not known yet where they lead
  std::unordered_set<std::string> destinations_;  // of the others
};
}  // namespace sv
