// A handled file: the state of PnetCDF's interface that Sverdrup does not have. The functions that
// calls.hpp declares answer for it. Each belongs to one rank; those of the ranks that opened a file together are alike
// where the comments say so.
#pragma once

#include <mpi.h>
#include <pnetcdf.h>
#include <sverdrup/binding.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../face/account.hpp"
#include "codes.hpp"
#include "hints.hpp"
#include "posted.hpp"

namespace sv::pnetcdf {

enum class Mode { define, collective, independent };

/// Of a variable, as its definition stands.
struct Shape {
  nc_type type = NC_NAT;
  bool has_records = false;
  std::vector<int> dims;
  std::vector<int64_t> lengths;  // of its dimensions; the number of records is asked for anew
};

/// An attribute.
struct Stored {
  int type = 0;
  int64_t count = 0;
};

struct Dataset {
  sv_file *file = nullptr;
  sv_context *io = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;  // of the context, which outlives it
  int ranks = 1;
  int ncid = -1;
  std::string path;
  int format = 0;  // NC_FORMAT_CLASSIC, NC_FORMAT_CDF2 or NC_FORMAT_CDF5
  bool is_writable = false, is_new = false;
  bool may_have_new_records = false;  // alike: puts since the last sv_sync, which no get sees yet
  Mode mode = Mode::define;           // alike
  int fill_mode = NC_NOFILL;          // of variables to come
  std::vector<bool> fills;            // of each variable: its fill mode
  int record_dim_ = -1;
  int old_variables = -1;  // that the last ncmpi_enddef has placed; -1: there was none
  Alignments alignments;
  Layout layout;
  std::vector<int> differing;  // of each variable that this rank has defined otherwise than rank 0: a code, or NC_NOERR
  MPI_Info hints = MPI_INFO_NULL;  // as the program gave them, and the effective ones
  int64_t buffer_bytes = 0;        // attached; 0: none
  Requests requests;
  Account account;

  // The functions that face/inquiry.hpp needs.
  int dim_count() const;
  int variable_count() const;
  int attribute_count(int variable) const;
  int record_dim() const { return record_dim_; }
  int format_number() const { return format; }
  int dim_named(const char *name) const;
  std::string dim_name(int dim) const;
  int64_t dim_length(int dim) const;
  int variable_named(const char *name) const;
  /// Throws NC_EGLOBAL, NC_ENOTVAR.
  const Shape &variable(int number);
  std::string variable_name(int number) const;
  Stored attribute(int variable, const char *name) const;
  int attribute_place(int variable, const char *name) const;

  /// After definitions have changed.
  void forget_shapes() { shapes_.clear(); }
  int64_t records() const;
  /// Whether ncmpi_fill_var_rec fills it: its fill mode, or an attribute _FillValue, says so.
  bool is_filled(int variable) const;
  /// Of the variables in define mode that stood in the file before it.
  bool is_old(int variable) const { return mode == Mode::define && variable < old_variables; }
  /// Values of a variable that this rank has defined otherwise would be put in other places than it means: throws the
  /// code of the difference.
  void check_defined(int variable) const {
    const auto number = static_cast<size_t>(variable);
    const int code = number < differing.size() ? differing[number] : NC_NOERR;
    refuse_if(code != NC_NOERR, code);
  }

 private:
  std::vector<Shape> shapes_;
};

inline bool is_cdf(int format) {
  return format == NC_FORMAT_CLASSIC || format == NC_FORMAT_CDF2 || format == NC_FORMAT_CDF5;
}

/// Threads of a program may call for files of one rank at the same time, and do so in turn: those files share a
/// context. Calls of several ranks do not take turns, since ranks may come in different orders, and wait for each
/// other.
std::unique_lock<std::recursive_mutex> turn_of(int ranks);

/// The file of ours with this number, for one call; nullptr: the number is PnetCDF's, or unknown.
class Called {
 public:
  explicit Called(int ncid) noexcept;
  explicit operator bool() const { return own_ != nullptr; }
  Dataset &operator*() const { return *own_; }

 private:
  Dataset *own_ = nullptr;
  std::unique_lock<std::recursive_mutex> turn_;
};
Dataset *dataset(int ncid) noexcept;
/// Gives it a number, and keeps it until it is forgotten.
Dataset &keep(std::unique_ptr<Dataset> made);
void forget(const Dataset &own);
/// All, in the order in which they were made.
std::vector<Dataset *> datasets();

}  // namespace sv::pnetcdf
