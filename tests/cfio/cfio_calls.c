// The C interface of CFIO: records, coordinates that every client puts, define mode again, reading, with the arguments
// LAT_PROC LON_PROC RATIO SERVERS. LAT_PROC runs with the first dimension, ranks fastest, as in the library of the
// paper's authors.
// run: ranks=1 limit=60 args=1 1 8 0
// run: ranks=6 limit=60 env=SV_ASYNC=none args=2 3 4 0
// run: ranks=7 limit=60 name=servers env=SV_TESTING_RANKS_PER_NODE=3;SV_ASYNC_MEMORY=8MiB args=5 1 3 2
#include <cfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { lat = 11, lon = 14, depth = 3, records = 3 };

static int rank = 0, clients = 0;
static size_t start[2], count[2];  // of the horizontal part of this client

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "FAILED on rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void good(int status, const char *call) {
  if (status == 0) return;
  fprintf(stderr, "FAILED on rank %d: %s: %s: %s\n", rank, call, cfio_strerror(status), cfio_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define MUST(call) good((call), #call)

static size_t from(int length, int parts, int part) { return (size_t)(length * part / parts); }

/* The value of a cell; every variable has numbers of its own. */
static int value(int variable, size_t record, size_t layer, size_t y, size_t x) {
  return (int)((((size_t)variable * 7 + record) * 5 + layer) * 160 + y * lon + x);
}

static void define(int ncid, int *var) {
  int dims[4], again = -1;
  const float scale[2] = {0.5F, 2.0F};
  const int number = 7;
  MUST(cfio_def_dim(ncid, "time", NF_UNLIMITED, &dims[0]));
  MUST(cfio_def_dim(ncid, "depth", depth, &dims[1]));
  MUST(cfio_def_dim(ncid, "lat", lat, &dims[2]));
  MUST(cfio_def_dim(ncid, "lon", lon, &dims[3]));
  MUST(cfio_def_var(ncid, "lat", NF_DOUBLE, 1, &dims[2], &var[0]));
  const int surface[3] = {dims[0], dims[2], dims[3]};
  MUST(cfio_def_var(ncid, "ssh", CFIO_FLOAT, 3, surface, &var[1]));
  // As in the library of the paper's authors, with this client's part.
  const size_t part_start[4] = {0, 0, start[0], start[1]}, part_count[4] = {1, depth, count[0], count[1]};
  MUST(cfio_def_var(ncid, "temp", NF_SHORT, 4, dims, part_start, part_count, &var[2]));
  MUST(cfio_def_var(ncid, "time", NF_INT, 1, &dims[0], &var[3]));
  require(var[0] == 0 && var[3] == 3, "ids of variables count from 0");
  MUST(cfio_put_att(ncid, NF_GLOBAL, "title", NF_CHAR, strlen("a run"), "a run"));
  MUST(cfio_put_att(ncid, var[1], "scales", NF_FLOAT, 2, scale));
  MUST(cfio_put_att(ncid, var[0], "number", NF_INT, 1, &number));
  MUST(cfio_inq_varid(ncid, "temp", &again));
  require(again == var[2], "cfio_inq_varid");
}

static void put_record(int ncid, const int *var, size_t n) {
  const size_t surface_start[3] = {n, start[0], start[1]}, surface_count[3] = {1, count[0], count[1]};
  const size_t part_start[4] = {n, 0, start[0], start[1]}, part_count[4] = {1, depth, count[0], count[1]};
  const size_t cells = count[0] * count[1], one = 1;
  const double time = 10.0 * (double)n + (clients - 1 - rank);
  float *ssh = malloc(cells * sizeof *ssh);
  int *temp = malloc(depth * cells * sizeof *temp);
  require(ssh != NULL && temp != NULL, "memory");
  for (size_t i = 0; i < cells; ++i) {
    const size_t y = start[0] + i / count[1], x = start[1] + i % count[1];
    ssh[i] = (float)value(1, n, 0, y, x);
    for (size_t layer = 0; layer < depth; ++layer) temp[layer * cells + i] = value(2, n, layer, y, x);
  }
  MUST(cfio_put_vara_real(ncid, var[1], 3, surface_start, surface_count, ssh));
  MUST(cfio_put_vara_int(ncid, var[2], 4, part_start, part_count, temp));
  MUST(cfio_put_vara_double(ncid, var[3], 1, &n, &one, &time));  // the last client's is written
  free(ssh);
  free(temp);
}

static void write_file(void) {
  int ncid = -1, other = -1, var[4], mask = -1, dims[2];
  double latitudes[lat];
  MUST(cfio_create("calls.nc", NF_CLOBBER, &ncid));
  MUST(cfio_create("other.nc", NF_64BIT_OFFSET, &other));
  require(ncid == 1 && other == 2, "ids of files count from 1");
  define(ncid, var);
  MUST(cfio_enddef(ncid));
  // The rows of this client: those of one row of clients put the same.
  for (size_t i = 0; i < count[0]; ++i) latitudes[i] = value(0, 0, 0, start[0] + i, 0);
  MUST(cfio_put_vara_double(ncid, var[0], 1, start, count, latitudes));
  for (size_t n = 0; n < records; ++n) {
    put_record(ncid, var, n);
    MUST(n % 2 == 0 ? cfio_io_end() : cfio_end_io());
  }
  MUST(cfio_redef(ncid));
  MUST(cfio_inq_dimid(ncid, "lat", &dims[0]));
  MUST(cfio_inq_dimid(ncid, "lon", &dims[1]));
  MUST(cfio_def_var(ncid, "mask", NF_INT, 2, dims, &mask));
  MUST(cfio_enddef(ncid));
  const size_t nothing[2] = {0, 0}, all[2] = {lat, lon};
  int whole[lat * lon];
  for (int i = 0; i < lat * lon; ++i) whole[i] = value(4, 0, 0, (size_t)(i / lon), (size_t)(i % lon));
  MUST(cfio_put_vara_int(ncid, mask, 2, nothing, rank == 0 ? all : nothing, whole));
  MUST(cfio_def_dim(other, "x", 2, &dims[0]));
  MUST(cfio_enddef(other));
  MUST(cfio_close(other));
  MUST(cfio_close(ncid));
  MUST(cfio_io_end());
}

/* Every rank reads everything. */
static void read_file(void) {
  int ncid = -1, var = -1, dim = -1, mask[lat * lon];
  size_t length = 0;
  float ssh[lat * lon];
  double temp[depth * lat * lon], time[records], latitudes[lat];
  MUST(cfio_open("calls.nc", NF_NOWRITE, &ncid));
  MUST(cfio_inq_dimid(ncid, "time", &dim));
  MUST(cfio_inq_dimlen(ncid, dim, &length));
  require(length == records, "the number of records");
  const size_t first = records - 1, zero[4] = {0, 0, 0, 0}, row[1] = {lat}, steps[1] = {records};
  const size_t surface_start[3] = {first, 0, 0}, surface_count[3] = {1, lat, lon};
  const size_t temp_start[4] = {first, 0, 0, 0}, temp_count[4] = {1, depth, lat, lon};
  MUST(cfio_get_vara_double(ncid, 0, 1, zero, row, latitudes));
  MUST(cfio_get_vara_real(ncid, 1, 3, surface_start, surface_count, ssh));
  MUST(cfio_get_vara_double(ncid, 2, 4, temp_start, temp_count, temp));
  MUST(cfio_get_vara_double(ncid, 3, 1, zero, steps, time));
  MUST(cfio_inq_varid(ncid, "mask", &var));
  MUST(cfio_get_vara_int(ncid, var, 2, zero, surface_count + 1, mask));
  for (size_t i = 0; i < (size_t)lat * lon; ++i) {
    const size_t y = i / lon, x = i % lon;
    require((int)latitudes[y] == value(0, 0, 0, y, 0), "lat");
    require((int)ssh[i] == value(1, first, 0, y, x), "ssh");
    require(mask[i] == value(4, 0, 0, y, x), "mask");
    for (size_t layer = 0; layer < depth; ++layer)
      require((int)temp[layer * lat * lon + i] == value(2, first, layer, y, x), "temp");
  }
  for (int n = 0; n < records; ++n) require((int)time[n] == 10 * n, "time");
  MUST(cfio_close(ncid));
}

int main(int argc, char **argv) {
  int ranks = 0, client = -1;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  require(argc == 5, "arguments LAT_PROC LON_PROC RATIO SERVERS");
  const int lat_proc = atoi(argv[1]), lon_proc = atoi(argv[2]), servers = atoi(argv[4]);
  require(cfio_proc_type() == CFIO_TYPE_BLANK, "the type of a process before cfio_init");
  MUST(cfio_init(lat_proc, lon_proc, atoi(argv[3])));
  require((cfio_proc_type() == CFIO_TYPE_SERVER) == (rank >= ranks - servers), "the last ranks serve");
  CFIO_START()
  MUST(cfio_client_comm(&comm));
  MPI_Comm_size(comm, &clients);
  MPI_Comm_rank(comm, &client);
  require(clients == lat_proc * lon_proc && client == rank, "the communicator of the clients");
  const int y = rank % lat_proc, x = rank / lat_proc;
  start[0] = from(lat, lat_proc, y);
  start[1] = from(lon, lon_proc, x);
  count[0] = from(lat, lat_proc, y + 1) - start[0];
  count[1] = from(lon, lon_proc, x + 1) - start[1];
  write_file();
  read_file();
  CFIO_END()
  MUST(cfio_finalize());
  require(cfio_proc_type() == CFIO_TYPE_BLANK, "the type of a process after cfio_finalize");
  MPI_Finalize();
  return 0;
}
