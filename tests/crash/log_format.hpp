// The log of the recorder: the operations of a run on the files of one directory, in their order, by all its processes
// and threads. Records follow each other: a head, the names, the data.
#pragma once

#include <cstdint>

namespace svcrash {

enum class Kind : uint32_t {
  write,           // data at an offset
  resize,          // truncate, ftruncate, O_TRUNC, and additions of fallocate to the length: `offset` is the new length
  zero,            // `offset`, `length`: a hole is punched, or a range zeroed
  sync,            // fsync, fdatasync, a write of a descriptor with O_DSYNC: all of this inode before it is on the disk
  create,          // `name` was made, as a new inode
  link,            // `name` is from now on a name of this inode, too
  rename,          // from `name` to `other`
  exchange,        // these two
  make_directory,  // `name`
  unlink,          // `name`
  sync_directory,  // of `name`, or where that is empty of the whole: all names in it before this are on the disk
  mark,            // a statement of the program about itself, in `name`: see promises.hpp
  foreign          // `name`: a call whose effect cannot be repeated (a mapping that is written); the log is of no use
};

struct Head {
  uint32_t magic;
  Kind kind;
  uint64_t inode;
  int64_t offset, length;  // length: of the data that follow, except for `zero`
  uint32_t name_bytes, other_bytes;
};

constexpr uint32_t log_magic = 0x43525348;

}  // namespace svcrash
