// Requests of a file that is taken over: the request of Sverdrup for each number of PnetCDF until it is waited
// for.
#pragma once

#include <mpi.h>
#include <sverdrup/binding.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sv::pnetcdf {

struct Dataset;

/// One put or get, as Sverdrup takes it. Borrows the arrays.
struct Wanted {
  int variable = -1;
  bool is_put = true, is_copied = false;
  int type = SV_INT;
  void *data = nullptr;
  int64_t cells = 0;
  // A sub-array, or `number` of them, whose values follow each other.
  const int64_t *start = nullptr, *count = nullptr, *stride = nullptr, *memory_strides = nullptr;
  int number = -1;
  const int64_t *const *starts = nullptr, *const *counts = nullptr;
};
/// Local. Records it with Sverdrup, and returns the status.
int submit(sv_file *file, const Wanted &wanted, sv_request *request);

/// A copy of it with its arrays, for later: in define mode nothing can be recorded yet.
class KeptWanted {
 public:
  KeptWanted(const Wanted &wanted, int dims);
  const Wanted &wanted() const { return wanted_; }

 private:
  Wanted wanted_;
  std::vector<int64_t> numbers_;
  std::vector<const int64_t *> rows_;
};

/// A duplicate of a datatype, or none.
class OwnDatatype {
 public:
  OwnDatatype() = default;
  explicit OwnDatatype(MPI_Datatype of) { MPI_Type_dup(of, &own_); }
  OwnDatatype(OwnDatatype &&other) noexcept : own_(std::exchange(other.own_, MPI_DATATYPE_NULL)) {}
  OwnDatatype &operator=(OwnDatatype &&other) noexcept {
    std::swap(own_, other.own_);
    return *this;
  }
  ~OwnDatatype() {
    if (own_ != MPI_DATATYPE_NULL) MPI_Type_free(&own_);
  }
  MPI_Datatype get() const { return own_; }
  explicit operator bool() const { return own_ != MPI_DATATYPE_NULL; }

 private:
  MPI_Datatype own_ = MPI_DATATYPE_NULL;
};

/// Values that stand elsewhere meanwhile, contiguous, in the variable's type or in that of the program's memory: where
/// these have holes that only a datatype describes, or an order of their own, or may not fit.
struct Staged {
  std::unique_ptr<std::byte[]> values;
  int type = SV_INT;  // of them
  int64_t cells = 0;
  // The program's: where, of which type, and how they lie. Without `map` and `datatype` they are contiguous.
  void *data = nullptr;
  int memory_type = SV_INT;
  std::vector<int64_t> count, map;  // in values; empty: none
  int64_t items = 0;
  OwnDatatype datatype;
};
/// From the program's memory, before a put. Returns NC_ERANGE where values do not fit.
int fetch(sv_context *io, Staged &staged);
/// To the program's memory, after a get. The same.
int deliver(sv_context *io, Staged &staged);

struct Posted {
  sv_request request = SV_NO_REQUEST;
  bool is_put = true;
  int64_t bytes = 0;  // in the buffer that is attached
  int code = 0;       // the code that the program gets in any case
  std::optional<Staged> staged;
  std::optional<KeptWanted> kept;  // not recorded yet
};

/// Those of a file and rank that were not waited for. PnetCDF's numbers: even for puts, odd for gets.
class Requests {
 public:
  int add(Posted posted);
  /// nullptr: there is none.
  Posted *find(int number);
  /// All of a direction, or of both.
  std::vector<int> numbers(bool of_puts, bool of_gets) const;
  /// It was waited for, or cancelled.
  void remove(int number);
  int count() const { return count_; }
  /// Sverdrup has carried out all that it had recorded.
  void carried_out();

  int64_t buffered_bytes = 0;  // of the buffer that is attached

 private:
  std::deque<std::optional<Posted>> posted_;
  int first_ = 0, count_ = 0;  // numbers: of posted_.front(); of the present ones
};

}  // namespace sv::pnetcdf
