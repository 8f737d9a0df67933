// A random sequence of calls on one file, as a value: definitions, puts, reads and redefinitions in their order. The
// same on all ranks for equal seeds. Sverdrup carries it out on all ranks (ours.hpp), netCDF-C on one (theirs.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/random_case.hpp"

namespace svtest {

struct DimCase {
  std::string id, name;  // the id stays when it is renamed
  int64_t length = 0;    // 0: the record dimension
};

struct Attribute {
  std::string name;
  int type = SV_INT;
  int64_t count = 1;
};

struct VarCase {
  std::string id, name;
  int type = SV_INT;
  std::vector<int> dims;
  bool records = false;
  std::vector<Attribute> attributes;
};

/// How a put goes through Sverdrup; netCDF-C always puts the whole box.
enum class Call { vara, vars, strided, field, replicated, points, varn };
/// How several puts go through it together.
enum class Together { mput_vara, iput, bput, mput };

/// A box of a variable (the record dimension included, every apart[d]-th cell) from memory of some type.
struct Put {
  std::string var;
  Call call = Call::vara;
  Numbers start, count, apart;
  int memory = SV_DOUBLE;
  uint64_t salt = 0;  // of the values, and of who puts what
};

enum class Step {
  dim,
  var,
  put_att,
  del_att,
  rename_dim,
  rename_var,
  rename_att,
  copy_att,
  enddef,
  redef,
  put,
  together,
  end_step,
  sync,
  get,
  reopen
};

struct Operation {
  Step step = Step::end_step;
  std::string id, name, to;            // of a defined or renamed object; of an attribute the name
  std::vector<std::string> dims = {};  // ids
  int type = SV_INT;
  int64_t length = 0;  // of a dimension; values of an attribute
  bool fill = false;   // a variable's own fill value
  uint64_t salt = 0;
  std::vector<Put> puts = {};
  Together together = Together::mput_vara;
};

struct Case {
  uint64_t seed = 0;
  int version = 2;  // 1, 2, 5: CDF; 4: netCDF-4, 3: its classic model
  int kind = 0;     // a flag of sv_create
  bool redefines = false;
  std::vector<std::string> options;  // of sv_init
  std::vector<Operation> operations;
};

/// The definitions so far, which have the same numbers in both libraries.
struct World {
  std::vector<DimCase> dims;
  std::vector<VarCase> vars;
  std::vector<Attribute> attributes;  // of the file
  bool defining = true;

  int dim(const std::string &id) const;  // -1: there is none
  int var(const std::string &id) const;  // -1: there is none, or the file itself
  std::vector<Attribute> &attributes_of(const std::string &var_id);
  Numbers shape(const VarCase &of) const;  // with 0 for the record dimension
  /// Whether an operation makes sense here: after others have been left out it may not.
  bool allows(const Operation &operation);
  /// Takes notice of a definition.
  void apply(const Operation &operation);
};

/// `ranks`: those that compute and serve. `store`: cdf, pnetcdf, netcdf4 or netcdf4_library.
Case make_case(uint64_t seed, int ranks, const std::string &store);

std::string describe(const Operation &operation);

/// The value of an attribute that is put, and of a fill value.
std::vector<char> attribute_of(const Operation &operation);
std::vector<char> fill_of(const Operation &operation);

/// The value at a place of a variable, counted in row-major order.
double value_at(const Put &put, int type, int64_t place);

}  // namespace svtest
