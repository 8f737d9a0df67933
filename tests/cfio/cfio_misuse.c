// Calls that the CFIO interface refuses, with the same status on every rank while the run goes on, and effects of the
// configuration. The argument is the number of servers.
// run: ranks=3 limit=60 env=SV_ASYNC=none args=0
// run: ranks=3 limit=60 name=servers env=SV_ASYNC_MEMORY=8MiB args=1
#include <cfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sverdrup/sverdrup.h>

static int rank = 0;

static void expect(int status, int expected, const char *call, const char *words) {
  if (status == expected && (words == NULL || strstr(cfio_message(), words) != NULL)) return;
  fprintf(stderr, "FAILED on rank %d: %s gives %d (%s), not %d; %s\n", rank, call, status, cfio_strerror(status),
          expected, cfio_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define MUST(call) expect((call), 0, #call, NULL)
#define REFUSED(status, words, call) expect((call), status, #call, words)

/* On every rank alike, servers too; then nothing has begun. */
static void wrong_processes(int clients) {
  REFUSED(SV_EINVAL, "computing processes", cfio_init(clients + 1, 1, 2));
  REFUSED(SV_EINVAL, "compute", cfio_init(0, clients, 2));
  REFUSED(SV_EORDER, "cfio_init", cfio_io_end());
  REFUSED(SV_EORDER, "cfio_init", cfio_finalize());
}

/* The files of the run and of the site decide which ranks serve, at any ratio. */
static void file_wins(const char *variable, int ranks) {
  FILE *const file = rank == 0 ? fopen("cfio.yaml", "w") : NULL;
  if (file != NULL) {
    fputs("# no servers\n\"async\" : none\n", file);
    fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  setenv(variable, "cfio.yaml", 1);
  MUST(cfio_init(1, ranks, 2));
  MUST(cfio_finalize());
  unsetenv(variable);
}

static void out_of_order(int *var) {
  int ncid = -1, dim = -1;
  const size_t start = 0, count = 1;
  const int value = 1;
  MUST(cfio_create("misuse.nc", 0, &ncid));
  MUST(cfio_def_dim(ncid, "x", 12, &dim));
  REFUSED(SV_EEXISTS, "x", cfio_def_dim(ncid, "x", 12, &dim));
  MUST(cfio_def_var(ncid, "v", NF_INT, 1, &dim, var));
  REFUSED(SV_EORDER, "misuse.nc", cfio_put_vara_int(ncid, *var, 1, &start, &count, &value));
  MUST(cfio_enddef(ncid));
  REFUSED(SV_EORDER, "misuse.nc", cfio_def_dim(ncid, "y", 12, &dim));
  REFUSED(SV_ENOTFOUND, "w", cfio_inq_varid(ncid, "w", &dim));
  REFUSED(SV_EINVAL, "7", cfio_enddef(7));
  MUST(cfio_redef(ncid));
  MUST(cfio_enddef(ncid));
}

/* Of rank 0 alone; every rank gets the error. */
static void bad_puts(int var) {
  const int ncid = 1, value = 5;
  const size_t starts[2] = {(size_t)rank, 0}, counts[2] = {1, 1};
  int got = 0;
  REFUSED(SV_EINVAL, "2 dimensions", cfio_put_vara_int(ncid, var, rank == 0 ? 2 : 1, starts, counts, &value));
  REFUSED(SV_EINVAL, "null", cfio_put_vara_int(ncid, var, 1, rank == 0 ? NULL : starts, counts, &value));
  REFUSED(SV_EINVAL, "misuse.nc", cfio_put_vara_int(ncid, var, 1, rank == 0 ? &(size_t){12} : starts, counts, &value));
  REFUSED(SV_EINVAL, "2 dimensions", cfio_get_vara_int(ncid, var, rank == 0 ? 2 : 1, starts, counts, &got));
  MUST(cfio_put_vara_int(ncid, var, 1, starts, counts, &value));
  MUST(cfio_get_vara_int(ncid, var, 1, starts, counts, &got));
  expect(got, 5, "the value that was put", NULL);
}

int main(int argc, char **argv) {
  int ranks = 0, var = -1, ncid = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int clients = ranks - atoi(argv[1]);
  wrong_processes(clients);
  file_wins("SV_CONFIG", ranks);
  file_wins("SV_SITE_CONFIG", ranks);
  MUST(cfio_init(clients, 1, 2));
  REFUSED(SV_EORDER, "already", cfio_init(clients, 1, 2));
  if (cfio_proc_type() == CFIO_TYPE_CLIENT) {
    REFUSED(SV_ENOTFOUND, "absent.nc", cfio_open("absent.nc", NF_NOWRITE, &ncid));
    REFUSED(SV_EINVAL, "place", cfio_create("misuse.nc", 0, rank == 0 ? NULL : &ncid));
    out_of_order(&var);
    bad_puts(var);
    MUST(cfio_close(1));
    REFUSED(SV_EINVAL, "no open file", cfio_close(1));
  } else {
    REFUSED(SV_EORDER, "served", cfio_create("misuse.nc", 0, &ncid));
  }
  MUST(cfio_final());
  MPI_Finalize();
  return 0;
}
