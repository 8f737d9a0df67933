// PnetCDF: put, get, and the requests iput, iget, bput of one sub-array: var, var1, vara, vars, varm. Bytes: of the
// values in memory: of the type in the name; without one, items * size of the MPI datatype.
#include "profile/pnetcdf.hpp"

namespace sv::profile {
namespace {

// The values' memory as MPI describes it; items < 0 (NC_COUNT_IGNORE) or no type: as the variable is.
void described(TransferCall &call, int64_t items, Word datatype, const void *function) {
  const int64_t bytes = call && items >= 0 ? mpi_library(function).type_bytes(datatype) : 0;
  if (bytes > 0) {
    call.bytes(items * bytes);
  }
}

#define SV_PN_VALUES(name, parameters, values, access, element_bytes)                    \
  SV_TRACED int name parameters {                                                        \
    static Traced<int parameters> traced(Layer::pnetcdf, #name);                         \
    TransferCall call(traced, pnetcdf_datasets(), {ncid, varid}, access, element_bytes); \
    return call.returns(traced.real() values);                                           \
  }
#define SV_PN_DESCRIBED(name, parameters, values, access, element_bytes)                 \
  SV_TRACED int name parameters {                                                        \
    static Traced<int parameters> traced(Layer::pnetcdf, #name);                         \
    const auto real = traced.real();                                                     \
    TransferCall call(traced, pnetcdf_datasets(), {ncid, varid}, access, element_bytes); \
    described(call, items, datatype, reinterpret_cast<const void *>(real));              \
    return call.returns(real values);                                                    \
  }

// var, var1, vara, vars and varm of one name: `head`_var`tail`. `memory`, `passed`: the parameters that follow those
// which choose the elements.
#define SV_PN_FAMILY(X, head, tail, memory, passed, bytes)                                                            \
  X(head##_var##tail, (int ncid, int varid SV_AND memory), (ncid, varid SV_AND passed), Access{}, bytes)              \
  X(head##_var1##tail, (int ncid, int varid, const int64_t *start SV_AND memory), (ncid, varid, start SV_AND passed), \
    (Access{Choice::one, start}), bytes)                                                                              \
  X(head##_vara##tail, (int ncid, int varid, const int64_t *start, const int64_t *count SV_AND memory),               \
    (ncid, varid, start, count SV_AND passed), (Access{Choice::block, start, count}), bytes)                          \
  X(head##_vars##tail,                                                                                                \
    (int ncid, int varid, const int64_t *start, const int64_t *count, const int64_t *stride SV_AND memory),           \
    (ncid, varid, start, count, stride SV_AND passed), (Access{Choice::block, start, count, stride}), bytes)          \
  X(head##_varm##tail,                                                                                                \
    (int ncid, int varid, const int64_t *start, const int64_t *count, const int64_t *stride,                          \
     const int64_t *imap SV_AND memory),                                                                              \
    (ncid, varid, start, count, stride, imap SV_AND passed), (Access{Choice::block, start, count, stride, imap}),     \
    bytes)

#define SV_PN_NOW(head, tail, bytes) SV_PN_FAMILY(SV_PN_VALUES, head, tail, (void *data), (data), bytes)
#define SV_PN_REQUEST(head, tail, bytes) \
  SV_PN_FAMILY(SV_PN_VALUES, head, tail, (void *data, int *request), (data, request), bytes)
#define SV_PN_MPI_NOW(head, tail)                                                                                \
  SV_PN_FAMILY(SV_PN_DESCRIBED, head, tail, (void *data, int64_t items, Word datatype), (data, items, datatype), \
               as_in_file)
#define SV_PN_MPI_REQUEST(head)                                                                   \
  SV_PN_FAMILY(SV_PN_DESCRIBED, head, , (void *data, int64_t items, Word datatype, int *request), \
               (data, items, datatype, request), as_in_file)

#define SV_PN_OF_TYPE(type, bytes)        \
  SV_PN_NOW(ncmpi_put, type, bytes)       \
  SV_PN_NOW(ncmpi_put, type##_all, bytes) \
  SV_PN_NOW(ncmpi_get, type, bytes)       \
  SV_PN_NOW(ncmpi_get, type##_all, bytes) \
  SV_PN_REQUEST(ncmpi_iput, type, bytes)  \
  SV_PN_REQUEST(ncmpi_iget, type, bytes)  \
  SV_PN_REQUEST(ncmpi_bput, type, bytes)

}  // namespace

SV_PN_TYPES(SV_PN_OF_TYPE)
SV_PN_MPI_NOW(ncmpi_put, )
SV_PN_MPI_NOW(ncmpi_put, _all)
SV_PN_MPI_NOW(ncmpi_get, )
SV_PN_MPI_NOW(ncmpi_get, _all)
SV_PN_MPI_REQUEST(ncmpi_iput)
SV_PN_MPI_REQUEST(ncmpi_iget)
SV_PN_MPI_REQUEST(ncmpi_bput)

}  // namespace sv::profile
