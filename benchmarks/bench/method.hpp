// What is compared: one way to write the workload's file, or to read it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// What a run moved, over all ranks; no value where nobody counted.
struct Traffic {
  std::optional<int64_t> bytes, writes, messages;
};

/// Wall times of this rank, seconds: until the file can be written or read, moving the values, closing.
struct Phases {
  double open = 0, transfer = 0, close = 0;
};

/// Ready to run, any number of times. All functions are collective. They throw std::runtime_error.
class Method {
 public:
  virtual ~Method() = default;
  /// Writes a file from nothing to closed, or reads it; this is what is timed.
  virtual void run(const std::string &path) = 0;
  /// Of the last run; no value where the method does not tell them apart. Local.
  virtual std::optional<Phases> phases() { return {}; }
  /// What a method knows itself about its last run.
  virtual Traffic traffic() { return {}; }
  /// Whether the values of the last run are right: what is in the file, or what was read. No value: cannot be told.
  virtual std::optional<bool> check(const std::string &path) = 0;
  virtual void remove(const std::string &path) = 0;
  /// Gives everything back, with the errors that a destructor could not tell.
  virtual void finish() {}
  /// Bytes of memory that the method holds on purpose, over all ranks.
  virtual int64_t pool_bytes() { return 0; }

 protected:
  explicit Method(const Team &team) : team_(team) {}
  /// Rank 0 removes the one file.
  void remove_one(const std::string &path) const;
  const Team team_;
};

/// One that writes the workload to one file of the path's name, or reads it from there into memory of its own.
class OneFileMethod : public Method {
 public:
  std::optional<Phases> phases() override { return phases_; }
  std::optional<bool> check(const std::string &path) override;
  /// What was written goes; what was read stays.
  void remove(const std::string &path) override;

 protected:
  OneFileMethod(const Workload &workload, bool reads);
  /// The values to write, and where to put those that are read.
  const std::byte *source() const { return workload_.memory(); }
  std::byte *target() { return values_.data(); }

  /// In run: the file can be written or read from now on, and: all values are moved.
  void begin();
  void opened();
  void moved();
  void closed();

  const Workload &workload_;
  const bool reads_;

 private:
  std::vector<std::byte> values_;
  Phases phases_;
  double since_ = 0;
};

struct Peer {
  std::string name;
  bool reads;
  std::string missing;                            // why it cannot run; empty: it can
  std::function<std::unique_ptr<Method>()> make;  // collective
  std::string store = {};  // the store that it belongs to, if it is for comparing that store's methods only
};

/// A peer with one class for writing and reading, whose constructor takes the workload, `reads`, and `more`.
template <typename Class, typename... More>
Peer peer_of(const std::string &name, const Workload &workload, bool reads, More... more) {
  return {(reads ? "read." : "") + name, reads, "",
          [&workload, reads, more...] { return std::make_unique<Class>(workload, reads, more...); }};
}

/// The version of a library that a peer uses; empty: not compiled.
std::string pnetcdf_version();
std::string netcdf_version();

}  // namespace sv_bench
