/* Requests that sv_prepare_grid refuses, on every rank alike and without leaving a file; then one that it takes. The
 * sources are made by grid_test.py. */
#include <stdio.h>
#include <string.h>
#include <sverdrup/grid.h>

static const int two_and_many[] = {2, 60}, none[] = {0}, twice[] = {2, 3, 2}, all[] = {54};
static const double upwards[] = {5, 4};

#define LONLAT .kind = SV_GRID_LONLAT, .nx = 9, .ny = 9
#define CUBE .source = "plain.nc", .longitude = "of_a", .latitude = "of_b", .kind = SV_GRID_CUBED_SPHERE, .nx = 3

static const struct {
  int status;
  const char *words;
  sv_grid_request request;
} cases[] = {
    {SV_ENOTFOUND, "No such file", {.source = "none.nc", LONLAT}},
    {SV_EINVAL, "names no source", {LONLAT}},
    {SV_ENOTFOUND, "no variable 'height'", {.source = "land.nc", .variable = "height", LONLAT}},
    {SV_EINVAL, "several variables may be the topography: z, other", {.source = "land.nc", LONLAT}},
    {SV_EFORMAT, "has no ocean", {.source = "land.nc", .variable = "z", LONLAT}},
    {SV_ENOTFOUND, "no variable lies on latitudes", {.source = "plain.nc", LONLAT}},
    {SV_ENOTFOUND, "no longitude is found", {.source = "plain.nc", .variable = "height", .latitude = "of_b", LONLAT}},
    {SV_EFORMAT, "not a 1-D latitude", {.source = "plain.nc", .longitude = "of_a", .latitude = "of_a", LONLAT}},
    {SV_EFORMAT, "is no latitude", {.source = "odd.nc", LONLAT}},
    {SV_EFORMAT, "has 1 dimensions", {.source = "plain.nc", .variable = "of_a", LONLAT}},
    {SV_EINVAL, "no kind of grid 7", {.source = "plain.nc", .kind = 7}},
    {SV_EINVAL, "2 x 9", {.source = "plain.nc", .kind = SV_GRID_LONLAT, .nx = 2, .ny = 9}},
    {SV_EINVAL, "-3", {.source = "plain.nc", .kind = SV_GRID_CUBED_SPHERE, .nx = -3}},
    {SV_EINVAL, "more than 536870911", {.source = "plain.nc", .kind = SV_GRID_CUBED_SPHERE, .nx = 3000000000}},
    {SV_EINVAL, "no order 5", {CUBE, .order = 5}},
    {SV_EINVAL, "60 ranks for 54 cells", {CUBE, .n_partitions = 2, .ranks = two_and_many}},
    {SV_EINVAL, "0 ranks", {CUBE, .n_partitions = 1, .ranks = none}},
    {SV_EINVAL, "2 ranks are asked for twice", {CUBE, .n_partitions = 3, .ranks = twice}},
    {SV_EINVAL, "increasing", {CUBE, .n_levels = 2, .level_tops = upwards}},
};

static int wrong(const char *what, int status, const char *wanted) {
  fprintf(stderr, "wrong: %s: status %d, message '%s', wanted '%s'\n", what, status, sv_message(), wanted);
  return 1;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, bad = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int status = sv_prepare_grid(MPI_COMM_WORLD, &cases[i].request, "out.nc", NULL);
    if (status != cases[i].status || strstr(sv_message(), cases[i].words) == NULL)
      bad += wrong("a case", status, cases[i].words);
  }
  const sv_grid_request good = {CUBE, .n_partitions = 1, .ranks = all};
  int status = sv_prepare_grid(MPI_COMM_WORLD, rank == 1 ? NULL : &good, "out.nc", NULL);
  if (status != SV_EINVAL || strstr(sv_message(), "null pointer") == NULL) bad += wrong("NULL", status, "null pointer");
  status = sv_prepare_grid(MPI_COMM_WORLD, &good, "nowhere/out.nc", NULL);
  if (status != SV_ENOTFOUND || strstr(sv_message(), "nowhere") == NULL) bad += wrong("a folder", status, "nowhere");
  sv_grid_partition partition;
  sv_grid_report report = {.partitions = &partition};
  status = sv_prepare_grid(MPI_COMM_WORLD, &good, "good.nc", &report);
  if (status != SV_OK || report.kept_cells != 54 || partition.ranks != 54) bad += wrong("a good request", status, "");
  MPI_Finalize();
  return bad != 0;
}
