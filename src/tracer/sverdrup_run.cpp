// Sverdrup: contexts, decompositions, files: the collective and the waiting calls.
#include "tracer/sverdrup_calls.hpp"

namespace sv::profile {
namespace {

// About no file.
#define SV_SV_PLAIN(name, parameters, values, ...)                \
  SV_TRACED int name parameters {                                 \
    static Traced<int parameters> traced(Layer::sverdrup, #name); \
    Call call(traced);                                            \
    __VA_ARGS__;                                                  \
    return call.returns(traced.real() values);                    \
  }

// Creates a decomposition: `part` describes this rank's part.
#define SV_SV_DECOMPOSING(name, parameters, values, part)         \
  SV_TRACED int name parameters {                                 \
    static Traced<int parameters> traced(Layer::sverdrup, #name); \
    Call call(traced);                                            \
    const int status = call.returns(traced.real() values);        \
    if (status == 0) {                                            \
      sverdrup_files().decomposed(*decomp, part);                 \
    }                                                             \
    return status;                                                \
  }

SverdrupPart block_of(int ndims, const int64_t *shape, const int64_t *start, const int64_t *count) {
  return {{start, start + ndims}, {count, count + ndims}, elements_of(count, ndims), elements_of(shape, ndims)};
}

SverdrupPart points_of(int ndims, const int64_t *shape, int64_t n) { return {{}, {}, n, elements_of(shape, ndims)}; }

}  // namespace

SV_SV_PLAIN(sv_init, (Word comm, const char *config, int n, const char *const *options, Word *io),
            (comm, config, n, options, io))
SV_SV_PLAIN(sv_init_fortran, (int comm, const char *config, int n, const char *const *options, Word *io),
            (comm, config, n, options, io))
SV_SV_PLAIN(sv_serve, (Word comm, const char *config, int n, const char *const *options), (comm, config, n, options))
SV_SV_PLAIN(sv_finalize, (Word io), (io))
SV_SV_PLAIN(sv_end_step, (Word io), (io))
SV_SV_PLAIN(sv_flush, (Word io, int level), (io, level), call.argument(Argument::mode, level))
SV_SV_PLAIN(sv_write_summary, (Word io, const char *path), (io, path))

SV_SV_DECOMPOSING(sv_def_decomp,
                  (Word io, int ndims, const int64_t *shape, const int64_t *start, const int64_t *count,
                   const void *options, Word *decomp),
                  (io, ndims, shape, start, count, options, decomp), block_of(ndims, shape, start, count))
SV_SV_DECOMPOSING(sv_def_points,
                  (Word io, int ndims, const int64_t *shape, int64_t n, const int64_t *indices, int flags,
                   Word *decomp),
                  (io, ndims, shape, n, indices, flags, decomp), points_of(ndims, shape, n))
SV_SV_DECOMPOSING(sv_order_points, (Word points, const int64_t *positions, Word *decomp), (points, positions, decomp),
                  sverdrup_files().part(points))
SV_SV_DECOMPOSING(sv_order_points_along_curve,
                  (Word points, const double *longitude, const double *latitude, Word *decomp),
                  (points, longitude, latitude, decomp), sverdrup_files().part(points))
SV_TRACED int sv_free_decomp(Word decomp) {
  static Traced<int(Word)> traced(Layer::sverdrup, "sv_free_decomp");
  sverdrup_files().freed(decomp);
  return traced.real()(decomp);
}

SV_OPENING(Layer::sverdrup, sv_create, (Word io, const char *path, int mode, Word *made), (io, path, mode, made))
SV_OPENING(Layer::sverdrup, sv_open, (Word io, const char *path, int mode, Word *made), (io, path, mode, made))
SV_SV_CALL(sv_enddef, (Word file), (file), no_variable)
SV_SV_CALL(sv_sync, (Word file), (file), no_variable)
SV_SV_CALL(sv_select_record, (Word file, const int *date, double time, int64_t *record, int *wants_fixed),
           (file, date, time, record, wants_fixed), no_variable)
SV_CHANGING(Layer::sverdrup, sv_redef, (Word file), (file), file, changed)
SV_CHANGING(Layer::sverdrup, sv_close, (Word file), (file), file, closed)
SV_CHANGING(Layer::sverdrup, sv_abort, (Word file), (file), file, closed)

}  // namespace sv::profile
