/* libsv_run, which sv-run preloads into every process of a run: it has the names of netCDF and PnetCDF, and needs
 * nothing. The first call of one of them loads the library that stands in for netCDF (libsverdrup_netcdf) or PnetCDF
 * (libsverdrup_pnetcdf); a process that calls none pays for neither, nor for MPI
 * (docs/adr/0071-nothing-before-a-call.md). The functions are made by the generators of bindings/netcdf and
 * bindings/pnetcdf. Each is a jump: the function behind it sees the program as its caller. */
#pragma once

typedef void (*sv_run_function)(void);

struct sv_run_library {
  const char *file;           /* next to libsv_run */
  const char *const *names;   /* of its functions */
  sv_run_function *functions; /* the same; NULL until one is called */
  void *handle;
  int is_missing; /* it cannot be loaded, which was reported */
};

/* Loads the library, if it is not loaded yet, and finds the function. Without the library it is the next one of that
 * name. Ends the process where there is none at all. */
sv_run_function sv_run_load(struct sv_run_library *library, int number);

static inline sv_run_function sv_run_find(struct sv_run_library *library, int number) {
  const sv_run_function known = __atomic_load_n(&library->functions[number], __ATOMIC_ACQUIRE);
  return known != 0 ? known : sv_run_load(library, number);
}
