// The tracer's life in a process: it begins when the library is loaded, goes on in the child of a fork with all that is
// known of descriptors and requests forgotten, and ends with the process.
#include <pthread.h>
#include <unistd.h>

#include "tracer/call.hpp"
#include "tracer/descriptors.hpp"
#include "tracer/posix_aio.hpp"
#include "tracer/process.hpp"

namespace sv::profile {

namespace {

void after_fork_in_child() {
  forked();
  forget_descriptors();
  forget_requests();
}

__attribute__((constructor)) void start_tracing() {
  if (settings().active && pthread_atfork(forks, nullptr, after_fork_in_child) == 0) starts();
}

__attribute__((destructor)) void end_tracing() { ends(); }

}  // namespace

}  // namespace sv::profile

// vfork() returns twice from one call, so nothing of ours may be left on the stack when it does: it is jumped to.
extern "C" __attribute__((visibility("hidden"), used)) void *sv_trace_before_vfork() {
  using namespace sv::profile;
  static Traced<pid_t()> traced(Layer::posix, "vfork");
  vforks();
  return reinterpret_cast<void *>(traced.real());
}
#if defined(__x86_64__)
asm(".pushsection .text\n.globl vfork, __vfork\n.type vfork, @function\n.type __vfork, @function\n"
    "vfork:\n__vfork:\n  sub $8, %rsp\n  call sv_trace_before_vfork\n  add $8, %rsp\n  jmp *%rax\n"
    ".size vfork, .-vfork\n.size __vfork, .-__vfork\n.popsection\n");
#elif defined(__aarch64__)
asm(".pushsection .text\n.globl vfork, __vfork\n.type vfork, %function\n.type __vfork, %function\n"
    "vfork:\n__vfork:\n  stp x29, x30, [sp, -16]!\n  bl sv_trace_before_vfork\n  ldp x29, x30, [sp], 16\n"
    "  mov x16, x0\n  br x16\n"
    ".size vfork, .-vfork\n.size __vfork, .-__vfork\n.popsection\n");
#else
SV_TRACED pid_t vfork() { return fork(); }
#endif
