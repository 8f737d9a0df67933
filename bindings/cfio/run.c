// cfio.h: the beginning, what serves, and messages.
#include "run.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static sv_context *context = NULL;
static char text[2048] = "";  // of the last error that this library found itself; empty: sv_message() has it

sv_context *cfio_run(void) { return context; }

void cfio_listen(void) { text[0] = '\0'; }

int cfio_fail(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return status;
}

const char *cfio_message(void) { return text[0] != '\0' ? text : sv_message(); }

const char *cfio_strerror(int status) { return sv_strerror(status); }

int cfio_proc_type(void) {
  int is_model = 0;
  if (context == NULL || sv_is_model(context, &is_model) != SV_OK) return CFIO_TYPE_BLANK;
  return is_model != 0 ? CFIO_TYPE_CLIENT : CFIO_TYPE_SERVER;
}

int cfio_check_client(const char *call) {
  cfio_listen();
  const int type = cfio_proc_type();
  if (type == CFIO_TYPE_BLANK)
    return cfio_fail(SV_EORDER, "%s: there is no run. Call cfio_init first, and check what it returns", call);
  if (type == CFIO_TYPE_SERVER)
    return cfio_fail(SV_EORDER, "%s: this process has served. Make such calls where cfio_proc_type is CFIO_TYPE_CLIENT",
                     call);
  return SV_OK;
}

/// How many ranks compute, seen from either side.
static int count_clients(int *clients) {
  MPI_Comm clients_comm = MPI_COMM_NULL;
  int is_model = 0, servers = 0;
  int status = sv_is_model(context, &is_model);
  if (status == SV_OK) status = sv_inq_servers(context, &servers);
  if (status == SV_OK && is_model != 0) status = sv_model_comm(context, &clients_comm);
  if (status != SV_OK) return status;
  if (MPI_Comm_size(is_model != 0 ? clients_comm : MPI_COMM_WORLD, clients) != MPI_SUCCESS)
    return cfio_fail(SV_EMPI, "cfio_init: MPI does not report how many ranks there are");
  if (is_model == 0) *clients -= servers;
  return SV_OK;
}

/// Collective over the clients; servers, which are done by then, see by themselves.
static int check_processes(int lat_proc, int lon_proc) {
  int clients = 0;
  const int status = count_clients(&clients);
  if (status != SV_OK) return status;
  const int fits = lat_proc >= 1 && lon_proc >= 1 && (int64_t)lat_proc * lon_proc == clients;
  char cause[160];
  snprintf(cause, sizeof cause, "cfio_init was called for %d x %d computing processes, but %d compute", lat_proc,
           lon_proc, clients);
  const char *const remedy =
      "Start LAT_PROC x LON_PROC ranks and the server ranks; N ranks have N / ratio "
      "servers, or as SV_ASYNC sets";
  if (cfio_proc_type() == CFIO_TYPE_SERVER) return fits ? SV_OK : cfio_fail(SV_EINVAL, "%s. %s", cause, remedy);
  const int refused = fits ? SV_OK : sv_refuse(context, SV_EINVAL, cause, remedy);
  return refused != SV_OK ? refused : sv_flush(context, SV_HANDED_OVER);
}

int cfio_init(int lat_proc, int lon_proc, int ratio) {
  cfio_listen();
  if (context != NULL) return cfio_fail(SV_EORDER, "cfio_init: the run has begun already. Call it once");
  char servers[32];
  snprintf(servers, sizeof servers, "async?=servers:ratio %d", ratio);
  const char *const options[] = {servers, "async.placement?=last", "overlap?=allow"};
  int status = sv_init(MPI_COMM_WORLD, NULL, 3, options, &context);
  if (status != SV_OK) return status;
  status = check_processes(lat_proc, lon_proc);
  if (status == SV_OK) return SV_OK;
  char cause[sizeof text];
  snprintf(cause, sizeof cause, "%s", cfio_message());
  sv_finalize(context);  // the first error is reported
  context = NULL;
  return cfio_fail(status, "%s", cause);
}

int cfio_client_comm(MPI_Comm *comm) {
  const int status = cfio_check_client("cfio_client_comm");
  return status != SV_OK ? status : sv_model_comm(context, comm);
}

int cfio_client_comm_fortran(MPI_Fint *comm) {
  MPI_Comm clients = MPI_COMM_NULL;
  const int status = cfio_client_comm(&clients);
  if (status == SV_OK) *comm = MPI_Comm_c2f(clients);
  return status;
}

int cfio_io_end(void) {
  const int status = cfio_check_client("cfio_io_end");
  return status != SV_OK ? status : sv_end_step(context);
}

int cfio_end_io(void) { return cfio_io_end(); }

int cfio_end_run(const char *call) {
  cfio_listen();
  if (context == NULL) return cfio_fail(SV_EORDER, "%s: there is no run. Call cfio_init first", call);
  const int status = sv_finalize(context);
  context = NULL;
  return status;
}
