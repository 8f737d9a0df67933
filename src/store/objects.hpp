// A flat space of named objects, as a directory on a disk or a bucket of an object store has them: an object is written
// as a whole and read in parts. Names have slashes, which mean nothing but to list(). The store zarr writes and reads
// its group through one; it knows no files. Local: ranks have one each, of the same objects.
#pragma once

#include <sys/uio.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/store_counters.hpp"

namespace sv {

/// An object that is open to be read: it stays as it was opened, also where another one takes its name.
class Object {
 public:
  virtual ~Object() = default;
  virtual const std::string &path() const = 0;  // for errors
  virtual int64_t size() const = 0;
  /// Returns how many bytes were there: fewer than asked for only at the end.
  virtual int64_t read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters) = 0;
  /// The system may fetch all of it meanwhile, where it can.
  virtual void will_read() {}
};

/// Every function throws the Error of the system below, naming the object.
class Objects {
 public:
  /// The entries that list() finds. `file`: an object; `directory`: a prefix of names; `other`: neither.
  enum class EntryKind { file, directory, other };
  struct Entry {
    std::string name;
    EntryKind kind;
  };

  virtual ~Objects() = default;

  virtual bool has(const std::string &name) const = 0;
  /// nullptr where there is none.
  virtual std::unique_ptr<Object> open(const std::string &name) const = 0;
  /// All of an object that is no longer than `most_bytes`; nothing where there is none. Error(format) for a longer one.
  std::optional<std::string> text(const std::string &name, int64_t most_bytes, StoreCounters &counters) const;
  /// The next parts of the names that begin with `prefix` and a slash, in order; "": of all names.
  virtual std::vector<Entry> list(const std::string &prefix) const = 0;

  /// Puts an object of these bytes in place of the one of its name. `at_once`: a reader finds the old one or the new
  /// one, also after a kill or a power loss; otherwise, no program may be reading it. `parts` is used up.
  virtual void put(const std::string &name, std::span<iovec> parts, bool at_once, StoreCounters &counters) = 0;
  struct Text {
    std::string name, text;
  };
  /// Puts small objects, each at once, in this order; their bytes are durable before the first has its name.
  virtual void put(const std::vector<Text> &texts, StoreCounters &counters) = 0;
  /// Removes the chunks of this name, or whose names begin with it and a slash. Nothing where there are none.
  virtual void remove_chunks(const std::string &name) = 0;
  /// Removes what a killed put() has left of names that begin with `prefix` and a slash.
  virtual void remove_parts(const std::string &prefix) = 0;
  /// Makes puts and removals since the last call durable.
  virtual void sync() = 0;
};

}  // namespace sv
