#include "binding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Like the library's text, one per thread: the text of the last call, if it failed on this side. */
static _Thread_local char own_text[SVF_TEXT];
static _Thread_local int own_failure;

int svf_fail(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(own_text, sizeof own_text, format, arguments);
  va_end(arguments);
  own_failure = 1;
  return status;
}

const char *svf_message(void) { return own_text[0] != '\0' ? own_text : sv_message(); }

/* Errors of collective calls are the same on every rank: rank 0 prints them, and ends the job while the others wait a
 * second. A rank prints an error of its own after that second. */
static void stop(int status, MPI_Fint comm) {
  int running = 0, over = 0, rank = 0;
  if (comm != SVF_NO_COMM && MPI_Initialized(&running) == MPI_SUCCESS && running &&
      MPI_Finalized(&over) == MPI_SUCCESS && !over && MPI_Comm_rank(MPI_Comm_f2c(comm), &rank) == MPI_SUCCESS) {
    if (rank != 0) sleep(1);
    fprintf(stderr, "sverdrup: rank %d stops the job: %s (%s)\n", rank, svf_message(), sv_strerror(status));
    fflush(stderr);
    MPI_Abort(MPI_Comm_f2c(comm), status);
  }
  fprintf(stderr, "sverdrup: stopped: %s (%s)\n", svf_message(), sv_strerror(status));
  exit(status);
}

void svf_end(int status, MPI_Fint comm, int *ierr) {
  if (!own_failure) own_text[0] = '\0';
  own_failure = 0;
  if (ierr != NULL)
    *ierr = status;
  else if (status != SV_OK)
    stop(status, comm);
}
