// The tracer's knowledge of the datasets of netCDF-C and PnetCDF and of their variables: names, ranks, sizes.
#pragma once

#include <cstdint>
#include <string>

#include "tracer/open_files.hpp"

namespace sv::profile {

/// The names of the inquiry functions of an interface; `shift`: see OpenFiles.
struct Inquiries {
  const char *name, *ndims, *type, *dims, *length, *user_type, *attribute;
  int shift;
};

/// Sizes of an element in memory that the function's name does not contain.
inline constexpr int64_t as_in_file = 0;
inline constexpr int64_t of_no_size = -1;  // strings

class Datasets final : public OpenFiles {
 public:
  explicit Datasets(const Inquiries &inquiries) : OpenFiles(inquiries.shift), inquiries_(inquiries) {}

  /// Elements of a whole variable, as long as its record dimension is now; -1: not known.
  int64_t elements(int ncid, int varid) const;
  /// Of a value of this type; 0: not known, or of no fixed size.
  int64_t bytes_of(int ncid, int type) const;
  /// Bytes of an attribute whose elements have `element_bytes` in memory (as_in_file: as they are stored); -1: not
  /// known.
  int64_t attribute_bytes(int ncid, int varid, const char *name, int64_t element_bytes) const;

 private:
  /// Those of the library; nullptr: it has none.
  struct Functions {
    int (*name)(int, int, char *) = nullptr;
    int (*ndims)(int, int, int *) = nullptr;
    int (*type)(int, int, int *) = nullptr;
    int (*dims)(int, int, int *) = nullptr;
    int (*length)(int, int, int64_t *) = nullptr;  // size_t or MPI_Offset
    int (*user_type)(int, int, char *, size_t *) = nullptr;
    int (*attribute)(int, int, const char *, int *, int64_t *) = nullptr;  // size_t or MPI_Offset
  };

  void learn(const void *function) override;
  bool ask(Word ncid, int varid, std::string &name, KnownVariable &known) const override;

  const Inquiries inquiries_;
  Functions library_;
};

/// Those of netCDF-C or PnetCDF.
Datasets &datasets_of(Layer layer);

}  // namespace sv::profile
