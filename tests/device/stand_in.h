/* A stand-in for the runtime of a GPU, without one: its "device memory" cannot be touched by the processor, and copies
 * happen when they are waited for, as late as possible. The library is the driver of CUDA, the runtime of HIP or the
 * loader of Level Zero, by the names that it has. A copy outside an allocation, or from memory that is not pinned, ends
 * the process. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Device memory; its pages are neither read nor written by the processor at this address. */
void *stand_in_malloc(size_t bytes);
/* Where a test sees the same memory. */
void *stand_in_window(const void *device);
void stand_in_free(void *device);

struct stand_in_counters {
  long copies, waits;
  size_t to_host_bytes, to_device_bytes, pinned_bytes, most_pinned_bytes;
};
struct stand_in_counters stand_in_counts(void);
/* The copy after `copies` others fails; -1: none does. */
void stand_in_fail(long copies);
/* In the words of the library: the error of that copy. */
const char *stand_in_copy_error(void);
/* No more pinned memory can be had, or (0) it can again. */
void stand_in_refuse_pinned(int refuse);

#ifdef __cplusplus
}
#endif

#endif
