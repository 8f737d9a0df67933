// cfio.h: files, definitions, inquiry, and the end of the run with its files.
#include "files.h"

#include <stdint.h>
#include <stdlib.h>

static sv_file **files = NULL;  // by id - 1; NULL where an id is free
static int n_files = 0;

/// The place of a new file, or -1 where there is no memory.
static int free_place(void) {
  int at = 0;
  while (at < n_files && files[at] != NULL) ++at;
  if (at < n_files) return at;
  sv_file **const more = realloc(files, (size_t)(n_files + 1) * sizeof *more);
  if (more == NULL) return -1;
  files = more;
  files[n_files++] = NULL;
  return at;
}

int cfio_find_file(const char *call, int ncid, sv_file **file) {
  const int status = cfio_check_client(call);
  if (status != SV_OK) return status;
  if (ncid < 1 || ncid > n_files || files[ncid - 1] == NULL)
    return cfio_fail(SV_EINVAL, "%s: no open file has the id %d. Pass what cfio_create or cfio_open gave", call, ncid);
  *file = files[ncid - 1];
  return SV_OK;
}

typedef int (*opener)(sv_context *io, const char *path, int flags, sv_file **file);

static int begin_file(const char *call, opener open, const char *path, int mode, int *ncid) {
  int status = cfio_check_client(call);
  if (status != SV_OK) return status;
  const int at = free_place();
  // The next call reports an error of this rank alone to all clients.
  if (ncid == NULL || at < 0)
    status = sv_refuse(cfio_run(), ncid == NULL ? SV_EINVAL : SV_ENOMEM, "there is no place for the file's id",
                       "Pass a variable for it");
  sv_file *file = NULL;
  if (status == SV_OK) status = open(cfio_run(), path, (mode & SV_SERIES) != 0 ? mode : mode | SV_LITERAL, &file);
  if (status != SV_OK || ncid == NULL || at < 0) return status;
  files[at] = file;
  *ncid = at + 1;
  return SV_OK;
}

int cfio_create(const char *path, int cmode, int *ncid) {
  return begin_file("cfio_create", sv_create, path, cmode, ncid);
}

int cfio_open(const char *path, int mode, int *ncid) { return begin_file("cfio_open", sv_open, path, mode, ncid); }

int cfio_redef(int ncid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_redef", ncid, &file);
  return status != SV_OK ? status : sv_redef(file);
}

int cfio_enddef(int ncid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_enddef", ncid, &file);
  return status != SV_OK ? status : sv_enddef(file);
}

int cfio_close(int ncid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_close", ncid, &file);
  if (status != SV_OK) return status;
  files[ncid - 1] = NULL;
  return sv_close(file);
}

int cfio_def_dim(int ncid, const char *name, size_t len, int *dimid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_def_dim", ncid, &file);
  return status != SV_OK ? status : sv_def_dim(file, name, (int64_t)len, dimid);
}

int(cfio_def_var)(int ncid, const char *name, int xtype, int ndims, const int *dimids, int *varid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_def_var", ncid, &file);
  return status != SV_OK ? status : sv_def_var(file, name, xtype, ndims, dimids, varid);
}

int cfio_put_att(int ncid, int varid, const char *name, int xtype, size_t len, const void *values) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_put_att", ncid, &file);
  return status != SV_OK ? status : sv_put_att(file, varid, name, xtype, (int64_t)len, values);
}

int cfio_inq_varid(int ncid, const char *name, int *varid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_inq_varid", ncid, &file);
  return status != SV_OK ? status : sv_inq_varid(file, name, varid);
}

int cfio_inq_dimid(int ncid, const char *name, int *dimid) {
  sv_file *file = NULL;
  const int status = cfio_find_file("cfio_inq_dimid", ncid, &file);
  return status != SV_OK ? status : sv_inq_dimid(file, name, dimid);
}

int cfio_inq_dimlen(int ncid, int dimid, size_t *len) {
  sv_file *file = NULL;
  int64_t length = 0;
  int status = cfio_find_file("cfio_inq_dimlen", ncid, &file);
  if (status == SV_OK) status = sv_inq_dim(file, dimid, NULL, &length);
  if (status == SV_OK && len != NULL) *len = (size_t)length;
  return status;
}

int cfio_finalize(void) {
  const int had_run = cfio_run() != NULL;
  const int status = cfio_end_run("cfio_finalize");
  if (!had_run) return status;
  free(files);
  files = NULL;
  n_files = 0;
  return status;
}

int cfio_final(void) { return cfio_finalize(); }
