/* Existing files of netCDF-4 that a test program makes, opens in parallel, reads and changes. For netcdf_undecided.c,
 * behind netcdf_answers.h. */
/* The file that ncgen makes for netcdf_undecided_test.py. Several ranks make it: HDF5 lengthens no other file in
 * parallel. */
static void given(void) {
  const int file = make(0);
  int dims[3], temp, field, values[48];
  for (int i = 0; i < 48; ++i) values[i] = i;
  MUST(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
  MUST(nc_def_dim(file, "y", 4, &dims[1]));
  MUST(nc_def_dim(file, "x", 6, &dims[2]));
  MUST(nc_put_att_string(file, NC_GLOBAL, "notes", 2, (const char *[]){"first", "second"}));
  MUST(nc_def_var(file, "temp", NC_FLOAT, 3, dims, &temp));
  MUST(nc_put_att_text(file, temp, "units", 1, "K"));
  MUST(nc_put_att_float(file, temp, "_FillValue", NC_FLOAT, 1, (float[]){-1}));
  MUST(nc_def_var_chunking(file, temp, NC_CHUNKED, (size_t[]){1, 4, 6}));
  MUST(nc_def_var_deflate(file, temp, 1, 1, 2));
  MUST(nc_def_var(file, "field", NC_SHORT, 2, dims + 1, &field));
  MUST(nc_put_att_short(file, field, "range", NC_SHORT, 2, (short[]){1, 9}));
  MUST(nc_enddef(file));
  MUST(nc_put_vara_int(file, temp, (size_t[]){0, 0, 0}, (size_t[]){2, 4, 6}, values));
  MUST(nc_put_var_int(file, field, values));
  MUST(nc_close(file));
}

static void list_values(const char *what, const double *values, int n) {
  fprintf(list, "%s:", what);
  for (int i = 0; i < n; ++i) fprintf(list, " %g", values[i]);
  fprintf(list, "\n");
}

/* Gets of an existing file: of one rank by itself, and of all together. */
static void get_opened(int file, int temp, int field) {
  double values[72] = {0};
  SAY(nc_get_vara_double(file, temp, (size_t[]){(size_t)rank % 2, 0, 0}, (size_t[]){1, 4, 6}, values));
  list_values("a record", values, 24);
  if (rank == ranks - 1) SAY(nc_get_var_double(file, field, values));
  list_values("a field", values, 24);
  SAY(nc_get_vara_double(file, temp, (size_t[]){1, 0, 0}, (size_t[]){2, 4, 6}, values));
  SAY(nc_var_par_access(file, temp, NC_INDEPENDENT));
  SAY(nc_var_par_access(file, temp, NC_COLLECTIVE));
  SAY(nc_get_vars_double(file, temp, (size_t[]){0, (size_t)rank % 4, 0}, (size_t[]){2, 1, 3}, (ptrdiff_t[]){1, 1, 2},
                         values));
  list_values("a row of each", values, 6);
}

/* A compressed variable that the program has not asked for. */
static void get_unread(int file) {
  int temp;
  float value = 0;
  MUST(nc_inq_varid(file, "temp", &temp));
  SAY(nc_var_par_access(file, 77, 7));
  SAY(nc_var_par_access(file, temp, NC_COLLECTIVE));
  SAY(nc_var_par_access(file, temp, NC_INDEPENDENT));
  if (rank == ranks - 1) SAY(nc_get_var1_float(file, temp, (size_t[]){1, 2, 3}, &value));
  fprintf(list, "a value: %g\n", value);
  SAY(nc_var_par_access(file, temp, NC_INDEPENDENT));
}

/* The other ranks open the file before rank 0 has given it its name, and wait in nc_open_par for rank 0. */
static void rename_before_opening(void) {
  char other[4096];
  snprintf(other, sizeof other, "%s.other", path);
  if (rank == 0 && rename(path, other) != 0) exit(1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) return;
  nanosleep(&(struct timespec){0, 300000000}, NULL);
  if (rename(other, path) != 0) exit(1);
}

/* An existing file, which another program has made. */
static void opened(int writes) {
  int file = -1, temp, field, dims[3], added = -1;
  size_t records;
  MUST(nc_open_par(path, writes ? NC_WRITE : NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  get_unread(file);
  ask(file);
  MUST(nc_inq_varid(file, "temp", &temp));
  MUST(nc_inq_varid(file, "field", &field));
  MUST(nc_inq_vardimid(file, temp, dims));
  int inner, name;
  if (nc_inq_grp_full_ncid(file, "/inner", &inner) == NC_NOERR) {
    char *names[2];
    MUST(nc_inq_varid(inner, "name", &name));
    SAY(nc_get_var_string(inner, name, names));
    fprintf(list, "%s, %s\n", names[0], names[1]);
    SAY(nc_free_string(2, names));
  }
  get_opened(file, temp, field);
  float all[48];
  for (int n = 0; !writes && n < 1000; ++n) MUST(nc_get_var_float(file, temp, all)); /* then Sverdrup opens the file */
  if (!writes) get_opened(file, temp, field);
  const size_t row = (size_t)rank % 4;
  const int numbers[] = {rank, 1, 2, 3, 4, 5};
  SAY(nc_put_vara_int(file, field, (size_t[]){row, 0}, (size_t[]){1, 6}, numbers));
  SAY(nc_put_vara_int(file, temp, (size_t[]){2, row, 0}, (size_t[]){1, 1, 6}, numbers));
  MUST(nc_inq_dimlen(file, dims[0], &records));
  fprintf(list, "%zu records\n", records);
  SAY(nc_redef(file));
  SAY(nc_def_var(file, "added", NC_SHORT, 2, dims + 1, &added));
  SAY(nc_put_att_text(file, temp, "history", 3, "new"));
  SAY(nc_put_att_string(file, NC_GLOBAL, "names", 2, (const char *[]){"one", "two"}));
  SAY(nc_enddef(file));
  if (writes) SAY(nc_put_vara_int(file, added, (size_t[]){row, 0}, (size_t[]){1, 6}, numbers));
  if (writes) get_opened(file, temp, field);
  ask(file);
  SAY(nc_close(file));
}
