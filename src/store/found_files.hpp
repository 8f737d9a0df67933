// The files that sv_open has found under the given names: the identity of each; of one file, on the rank that looked,
// also its descriptor. Code that opens a file again by its name, at the first get, on another rank or through a
// library, checks here whether the name still leads to the file whose definitions all ranks know
// (docs/adr/0058-a-file-is-opened-once.md). A File has one, and the stores that are made for it share it. Local.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/file_identity.hpp"
#include "store/piece_names.hpp"
#include "store/positional_file.hpp"

namespace sv {

class FoundFiles {
 public:
  FoundFiles() = default;
  FoundFiles(const FoundFiles &) = delete;

  /// Before this rank reads the definitions of the file there. The reader reports files that cannot be opened. `keeps`:
  /// its descriptor, for reading().
  void look(const std::string &path, bool keeps = false);
  /// Afterwards: whether all names still lead to the files that this rank has looked at.
  bool are_there() const;
  /// The finding of another rank.
  void know(const std::string &path, const FileIdentity &identity);
  /// Not known if no rank has looked, or a new file was made since.
  FileIdentity of(const std::string &path) const;

  /// The file, open for reading: as look() has kept it, or by its name. Throws as check does.
  PositionalFile reading(const std::string &path);
  /// Error(access) where the name leads to another file now, Error(not_found) where to none. Nothing of files that are
  /// not known.
  void check(const std::string &path) const;
  /// The same of a file that was opened by this name.
  void check(const std::string &path, const PositionalFile &file) const;
  /// Compared with another opening: Error(access) if it is another file.
  void check_against(const FoundFiles &other) const;
  /// New files take the names.
  void forget() { files_.clear(), pieces = {}; }

  PieceNames pieces{};  // the names of the files, where they are a set

  /// For other ranks, which may know the directory by another name.
  std::vector<std::byte> encoded() const;
  void decode(std::span<const std::byte> bytes);

 private:
  struct Entry {
    FileIdentity identity{};
    std::string path{};     // where this rank has looked
    PositionalFile file{};  // unless it is closed, or taken
  };
  std::map<std::string, Entry> files_;  // by their names in the directory, which is one for all
};

/// The error of a file that was opened, where another one has its name now, or (`is_gone`) none.
Error replaced(const std::string &path, bool is_gone);

}  // namespace sv
