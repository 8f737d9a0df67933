// A method: one way to write the workload's file, or to read it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// The data that a run moved, over all ranks; no value if they were not counted.
struct Traffic {
  std::optional<int64_t> bytes, writes, messages;
};

/// Wall times of this rank, seconds: until the file can be written or read, moving the values, closing; and the model
/// between the steps. One after the other they are the whole.
struct Phases {
  double open = 0, transfer = 0, close = 0, compute = 0;
  double start = 0;          // before all this, to make what a model would make once: not part of the whole
  double communication = 0;  // the part of `compute` in which ranks exchanged values
  double output = 0;         // from where the first step's values begin to move to the end
  double read = 0;           // moving values into a model that writes, too
  double whole() const { return open + read + compute + transfer + close; }
};

/// Ready to run, any number of times. All functions are collective. They throw std::runtime_error.
class Method {
 public:
  virtual ~Method() = default;
  /// Writes a file from creation to close, or reads it; this call is timed.
  virtual void run(const std::string &path) = 0;
  /// Of the last run; no value if the method does not distinguish them. Local.
  virtual std::optional<Phases> phases() { return {}; }
  /// What a method knows itself about its last run.
  virtual Traffic traffic() { return {}; }
  /// Whether the values of the last run, in the file or in memory, are right. No value: unknown.
  virtual std::optional<bool> check(const std::string &path) = 0;
  virtual void remove(const std::string &path) = 0;
  /// Releases everything, with the errors that a destructor could not report.
  virtual void finish() {}
  /// Bytes of memory that the method holds on purpose, over all ranks.
  virtual int64_t pool_bytes() { return 0; }
  /// What else it knows of its runs, for the workload's own report; on rank 0.
  virtual nlohmann::json more() { return nullptr; }

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
  /// Removes written files; files that were read stay.
  void remove(const std::string &path) override;
  /// The model begins, or ends, to communicate.
  virtual void communicates(bool) {}

 protected:
  OneFileMethod(const Workload &workload, bool reads);
  /// The values to write, and where to put those that are read.
  const std::byte *source() const { return workload_.memory(); }
  std::byte *target() { return values_.data(); }

  /// In run: it begins; the file can be written or read from now on; all values are moved; and nothing is left to do.
  void begin();
  void opened();
  void moved();
  void closed();
  /// In run, before the values of a step are moved: the model, if there is one, computes them.
  void begin_step(size_t step);

  const Workload &workload_;
  const bool reads_;

 private:
  std::vector<std::byte> values_;
  Phases phases_;
  double since_ = 0, first_output_ = 0;
};

/// One that can be led through the steps of its workload from outside, so that several files are written in turn.
class SteppedMethod : public OneFileMethod {
 public:
  void run(const std::string &path) override;

  virtual void open(const std::string &path) = 0;
  /// Moves the values of a step of the workload.
  virtual void move(size_t step) = 0;
  virtual void close() = 0;
  /// The model has made all its calls of a step, to all files.
  virtual void end_step() {}
  /// After the last file: waits for pending data.
  virtual void settle() {}
  /// As check, of a file that has these steps only: from `first` to before `end`.
  virtual std::optional<bool> check_steps(const std::string &path, size_t first, size_t end);
  std::optional<bool> check(const std::string &path) override { return check_steps(path, 0, workload_.steps()); }

  const Workload &workload() const { return workload_; }

 protected:
  using OneFileMethod::OneFileMethod;
};

/// A file that a method reads instead of the workload's CDF-5.
struct Input {
  std::string name;                                // behind "input." in the file's; "": the workload's
  std::function<std::unique_ptr<Method>()> maker;  // collective; of the method that writes it
};

struct Peer {
  std::string name;
  bool reads;
  std::string missing;                            // why it cannot run; empty: it can
  std::function<std::unique_ptr<Method>()> make;  // collective
  std::string store = {};  // the store that it belongs to, if it is for comparing that store's methods only
  Input input = {};
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
