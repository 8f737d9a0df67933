// Joins a set of files into one, on the public interface: definitions, then values, in bounded memory.
#pragma once

#include <sverdrup/sverdrup.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sv_combine {

/// Throws std::runtime_error with the library's message, which is the same on every rank.
void must(int status);

class Joining {
 public:
  /// `in` is open for reading, `out` in define mode; both are borrowed.
  Joining(sv_file *in, sv_file *out) : in_(in), out_(out) {}

  /// Collective. Dimensions, variables and attributes, in their order; leaves define mode.
  void define();
  /// Collective. All values. `progress` is called on every rank with the bytes done.
  void copy(const std::function<void(int64_t done)> &progress);
  int64_t bytes() const { return bytes_; }

 private:
  struct Variable {
    bool has_records;
    int64_t slab_bytes;  // of one record of it
  };
  void copy_attributes(int variable);

  sv_file *in_, *out_;
  int64_t bytes_ = 0, records_ = 0;
  std::vector<Variable> variables_;
};

/// The bytes of a value of a type of sverdrup.h in memory.
int64_t bytes_of(int type);

}  // namespace sv_combine
