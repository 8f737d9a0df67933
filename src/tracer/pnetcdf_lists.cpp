// PnetCDF: lists: varn (sub-arrays of one variable), vard (a file type), mput and mget (variables). Bytes: of the
// values in memory. Of several sub-arrays, their number (requests), and start and count of the first are recorded.
#include "tracer/dataset_functions.hpp"
#include "tracer/mpi.hpp"

namespace sv::profile {
namespace {

using Blocks = int64_t *const *;

// Elements of `n` sub-arrays of a variable; counts that are not there mean 1. -1: not known.
int64_t elements_of_blocks(int n, Blocks counts, int ndims) {
  if (ndims < 0) {
    return -1;
  }
  int64_t elements = 0;
  for (int b = 0; b < n; ++b) {
    elements += counts != nullptr && counts[b] != nullptr ? elements_of(counts[b], ndims) : 1;
  }
  return elements;
}

void of_blocks(DatasetCall &call, int n, Blocks starts, Blocks counts, int64_t element_bytes) {
  if (!call) {
    return;
  }
  const int ndims = call.known().ndims;
  const int64_t elements = elements_of_blocks(n, counts, ndims);
  const int64_t each = element_bytes == as_in_file ? call.known().type_bytes : element_bytes;
  if (elements >= 0 && each > 0) {
    call->bytes(elements * each);
  }
  call.argument(Argument::requests, n);
  if (n > 0 && starts != nullptr) {
    call.arguments(Argument::start, starts[0], ndims);
  }
  if (n > 0 && counts != nullptr) {
    call.arguments(Argument::count, counts[0], ndims);
  }
}

// `items` of `datatype` in memory, where it describes them.
void in_memory(DatasetCall &call, int64_t items, Word datatype, const void *function) {
  const int64_t bytes = call && items >= 0 ? mpi_library(function).type_bytes(datatype) : 0;
  if (bytes > 0) {
    call->bytes(items * bytes);
  }
}

// Sub-arrays of several variables of one dataset. Each variable is named in `vars`; a list that a function has not is
// nullptr: without starts whole variables are meant, with starts only single elements.
struct Variables {
  int n;
  const int *vars;
  Blocks starts, counts;
  const int64_t *items;   // of `datatypes`
  const void *datatypes;  // an array of handles, pointers or int
};

int64_t bytes_of_one(trace::Recorder &recorder, int ncid, const Variables &all, int v, int64_t element_bytes) {
  const KnownVariable known = datasets_of(Layer::pnetcdf).variable(recorder, ncid, all.vars[v]);
  int64_t elements = 1;
  if (all.starts == nullptr) {
    elements = datasets_of(Layer::pnetcdf).elements(ncid, all.vars[v]);
  } else if (all.counts != nullptr) {
    elements = known.ndims < 0 ? -1 : elements_of(all.counts[v], known.ndims);
  }
  const int64_t each = element_bytes == as_in_file ? known.type_bytes : element_bytes;
  return elements < 0 || each <= 0 ? -1 : elements * each;
}

void of_variables(DatasetCall &call, int ncid, const Variables &all, int64_t element_bytes, const void *function) {
  if (!call) {
    return;
  }
  call.argument(Argument::requests, all.n);
  int64_t bytes = 0;
  for (int v = 0; v < all.n && bytes >= 0; ++v) {
    const int64_t type_bytes = all.datatypes != nullptr && all.items[v] >= 0
                                   ? mpi_library(function).type_bytes(mpi_library(function).handle_in(all.datatypes, v))
                                   : 0;
    const int64_t one =
        type_bytes > 0 ? all.items[v] * type_bytes : bytes_of_one(call->recorder(), ncid, all, v, element_bytes);
    bytes = one < 0 ? -1 : bytes + one;
  }
  call->bytes(bytes);
  if (all.n > 0) {
    const KnownVariable first = datasets_of(Layer::pnetcdf).variable(call->recorder(), ncid, all.vars[0]);
    call.arguments(Argument::start, all.starts != nullptr ? all.starts[0] : nullptr, first.ndims);
    call.arguments(Argument::count, all.counts != nullptr ? all.counts[0] : nullptr, first.ndims);
  }
}

// `memory`, `passed`: the parameters from the data on.
#define SV_PN_VARN(name, memory, passed, bytes)                                              \
  SV_PN_CALL(name, (int ncid, int varid, int n, Blocks starts, Blocks counts SV_AND memory), \
             (ncid, varid, n, starts, counts SV_AND passed), varid, of_blocks(call, n, starts, counts, bytes))
#define SV_PN_VARN_DESCRIBED(name, memory, passed)                                                                  \
  SV_PN_CALL(name, (int ncid, int varid, int n, Blocks starts, Blocks counts SV_AND memory),                        \
             (ncid, varid, n, starts, counts SV_AND passed), varid, of_blocks(call, n, starts, counts, as_in_file), \
             in_memory(call, items, datatype, traced.address()))
#define SV_PN_VARN_NOW(name, bytes) SV_PN_VARN(name, (void *data), (data), bytes)
#define SV_PN_VARN_REQUEST(name, bytes) SV_PN_VARN(name, (void *data, int *request), (data, request), bytes)
#define SV_PN_VARN_MPI_NOW(name) \
  SV_PN_VARN_DESCRIBED(name, (void *data, int64_t items, Word datatype), (data, items, datatype))
#define SV_PN_VARN_MPI_REQUEST(name) \
  SV_PN_VARN_DESCRIBED(name, (void *data, int64_t items, Word datatype, int *request), (data, items, datatype, request))

#define SV_PN_VARD(name)                                                                            \
  SV_PN_CALL(name, (int ncid, int varid, Word file_type, void *data, int64_t items, Word datatype), \
             (ncid, varid, file_type, data, items, datatype), varid, in_memory(call, 1, file_type, traced.address()))

// mput, mget: `lists` are those between the variables and the data; `starts` and `counts` those of them that choose
// elements.
#define SV_PN_SOME(name, lists, listed, starts, counts, bytes)                                                        \
  SV_PN_CALL(name, (int ncid, int n, int *vars SV_AND lists, void *const *data), (ncid, n, vars SV_AND listed, data), \
             no_variable, of_variables(call, ncid, {n, vars, starts, counts, nullptr, nullptr}, bytes, nullptr))
#define SV_PN_SOME_DESCRIBED(name, lists, listed, starts, counts, bytes)                                            \
  SV_PN_CALL(name,                                                                                                  \
             (int ncid, int n, int *vars SV_AND lists, void *const *data, const int64_t *items, const void *types), \
             (ncid, n, vars SV_AND listed, data, items, types), no_variable,                                        \
             of_variables(call, ncid, {n, vars, starts, counts, items, types}, bytes, traced.address()))
#define SV_PN_MANY_AS(X, head, tail, bytes)                                                                            \
  X(head##_var##tail, (), (), nullptr, nullptr, bytes)                                                                 \
  X(head##_var1##tail, (Blocks starts), (starts), starts, nullptr, bytes)                                              \
  X(head##_vara##tail, (Blocks starts, Blocks counts), (starts, counts), starts, counts, bytes)                        \
  X(head##_vars##tail, (Blocks starts, Blocks counts, Blocks strides), (starts, counts, strides), starts, counts,      \
    bytes)                                                                                                             \
  X(head##_varm##tail, (Blocks starts, Blocks counts, Blocks strides, Blocks imaps), (starts, counts, strides, imaps), \
    starts, counts, bytes)
#define SV_PN_MANY(head, tail, bytes) SV_PN_MANY_AS(SV_PN_SOME, head, tail, bytes)
#define SV_PN_MANY_FLEXIBLE(head, tail) SV_PN_MANY_AS(SV_PN_SOME_DESCRIBED, head, tail, as_in_file)

#define SV_PN_LISTS_OF_TYPE(pn, type, bytes)       \
  SV_PN_VARN_NOW(pn##_put_varn##type, bytes)       \
  SV_PN_VARN_NOW(pn##_put_varn##type##_all, bytes) \
  SV_PN_VARN_NOW(pn##_get_varn##type, bytes)       \
  SV_PN_VARN_NOW(pn##_get_varn##type##_all, bytes) \
  SV_PN_VARN_REQUEST(pn##_iput_varn##type, bytes)  \
  SV_PN_VARN_REQUEST(pn##_iget_varn##type, bytes)  \
  SV_PN_VARN_REQUEST(pn##_bput_varn##type, bytes)  \
  SV_PN_MANY(pn##_mput, type, bytes)               \
  SV_PN_MANY(pn##_mput, type##_all, bytes)         \
  SV_PN_MANY(pn##_mget, type, bytes)               \
  SV_PN_MANY(pn##_mget, type##_all, bytes)

}  // namespace

SV_PN_LISTS_OF_TYPE(ncmpi, _text, 1)
SV_NUMBER_TYPES(SV_PN_LISTS_OF_TYPE, ncmpi)
SV_PN_VARN_MPI_NOW(ncmpi_put_varn)
SV_PN_VARN_MPI_NOW(ncmpi_put_varn_all)
SV_PN_VARN_MPI_NOW(ncmpi_get_varn)
SV_PN_VARN_MPI_NOW(ncmpi_get_varn_all)
SV_PN_VARN_MPI_REQUEST(ncmpi_iput_varn)
SV_PN_VARN_MPI_REQUEST(ncmpi_iget_varn)
SV_PN_VARN_MPI_REQUEST(ncmpi_bput_varn)
SV_PN_MANY_FLEXIBLE(ncmpi_mput, )
SV_PN_MANY_FLEXIBLE(ncmpi_mput, _all)
SV_PN_MANY_FLEXIBLE(ncmpi_mget, )
SV_PN_MANY_FLEXIBLE(ncmpi_mget, _all)
SV_PN_VARD(ncmpi_put_vard)
SV_PN_VARD(ncmpi_put_vard_all)
SV_PN_VARD(ncmpi_get_vard)
SV_PN_VARD(ncmpi_get_vard_all)

}  // namespace sv::profile
