/* Timing of calls for the programs that calls.py runs: each prints a line with a name and microseconds. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { longest_name = 32 };

static void must(int code) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "%s\n", nc_strerror(code));
  exit(1);
}

/* On a busy machine, processor time can be compared rather than elapsed time (calls.py --processor-time). */
static int uses_processor_time(void) { return getenv("DROPIN_PROCESSOR_TIME") != NULL; }

/* Elapsed, or of the processor for all threads. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(uses_processor_time() ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double begun;
static void begin(void) { begun = seconds(); }
static void end(const char *name, int calls) { printf("%s\t%.3f\n", name, 1e6 * (seconds() - begun) / calls); }

static char *numbered(const char *kind, int number) {
  static char name[longest_name];
  snprintf(name, sizeof name, "%s%d", kind, number);
  return name;
}
