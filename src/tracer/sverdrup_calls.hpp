// How the functions of Sverdrup are interposed (prototypes: include/sverdrup/sverdrup.h; handles as words). The Fortran
// and CFIO interfaces call these.
#pragma once

#include "tracer/file_calls.hpp"
#include "tracer/sverdrup_files.hpp"

namespace sv::profile {

/// A call about an open file, and a variable of it or none.
class SverdrupCall : public FileCall {
 public:
  using FileCall::FileCall;
  /// The size of a put or get: bytes in memory, of values of `type`.
  void field(Word decomp, int64_t record, int type);
  void whole(int64_t record, int type);
  void block(const int64_t *start, const int64_t *count, int type);
  void blocks(int n, const int64_t *const *starts, const int64_t *const *counts, int type);

 private:
  void elements(int64_t elements, int type);
};

/// Of one value of a type of netCDF's numbering; 0: none of them.
int64_t bytes_of_sverdrup_type(int type);
/// Values that this rank has of a field.
int64_t elements_of_part(const SverdrupPart &part, int64_t cells_of_variable);

}  // namespace sv::profile

#define SV_SV_CALL(name, parameters, values, var, ...)            \
  SV_TRACED int name parameters {                                 \
    static Traced<int parameters> traced(Layer::sverdrup, #name); \
    SverdrupCall call(traced, file, var);                         \
    if (call) {                                                   \
      __VA_ARGS__;                                                \
    }                                                             \
    return call.returns(traced.real() values);                    \
  }
