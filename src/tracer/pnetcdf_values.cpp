// PnetCDF: put, get, and the requests iput, iget, bput of one sub-array: var, var1, vara, vars, varm. Bytes: of the
// values in memory: of the type in the name; without one, items * size of the MPI datatype.
#include "tracer/dataset_functions.hpp"

namespace sv::profile {
namespace {

#define SV_PN_VALUES(...) SV_DATASET_VALUES(Layer::pnetcdf, __VA_ARGS__)
#define SV_PN_DESCRIBED(...) SV_PN_VALUES(__VA_ARGS__, call.described(items, datatype, traced.address()))

#define SV_PN_NOW(head, tail, bytes) SV_DATASET_FAMILY(SV_PN_VALUES, head, tail, (void *data), (data), bytes)
#define SV_PN_REQUEST(head, tail, bytes) \
  SV_DATASET_FAMILY(SV_PN_VALUES, head, tail, (void *data, int *request), (data, request), bytes)
#define SV_PN_MPI_NOW(head, tail)                                                                                     \
  SV_DATASET_FAMILY(SV_PN_DESCRIBED, head, tail, (void *data, int64_t items, Word datatype), (data, items, datatype), \
                    as_in_file)
#define SV_PN_MPI_REQUEST(head)                                                                        \
  SV_DATASET_FAMILY(SV_PN_DESCRIBED, head, , (void *data, int64_t items, Word datatype, int *request), \
                    (data, items, datatype, request), as_in_file)

#define SV_PN_OF_TYPE(pn, type, bytes)   \
  SV_PN_NOW(pn##_put, type, bytes)       \
  SV_PN_NOW(pn##_put, type##_all, bytes) \
  SV_PN_NOW(pn##_get, type, bytes)       \
  SV_PN_NOW(pn##_get, type##_all, bytes) \
  SV_PN_REQUEST(pn##_iput, type, bytes)  \
  SV_PN_REQUEST(pn##_iget, type, bytes)  \
  SV_PN_REQUEST(pn##_bput, type, bytes)

}  // namespace

SV_PN_OF_TYPE(ncmpi, _text, 1)
SV_NUMBER_TYPES(SV_PN_OF_TYPE, ncmpi)
SV_PN_MPI_NOW(ncmpi_put, )
SV_PN_MPI_NOW(ncmpi_put, _all)
SV_PN_MPI_NOW(ncmpi_get, )
SV_PN_MPI_NOW(ncmpi_get, _all)
SV_PN_MPI_REQUEST(ncmpi_iput)
SV_PN_MPI_REQUEST(ncmpi_iget)
SV_PN_MPI_REQUEST(ncmpi_bput)

}  // namespace sv::profile
