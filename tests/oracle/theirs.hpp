// The oracle: a sequence carried out by netCDF-C, on one rank. Local.
#pragma once

#include "sequence.hpp"

namespace svtest {

class Theirs {
 public:
  Theirs(const std::string &path, const Case &made);
  /// An operation that `world` allows and has not yet taken notice of.
  void carry_out(const World &world, const Operation &operation);
  void close();
  int64_t records() const;
  /// A whole variable, in its type.
  std::vector<char> values(const World &world, int var) const;

 private:
  void put(const World &world, const Put &put);
  void define(const World &world, const Operation &operation);

  std::string path_;
  int id_ = -1;
  bool placed_ = false;
};

}  // namespace svtest
