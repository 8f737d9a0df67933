// cfio.h: writing and reading values.
#include <stdint.h>
#include <stdio.h>

#include "files.h"

/// This process's part of a variable, and its values of memory type `type`.
struct part {
  int ncid, varid, ndims;
  const size_t *start, *count;
  int type;
};

/// The part as Sverdrup takes it.
struct region {
  sv_file *file;
  int64_t start[SV_MAX_DIMS], count[SV_MAX_DIMS];
};

/// The collective call that follows reports a wrong number of dimensions to all clients.
static int find_region(const char *call, const struct part *part, struct region *region) {
  int status = cfio_find_file(call, part->ncid, &region->file);
  if (status != SV_OK) return status;
  int ndims = 0;
  if (sv_inq_var(region->file, part->varid, NULL, NULL, &ndims, NULL, NULL) != SV_OK) ndims = part->ndims;
  const int fits = part->ndims == ndims && ndims <= SV_MAX_DIMS && (ndims < 1 || (part->start && part->count));
  for (int d = 0; d < SV_MAX_DIMS; ++d) {
    region->start[d] = fits && d < ndims ? (int64_t)part->start[d] : 0;
    region->count[d] = fits && d < ndims ? (int64_t)part->count[d] : 0;
  }
  if (fits) return SV_OK;
  char cause[160];
  snprintf(cause, sizeof cause, "%s of variable %d with %d dimensions%s; it has %d", call, part->varid, part->ndims,
           part->start && part->count ? "" : ", start or count a null pointer", ndims);
  return sv_refuse(cfio_run(), SV_EINVAL, cause, "Count the record dimension as well");
}

/// A list of one: in those, parts of different processes may overlap, as every process passing the coordinates does.
static int put(const struct part *part, const void *values) {
  struct region region;
  const int status = find_region("cfio_put_vara", part, &region);
  if (status != SV_OK) return status;
  const int64_t *const start = region.start, *const count = region.count;
  const sv_source source = {part->type, values, NULL};
  return sv_mput_vara(region.file, 1, &part->varid, &start, &count, &source);
}

static int get(const struct part *part, void *values) {
  struct region region;
  const int status = find_region("cfio_get_vara", part, &region);
  if (status != SV_OK) return status;
  return sv_get_vara(region.file, part->varid, region.start, region.count, part->type, values, NULL);
}

int cfio_put_vara_float(int ncid, int varid, int ndims, const size_t *start, const size_t *count, const float *values) {
  return put(&(struct part){ncid, varid, ndims, start, count, SV_FLOAT}, values);
}

int cfio_put_vara_real(int ncid, int varid, int ndims, const size_t *start, const size_t *count, const float *values) {
  return cfio_put_vara_float(ncid, varid, ndims, start, count, values);
}

int cfio_put_vara_double(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                         const double *values) {
  return put(&(struct part){ncid, varid, ndims, start, count, SV_DOUBLE}, values);
}

int cfio_put_vara_int(int ncid, int varid, int ndims, const size_t *start, const size_t *count, const int *values) {
  return put(&(struct part){ncid, varid, ndims, start, count, SV_INT}, values);
}

int cfio_get_vara_float(int ncid, int varid, int ndims, const size_t *start, const size_t *count, float *values) {
  return get(&(struct part){ncid, varid, ndims, start, count, SV_FLOAT}, values);
}

int cfio_get_vara_real(int ncid, int varid, int ndims, const size_t *start, const size_t *count, float *values) {
  return cfio_get_vara_float(ncid, varid, ndims, start, count, values);
}

int cfio_get_vara_double(int ncid, int varid, int ndims, const size_t *start, const size_t *count, double *values) {
  return get(&(struct part){ncid, varid, ndims, start, count, SV_DOUBLE}, values);
}

int cfio_get_vara_int(int ncid, int varid, int ndims, const size_t *start, const size_t *count, int *values) {
  return get(&(struct part){ncid, varid, ndims, start, count, SV_INT}, values);
}
