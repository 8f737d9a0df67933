/* A list of the answers of netCDF in a test program, made in parallel or with -DSERIAL without MPI: the code of each
 * call, and everything that inquiry says of a file. For netcdf_undecided.c and netcdf_opened.h. */
#ifndef SERIAL
#include <mpi.h>
#endif
#include <netcdf.h>
#include <netcdf_filter.h>
#ifndef SERIAL
#include <netcdf_par.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef SERIAL
#define FAIL exit(1)
int nc_var_par_access(int ncid, int varid, int par_access);
#else
#define FAIL MPI_Abort(MPI_COMM_WORLD, 1)
#endif

static int rank, ranks, asks_endian = 1;
static FILE *list;
static const char *path;

#define SAY(call) fprintf(list, "%d: %s -> %d\n", __LINE__, #call, call)
#define MUST(call)                                                                             \
  do {                                                                                         \
    const int code = call;                                                                     \
    if (code != NC_NOERR) {                                                                    \
      fprintf(stderr, "rank %d: line %d: %s: %s\n", rank, __LINE__, #call, nc_strerror(code)); \
      FAIL;                                                                                    \
    }                                                                                          \
  } while (0)

static int make(int mode) {
  int file = -1;
#ifdef SERIAL
  MUST(nc_create(path, mode | NC_NETCDF4, &file));
#else
  MUST(nc_create_par(path, mode | NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
#endif
  return file;
}

/* All ranks put the variable together. */
static void put_together(int file, int variable) {
#ifdef SERIAL
  SAY(nc_var_par_access(file, variable, 1));
#else
  MUST(nc_var_par_access(file, variable, NC_COLLECTIVE));
#endif
}

static void ask_groups(int file);

/* Everything that can be asked of definitions. */
static void ask(int file) {
  int ndims, nvars, natts, unlimited, format, count, numbers[64];
  char name[NC_MAX_NAME + 1];
  SAY(nc_inq(file, &ndims, &nvars, &natts, &unlimited));
  SAY(nc_inq_format(file, &format));
  SAY(nc_inq_unlimdims(file, &count, numbers));
  fprintf(list, "%d dims, %d variables, %d attributes, %d, format %d, %d unlimited\n", ndims, nvars, natts, unlimited,
          format, count);
  MUST(nc_inq_dimids(file, &count, numbers, 0));
  for (int d = 0; d < ndims; ++d) {
    size_t length;
    MUST(nc_inq_dim(file, numbers[d], name, &length));
    fprintf(list, "dim %d %s %zu\n", numbers[d], name, length);
  }
  for (int v = 0; v < nvars; ++v) {
    int type, n, dims[NC_MAX_VAR_DIMS], storage = -1, shuffle, deflate, level, checksum, endian, mode, digits, no_fill;
    size_t chunk[16] = {0}, filters = 0;
    unsigned ids[16];
    double fill = 0;
    MUST(nc_inq_var(file, v, name, &type, &n, dims, &natts));
    fprintf(list, "variable %s, type %d, %d dims, %d attributes:", name, type, n, natts);
    if (n > 0) MUST(nc_inq_var_chunking(file, v, &storage, chunk));
    for (int d = 0; d < n; ++d) fprintf(list, " %d/%zu", dims[d], storage == NC_CHUNKED ? chunk[d] : 0);
    MUST(nc_inq_var_deflate(file, v, &shuffle, &deflate, &level));
    MUST(nc_inq_var_fletcher32(file, v, &checksum));
    MUST(nc_inq_var_endian(file, v, &endian));
    if (!asks_endian) endian = 0; /* netCDF has another answer after a file was opened again */
    MUST(nc_inq_var_fill(file, v, &no_fill, type <= NC_UINT64 ? (void *)&fill : NULL));
    MUST(nc_inq_var_filter_ids(file, v, &filters, ids));
    fprintf(list, " storage %d, shuffle %d, deflate %d at %d, checksum %d, endian %d, no fill %d of %g, %zu filters",
            storage, shuffle, deflate, deflate ? level : 0, checksum, endian, no_fill, fill, filters);
    if (type == NC_FLOAT || type == NC_DOUBLE) {
      MUST(nc_inq_var_quantize(file, v, &mode, &digits));
      fprintf(list, ", quantize %d %d", mode, mode ? digits : 0);
    }
    fprintf(list, "\n");
  }
  ask_groups(file);
}

/* The groups in a group, in which everything is asked: all numbers are those of the file and more. */
static void ask_groups(int file) {
  int count, groups[16], number = -1, dims[16], n;
  size_t length;
  char name[NC_MAX_NAME + 1];
  SAY(nc_inq_grps(file, &count, NULL));
  SAY(nc_inq_grps(file, NULL, groups));
  for (int g = 0; g < count; ++g) {
    SAY(nc_inq_grpname(groups[g], name));
    SAY(nc_inq_ncid(file, name, &number));
    fprintf(list, "group %s, %d behind, found %d", name, groups[g] - file, number == groups[g]);
    SAY(nc_inq_grp_parent(groups[g], &number));
    fprintf(list, ", in its parent %d", number == file);
    SAY(nc_inq_grp_ncid(file, name, &number));
    SAY(nc_inq_grpname_full(groups[g], &length, name));
    fprintf(list, ", again %d, is %s of %zu", number == groups[g], name, length);
    SAY(nc_inq_dimids(groups[g], &n, dims, 1));
    for (int d = 0; d < n; ++d) fprintf(list, " %d", dims[d]);
    SAY(nc_inq_grp_full_ncid(groups[g], name, &number));
    SAY(nc_inq_path(groups[g], &length, NULL));
    SAY(nc_inq_format(groups[g], &n));
    ask(groups[g]);
  }
}
