/* Before User-mode Linux 6.1 (LD_PRELOAD), whose room for a process's registers is smaller than the state that
   processors with AMX have: the kernel refuses to set a part of it, so the whole is set, of which User-mode Linux knows
   the first part. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long raw(long request, long pid, long address, void *data) {
  return syscall(SYS_ptrace, request, pid, address, data);
}

static long set_registers(long pid, long kind, const struct iovec *given) {
  static __thread char whole[1 << 14] __attribute__((aligned(64)));
  struct iovec all = {whole, sizeof whole};
  if (raw(PTRACE_GETREGSET, pid, kind, &all) != 0 || all.iov_len <= given->iov_len)
    return raw(PTRACE_SETREGSET, pid, kind, (void *)given);
  memcpy(whole, given->iov_base, given->iov_len);
  return raw(PTRACE_SETREGSET, pid, kind, &all);
}

long ptrace(enum __ptrace_request request, ...) {
  va_list more;
  va_start(more, request);
  const long pid = va_arg(more, int), address = va_arg(more, long);
  void *data = va_arg(more, void *);
  va_end(more);
  if (request == PTRACE_SETREGSET) return set_registers(pid, address, data);
  if (request != PTRACE_PEEKTEXT && request != PTRACE_PEEKDATA && request != PTRACE_PEEKUSER)
    return raw(request, pid, address, data);
  long word = 0;
  if (raw(request, pid, address, &word) != 0) return -1;
  errno = 0;
  return word;
}
