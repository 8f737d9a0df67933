#define _GNU_SOURCE
#include "run.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SV_VISIBLE __attribute__((visibility("default")))

static pthread_mutex_t mutex; /* recursive: a library that is loaded may call one here */
static pthread_once_t is_made = PTHREAD_ONCE_INIT;
static void (*last_actions[2])(void);

static void make_mutex(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &recursive);
  pthread_mutexattr_destroy(&recursive);
}

/* In the folder of this library, wherever the program works. */
static void load(struct sv_run_library *library) {
  Dl_info here;
  char path[4096];
  const char *end = NULL;
  if (dladdr((const void *)&mutex, &here) != 0 && here.dli_fname != NULL) end = strrchr(here.dli_fname, '/');
  if (end == NULL || here.dli_fname[0] != '/')
    snprintf(path, sizeof path, "%s", library->file);
  else
    snprintf(path, sizeof path, "%.*s/%s", (int)(end - here.dli_fname), here.dli_fname, library->file);
  library->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library->handle != NULL) return;
  library->is_missing = 1;
  fprintf(stderr, "sv-run: files are left to the program's own library, since '%s' cannot be loaded: %s\n", path,
          dlerror());
}

sv_run_function sv_run_load(struct sv_run_library *library, int number) {
  pthread_once(&is_made, make_mutex);
  pthread_mutex_lock(&mutex);
  if (library->handle == NULL && !library->is_missing) load(library);
  const char *const name = library->names[number];
  void *const found = library->handle != NULL ? dlsym(library->handle, name) : dlsym(RTLD_NEXT, name);
  sv_run_function function = NULL;
  memcpy(&function, &found, sizeof function);
  if (function == NULL) {
    fprintf(stderr, "sv-run: no library of this process has %s\n", name);
    abort();
  }
  __atomic_store_n(&library->functions[number], function, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  return function;
}

/* For the libraries that stand in: the function that the program would have reached without them, if all can see it. */
SV_VISIBLE void *sv_run_next(const char *name) { return dlsym(RTLD_NEXT, name); }

/* For the libraries that stand in: this library ends after the program, and they end before it. */
SV_VISIBLE void sv_run_at_exit(void (*action)(void)) {
  for (int i = 0; i < 2; ++i) {
    if (last_actions[i] != NULL) continue;
    last_actions[i] = action;
    return;
  }
}

__attribute__((destructor)) static void end(void) {
  for (int i = 0; i < 2; ++i)
    if (last_actions[i] != NULL) last_actions[i]();
}
