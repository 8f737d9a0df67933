// The calls on files that a server carries out as models have made them. The engine implements them, on a floor above:
// a server hears letters and takes in data, and knows of files only through this. Collective over the servers of a
// group.
#pragma once

#include <memory>
#include <vector>

#include "file/file.hpp"
#include "servers/protocol.hpp"

namespace sv {

class FileCalls {
 public:
  virtual ~FileCalls() = default;

  /// As models have defined it. A file that cannot be made or opened has failed; it is returned all the same.
  virtual std::shared_ptr<File> create(Context &context, const FileSettings &settings, const CreateFile &command) = 0;
  virtual std::shared_ptr<File> open(Context &context, const FileSettings &settings, const OpenFile &command) = 0;
  virtual void redefine(File &file, const RedefineFile &command) = 0;
  virtual void define_fixed(File &file, const std::vector<int> &variables) = 0;
  virtual void sync(File &file) = 0;
  /// Counts the puts into these files. The failure of one does not keep the others from it.
  virtual void end_step(Context &context, const std::vector<File *> &files) = 0;
  /// With durability: ordered, counts the committed records.
  virtual void catch_up(File &file) = 0;
  virtual void put_on_disk(File &file) = 0;
  virtual void put_closed_on_disk(Context &context) = 0;
  virtual void close(File &file) = 0;
  virtual void abandon(File &file) noexcept = 0;
};

}  // namespace sv
