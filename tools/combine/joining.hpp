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
  /// `in` is open for reading, `out` in define mode; both are borrowed. `block_bytes`: what a rank holds at a time.
  Joining(MPI_Comm comm, sv_file *in, sv_file *out, int64_t block_bytes);

  /// Collective. Dimensions, variables and attributes, in their order; leaves define mode.
  void define();
  /// Collective. All values. `progress` is called on every rank with the bytes done by all.
  void copy(const std::function<void(int64_t done)> &progress);
  int64_t bytes() const { return bytes_; }

 private:
  struct Variable {
    int type;
    std::vector<int64_t> shape;  // the records first, where it has some
  };
  void copy_attributes(int variable);
  void copy_variable(int id, const Variable &variable, const std::function<void(int64_t)> &progress);

  MPI_Comm comm_;
  sv_file *in_, *out_;
  int64_t block_bytes_, bytes_ = 0, done_ = 0;
  std::vector<Variable> variables_;
  std::vector<char> block_;
};

/// The bytes of a value of a type of sverdrup.h in memory.
int64_t bytes_of(int type);

}  // namespace sv_combine
