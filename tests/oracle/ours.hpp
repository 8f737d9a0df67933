// A sequence carried out by Sverdrup. Collective over the ranks that compute; the constructor over all.
#pragma once

#include <set>

#include "sequence.hpp"

namespace svtest {

class Ours {
 public:
  Ours(const std::string &path, const Case &made);
  /// False on ranks that served; nothing is left for them but `end`.
  bool computes() const { return computes_; }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  /// An operation that `world` allows and has not yet taken notice of.
  void carry_out(const World &world, const Operation &operation);
  /// Reads a variable in the way that `salt` says, and compares it: `right` is the whole one, in its type.
  void compare(const World &world, int var, uint64_t salt, const std::vector<char> &right);
  void close();
  void abandon();  // a file without definitions
  void end();      // finalizes

 private:
  /// A part of a put in this rank's memory.
  struct Part {
    Numbers start, count, stride;  // stride: empty where contiguous
    std::vector<char> bytes;
  };
  Part part_of(const Put &put, const VarCase &var, const Numbers &shape, const Block &block) const;
  Part my_part(const Put &put, const VarCase &var, const Numbers &shape) const;
  void define(const World &world, const Operation &operation);
  void put(const World &world, const Put &put);
  void put_field(const Put &put, int number, const VarCase &var, const Numbers &shape);
  void put_points(const Put &put, int number, const VarCase &var, const Numbers &shape);
  void put_regions(const Put &put, int number, const VarCase &var, const Numbers &shape);
  void put_together(const World &world, const Operation &operation);
  void keep_apart(const World &world, const Operation &operation);

  std::string path_;
  bool computes_ = true, combines_ = false;
  int rank_ = 0, ranks_ = 1, kind_, version_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  sv_context *io_ = nullptr;
  sv_file *file_ = nullptr;
  std::set<std::pair<int, int64_t>> recorded_;  // combine: step: variables and records put since the step ended
};

}  // namespace svtest
