#include "backend/netcdf4_reader/confine.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace sv::netcdf4 {

namespace {

#ifdef LANDLOCK_CREATE_RULESET_VERSION
void allow_reading(int rules, const std::string &path) noexcept {
  landlock_path_beneath_attr readable{};
  readable.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
  readable.parent_fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (readable.parent_fd < 0) return;
  syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &readable, 0U);
  close(readable.parent_fd);
}

/// Every right that the first version of Landlock knows is taken away, except reading these files.
void allow_files(std::span<const std::string> paths) noexcept {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1;
  const auto rules = static_cast<int>(syscall(__NR_landlock_create_ruleset, &handled, sizeof handled, 0U));
  if (rules < 0) return;
  for (const std::string &path : paths) allow_reading(rules, path);
  syscall(__NR_landlock_restrict_self, rules, 0U);
  close(rules);
}
#else
void allow_files(std::span<const std::string>) noexcept {}
#endif

#if defined(__x86_64__)
constexpr uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t machine = 0;  // its numbers of calls were not tried
#endif

/// Calls that read, allocate, wait for the socket, and end.
constexpr std::array allowed{
#ifdef __NR_stat
    __NR_stat,
    __NR_lstat,
    __NR_access,
    __NR_readlink,
    __NR_alarm,
    __NR_poll,
    __NR_time,
    __NR_getrlimit,
    __NR_arch_prctl,
#endif
    __NR_read,
    __NR_pread64,
    __NR_readv,
    __NR_preadv,
    __NR_lseek,
    __NR_close,
    __NR_fstat,
    __NR_newfstatat,
    __NR_statx,
    __NR_faccessat,
    __NR_readlinkat,
    __NR_getcwd,
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_madvise,
    __NR_brk,
    __NR_futex,
    __NR_sendto,
    __NR_recvfrom,
    __NR_sendmsg,
    __NR_recvmsg,
    __NR_write,
    __NR_writev,
    __NR_exit,
    __NR_exit_group,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_setitimer,
    __NR_getpid,
    __NR_gettid,
    __NR_getuid,
    __NR_geteuid,
    __NR_getgid,
    __NR_getegid,
    __NR_clock_gettime,
    __NR_gettimeofday,
    __NR_getrandom,
    __NR_flock,
    __NR_sched_yield,
    __NR_uname,
    __NR_sysinfo,
    __NR_restart_syscall,
    __NR_nanosleep,
    __NR_clock_nanosleep,
    __NR_sched_getaffinity,
    __NR_set_robust_list,
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __NR_rseq
    __NR_rseq,
#endif
};

constexpr uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

sock_filter statement(unsigned code, uint32_t value) { return BPF_STMT(static_cast<uint16_t>(code), value); }
/// Skips `otherwise` instructions unless the loaded word is `value`.
sock_filter unless(uint32_t value, unsigned otherwise) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<uint8_t>(otherwise));
}
sock_filter load(size_t offset) { return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
sock_filter answer(uint32_t value) { return statement(BPF_RET | BPF_K, value); }

/// The call `number`, whose argument of that place has the flags of open, opens to read only.
void allow_opening(std::vector<sock_filter> &program, int number, size_t argument) {
  program.push_back(unless(static_cast<uint32_t>(number), 5));
  program.push_back(load(offsetof(seccomp_data, args) + argument * sizeof(uint64_t)));  // its low half
  program.push_back(statement(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC));
  program.push_back(unless(O_RDONLY, 1));
  program.push_back(answer(SECCOMP_RET_ALLOW));
  program.push_back(answer(refused));
}

/// The call `number` is allowed where its argument of that place is one of these.
struct Among {
  int number;
  size_t argument;
  std::vector<uint32_t> values;
};
void allow_among(std::vector<sock_filter> &program, const Among &call) {
  const size_t count = call.values.size();
  program.push_back(unless(static_cast<uint32_t>(call.number), static_cast<unsigned>(2 * count + 2)));
  program.push_back(load(offsetof(seccomp_data, args) + call.argument * sizeof(uint64_t)));  // its low half
  for (const uint32_t value : call.values) {
    program.push_back(unless(value, 1));
    program.push_back(answer(SECCOMP_RET_ALLOW));
  }
  program.push_back(answer(refused));
}

/// Calls that could meet other processes of this user, and fcntl, which could have the system send them signals.
void allow_for_own_process(std::vector<sock_filter> &program) {
  const auto own = static_cast<uint32_t>(getpid());
  allow_among(program, {__NR_tgkill, 0, {own}});
  allow_among(program, {__NR_prlimit64, 0, {0, own}});
  allow_among(program, {__NR_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_OFD_GETLK, F_DUPFD_CLOEXEC}});
}

void allow_reading_calls() noexcept {
  if (machine == 0) return;
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0), answer(SECCOMP_RET_KILL_PROCESS),
                                   load(offsetof(seccomp_data, nr))};
  allow_opening(program, __NR_openat, 2);
#ifdef __NR_open
  allow_opening(program, __NR_open, 1);
#endif
  allow_for_own_process(program);
  for (const int number : allowed) {
    program.push_back(unless(static_cast<uint32_t>(number), 1));
    program.push_back(answer(SECCOMP_RET_ALLOW));
  }
  program.push_back(answer(refused));
  const sock_fprog all{static_cast<unsigned short>(program.size()), program.data()};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}

}  // namespace

/// One by one where the kernel does not do it at once (before 5.9).
void close_inherited() noexcept {
  constexpr unsigned first = STDERR_FILENO + 1;
#ifdef __NR_close_range
  if (syscall(__NR_close_range, first, ~0U, 0U) == 0) return;
#endif
  constexpr long most = 1 << 16;
  const long end = sysconf(_SC_OPEN_MAX);
  for (int each = first; each < (end < 0 || end > most ? most : end); ++each) close(each);
}

/// no_new_privs comes first: without it, the other two need privileges.
void confine(std::span<const std::string> paths) noexcept {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  allow_files(paths);
  allow_reading_calls();
}

}  // namespace sv::netcdf4
