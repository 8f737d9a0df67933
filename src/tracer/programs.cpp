// Ends of a process that no destructor sees: _exit(), and running another program in its place. The other program has a
// file of its own, of the same process number.
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <vector>

#include "tracer/call.hpp"
#include "tracer/process.hpp"

using sv::profile::Layer;
using sv::profile::Traced;

#define SV_POSIX_EXIT(symbol)                               \
  SV_TRACED void symbol(int status) {                       \
    static Traced<void(int)> traced(Layer::posix, "_exit"); \
    sv::profile::ends();                                    \
    traced.real()(status);                                  \
    __builtin_unreachable();                                \
  }
SV_POSIX_EXIT(_exit)
SV_POSIX_EXIT(_Exit)

namespace sv::profile::posix {

// Comes back only where it failed.
template <typename Real>
int replace(Real real) {
  ends();
  const int result = real();
  stays();
  return result;
}

// The arguments of execl() and its kin, with the null pointer that ends them, which has been read when this returns.
inline std::vector<char *> listed(const char *first, va_list &rest) {
  std::vector<char *> all{const_cast<char *>(first)};
  while (all.back() != nullptr) all.push_back(va_arg(rest, char *));
  return all;
}

}  // namespace sv::profile::posix

using sv::profile::posix::listed;
using sv::profile::posix::replace;

using Texts = char *const *;

SV_TRACED int execl(const char *path, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char *> arguments = listed(first, rest);
  va_end(rest);
  return execv(path, arguments.data());
}
SV_TRACED int execlp(const char *file, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char *> arguments = listed(first, rest);
  va_end(rest);
  return execvp(file, arguments.data());
}
SV_TRACED int execle(const char *path, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char *> arguments = listed(first, rest);
  const Texts environment = va_arg(rest, Texts);
  va_end(rest);
  return execve(path, arguments.data(), environment);
}

SV_POSIX(int, execve, "execve", (const char *path, Texts arguments, Texts environment) noexcept,
         (path, arguments, environment), replace(real))
SV_POSIX(int, execv, "execv", (const char *path, Texts arguments) noexcept, (path, arguments), replace(real))
SV_POSIX(int, execvp, "execvp", (const char *file, Texts arguments) noexcept, (file, arguments), replace(real))
SV_POSIX(int, execvpe, "execvpe", (const char *file, Texts arguments, Texts environment) noexcept,
         (file, arguments, environment), replace(real))
SV_POSIX(int, fexecve, "fexecve", (int fd, Texts arguments, Texts environment) noexcept, (fd, arguments, environment),
         replace(real))
SV_POSIX(int, execveat, "execveat",
         (int folder, const char *path, Texts arguments, Texts environment, int flags) noexcept,
         (folder, path, arguments, environment, flags), replace(real))
