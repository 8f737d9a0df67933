// For who wants to know which library the program's calls reach behind the tracer: the address of `name` there;
// nullptr: none.
#include <dlfcn.h>

#include "tracer/call.hpp"

SV_TRACED void *sv_trace_next(const char *name) { return dlsym(RTLD_NEXT, name); }
