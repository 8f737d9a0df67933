/* Functions of the preloaded shim for programs: look them up with dlsym(RTLD_DEFAULT,
 * "sv_shim_read_totals"). */
#ifndef SV_SHIM_H
#define SV_SHIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Since the run began, over all its processes on this machine, on files below the watched directory. */
struct sv_shim_totals {
  int64_t writes, written_bytes; /* calls of the write family that transferred something, and their bytes */
  int64_t reads, read_bytes;
  int64_t hand_overs; /* stripes written that another process wrote last */
  int64_t run; /* whose processes these are: equal where totals are the same counts, different on every machine */
};

/* Local. Returns 1, or 0 where nothing is counted (no directory is watched). */
int sv_shim_read_totals(struct sv_shim_totals *totals);
/* Local. Of the emulated device, of the targets of a file together; 0 where there is none. */
double sv_shim_device_bytes_per_second(void);
/* Local. Whether this process's calls are counted: from the beginning, until it says no. A process whose calls are
 * neither counted nor slowed nor failed runs at full speed. */
void sv_shim_count_calls(int count);

/* Collective over the processes whose files fail, while none of them uses files: other faults from now on, in the words
 * of SV_INJECT ("" for none), counted anew. SV_INJECT_DIR says where, from the beginning. Returns 1, or 0 and changes
 * nothing where the text makes no sense. */
int sv_shim_change_faults(const char *faults);
/* Local. How many operations the fault of that number (from 0) has counted, over all processes. */
int64_t sv_shim_fault_operations(int fault);

#ifdef __cplusplus
}
#endif
#endif
