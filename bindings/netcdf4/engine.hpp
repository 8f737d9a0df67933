// The writer of a dataset's file: with the other ranks (parallel/), or in this process alone (serial/). The
// dataset's functions (files.cpp, transfer.cpp) check calls by netCDF's rules, decide who has the file, and call its
// engine. An engine knows Sverdrup's file, and how the real library makes or continues it; it knows no rules of netCDF.
// Functions throw netCDF's codes, and are collective where the file has several ranks, unless they say otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../face/account.hpp"
#include "definitions.hpp"

namespace sv::netcdf4 {

struct Dataset;

/// NC_INDEPENDENT and NC_COLLECTIVE of netcdf_par.h, which needs MPI.
inline constexpr int independent_access = 0, collective_access = 1;

/// Cells of a variable that a rank puts or gets; at least one. Their values follow each other, in the type of the file;
/// those of strings are pointers.
struct Request {
  int variable = -1;
  bool is_put = false;
  std::vector<int64_t> start, count, stride;
  std::byte *values = nullptr;            // of the program, or:
  std::unique_ptr<std::byte[]> staged{};  // the same; the engine may take them
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// Local. Of the summary.
  virtual int rank() const { return 0; }
  virtual int ranks() const { return 1; }
  virtual void add_up(Account &account) const { static_cast<void>(account); }

  /// Local. Whether a small new file stays in the real library's memory until its end (docs/adr/0092-small-files.md).
  virtual bool keeps_small_files() const { return false; }
  /// After begin: the `wanted` variables of such a file, which has the name `name` there, have values.
  virtual void take_values(const std::string &name, const Definitions &definitions, const std::vector<bool> &wanted) {
    static_cast<void>(name), static_cast<void>(definitions), static_cast<void>(wanted);
  }
  /// The end of such a file, which has the name `name` there.
  virtual void write_small_file(const std::string &name) { static_cast<void>(name); }

  /// Opens an existing file, which has these definitions, with the lengths of its unlimited dimensions. False with a
  /// reason: Sverdrup cannot have it. Throws the error of a system that cannot read it.
  virtual bool take_file(const Definitions &definitions, bool is_classic, std::string &reason) {
    static_cast<void>(definitions), static_cast<void>(is_classic);
    reason = "it is open on several ranks";
    return false;
  }
  /// False with a reason: Sverdrup cannot have the file, and nothing of it is left. Throws the error of a system that
  /// cannot write it on several ranks: some of them would wait forever in the real library.
  virtual bool begin(const Definitions &definitions, std::string &reason) = 0;
  /// Its file has these definitions from now on. False with a reason: it cannot, and has those before.
  virtual bool redefine(const Definitions &definitions, std::string &reason) = 0;
  /// Local. Why it cannot give dimensions and variables that are in the file other names; nullptr: it can.
  virtual const char *reason_against_renaming() const { return nullptr; }
  /// Local. Of an unlimited dimension; 0 where it is not in the file yet.
  virtual int64_t length(int dim) const = 0;
  /// Local. Whether this rank may put beyond the present length of an unlimited dimension.
  virtual bool may_extend(int variable) const = 0;
  /// Local. Whether Sverdrup gets the next `bytes` of a file that is only read, which the real library has as `there`:
  /// then `shapes` has its variables. Otherwise that library gets them.
  virtual bool reads(double bytes, int there, std::vector<Shape> &shapes) {
    static_cast<void>(bytes), static_cast<void>(there), static_cast<void>(shapes);
    return false;
  }
  /// `request`: nullptr where this rank has wrong arguments, or no cells. Returns a code.
  virtual int transfer(int variable, bool is_put, Request *request) = 0;
  virtual void sync() = 0;
  /// The file is complete when it returns. Nothing where there is none. Returns a code.
  virtual int close() = 0;
  /// Instead of close: of a file that was not decided upon nothing is left. Returns a code.
  virtual int abort() { return close(); }

  /// A new file of the real library, without definitions. Returns its number.
  virtual int make_by_library() = 0;
  /// The real library continues the file that Sverdrup has written, with these definitions, outside of define mode.
  /// Returns its number.
  virtual int hand_over(const Definitions &definitions) = 0;
  /// The real library has the file as `there`, with variables of these shapes: it learns how they are to be accessed.
  virtual void set_access_of_library(const std::vector<Shape> &shapes, int there) {
    static_cast<void>(shapes), static_cast<void>(there);
  }
  /// Local. Whether ranks choose how they access a variable.
  virtual bool has_access() const { return true; }
  /// For a variable of these definitions.
  virtual void set_access(const std::vector<Shape> &shapes, int variable, int access) {
    static_cast<void>(shapes), static_cast<void>(variable), static_cast<void>(access);
  }
};

}  // namespace sv::netcdf4
