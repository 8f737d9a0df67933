/* Measures single calls of netCDF in a program of one process: makes each of them many times, and prints a line for
 * each kind, its name and the microseconds of a call. calls.py runs it with netCDF-C and by sv-run.
 *
 *   dropin-calls DIRECTORY */
#include <stdio.h>
#include <unistd.h>

#include "timing.h"

enum { cells = 64, large = 4096 };
static double values[large];

/* A file with a dimension of records, another one, and a variable of that or of both; it is in data mode. */
static int made(const char *name, size_t length, int has_records) {
  int file, dims[2], variable;
  must(nc_create(name, NC_CLOBBER | NC_64BIT_OFFSET, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "x", length, &dims[1]));
  must(nc_def_var(file, "v", NC_DOUBLE, has_records ? 2 : 1, has_records ? dims : dims + 1, &variable));
  must(nc_enddef(file));
  return file;
}

static void records(const char *name, int calls, int synchronises) {
  const int file = made("records.nc", cells, 1);
  begin();
  for (int i = 0; i < calls; ++i) {
    const size_t start[] = {(size_t)i, 0}, count[] = {1, cells};
    must(nc_put_vara_double(file, 0, start, count, values));
    if (synchronises) must(nc_sync(file));
  }
  must(nc_close(file));
  end(name, calls);
}

static void single_values(int calls) {
  const int file = made("values.nc", (size_t)calls, 0);
  begin();
  for (size_t i = 0; i < (size_t)calls; ++i) must(nc_put_var1_double(file, 0, &i, values));
  end("putting one value", calls);
  must(nc_sync(file));
  begin();
  for (size_t i = 0; i < (size_t)calls; ++i) must(nc_get_var1_double(file, 0, &i, values));
  end("getting one value", calls);
  must(nc_close(file));
}

static void files(int calls) {
  int file;
  begin();
  for (int i = 0; i < calls; ++i) {
    file = made(numbered("file", i), cells, 0);
    must(nc_put_var_double(file, 0, values));
    must(nc_close(file));
  }
  end("making a file", calls);
  begin();
  for (int i = 0; i < calls; ++i) {
    must(nc_open(numbered("file", i), NC_NOWRITE, &file));
    must(nc_get_var_double(file, 0, values));
    must(nc_close(file));
  }
  end("reading a file", calls);
  begin();
  for (int i = 0; i < calls; ++i) {
    must(nc_open(numbered("file", i), NC_WRITE, &file));
    must(nc_put_var_double(file, 0, values));
    must(nc_close(file));
  }
  end("changing a file", calls);
}

static void variables(int calls) {
  int file, dim, variable;
  must(nc_create("variables.nc", NC_CLOBBER | NC_64BIT_OFFSET, &file));
  must(nc_def_dim(file, "x", cells, &dim));
  begin();
  for (int i = 0; i < calls; ++i) {
    must(nc_def_var(file, numbered("v", i), NC_DOUBLE, 1, &dim, &variable));
    must(nc_put_att_text(file, variable, "units", 1, "m"));
  }
  must(nc_enddef(file));
  end("defining a variable with an attribute", calls);
  begin();
  for (int i = 0; i < calls; ++i) must(nc_put_var_double(file, i, values));
  must(nc_close(file));
  end("putting a variable", calls);
  begin();
  must(nc_open("variables.nc", NC_NOWRITE, &file));
  for (int i = 0; i < calls; ++i) {
    must(nc_inq_varid(file, numbered("v", i), &variable));
    must(nc_get_var_double(file, variable, values));
  }
  must(nc_close(file));
  end("looking for a variable and getting it", calls);
}

static void attributes(int calls) {
  int file;
  char text[longest_name];
  must(nc_create("attributes.nc", NC_CLOBBER | NC_64BIT_OFFSET, &file));
  begin();
  for (int i = 0; i < calls; ++i) must(nc_put_att_text(file, NC_GLOBAL, numbered("a", i), 4, "text"));
  must(nc_enddef(file));
  end("defining an attribute of the file", calls);
  begin();
  for (int i = 0; i < calls; ++i) must(nc_get_att_text(file, NC_GLOBAL, numbered("a", i), text));
  end("getting an attribute of the file", calls);
  must(nc_close(file));
}

/* Each is defined when the one before has its values. */
static void one_by_one(int calls) {
  const int file = made("one_by_one.nc", large, 0);
  const int dim = 1;
  int variable;
  begin();
  for (int i = 0; i < calls; ++i) {
    must(nc_redef(file));
    must(nc_def_var(file, numbered("w", i), NC_DOUBLE, 1, &dim, &variable));
    must(nc_enddef(file));
    must(nc_put_var_double(file, variable, values));
  }
  must(nc_close(file));
  end("adding a variable of 32 kB", calls);
}

static void renaming(int calls) {
  int file, dim, variable;
  must(nc_create("renamed.nc", NC_CLOBBER | NC_64BIT_OFFSET, &file));
  must(nc_def_dim(file, "x", cells, &dim));
  for (int i = 0; i < calls; ++i) must(nc_def_var(file, numbered("v", i), NC_DOUBLE, 1, &dim, &variable));
  begin();
  for (int i = 0; i < calls; ++i) must(nc_rename_var(file, i, numbered("w", i)));
  end("renaming a variable", calls);
  must(nc_close(file));
}

int main(int argc, char **argv) {
  if (argc != 2 || chdir(argv[1]) != 0) {
    fprintf(stderr, "dropin-calls DIRECTORY\n");
    return 1;
  }
  records("putting a record of 512 B", 8000, 0);
  records("putting and synchronising a record", 8000, 1);
  single_values(64000);
  files(400);
  variables(2000);
  attributes(4000);
  one_by_one(100);
  renaming(2000);
  return 0;
}
