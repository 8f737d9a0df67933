// C's streams: what opens, reads and writes a file as a whole does: fopen, fread, fwrite, fclose. netCDF-C looks at a
// file's first bytes so. Bytes: those that the program moved; the system calls, in pieces of the stream's buffer, are
// made inside the C library and not seen. Neither are formatted and single characters (printf, fgets, getc).
#include <cerrno>
#include <cstdio>

#include "profile/call.hpp"
#include "profile/descriptors.hpp"
#include "profile/files.hpp"
#include "profile/process.hpp"

namespace sv::profile::posix {

template <typename Type>
FILE *open_stream(Traced<Type> &traced, const char *path, const char *mode) {
  if (!is_tracing()) return traced.real()(path, mode);
  if (is_untraced(path)) {
    FILE *const other = traced.real()(path, mode);
    if (other != nullptr) opened_untraced(fileno(other));
    return other;
  }
  Call call(traced);
  FILE *const stream = traced.real()(path, mode);
  if (!call) return stream;
  const int error = errno;
  const std::string tried = stream == nullptr && path != nullptr ? traced_path(path) : "";
  call.over();
  const Description *const file = stream != nullptr ? opened(call.recorder(), fileno(stream)) : nullptr;
  if (file != nullptr) {
    call.about(file->file);
  } else if (!tried.empty()) {
    call.about(call.recorder().file(tried));
    call.failed();
    call.argument(Argument::status, error);
  } else {
    call.forget();
  }
  errno = error;
  return stream;
}

template <typename Type, typename Real>
size_t move_items(Traced<Type> &traced, FILE *stream, size_t item_bytes, Real real) {
  const Description *const file = description_of(fileno_unlocked(stream));
  if (file == nullptr) return real(traced.real());
  Call call(traced);
  call.about(file->file);
  const size_t items = real(traced.real());
  call.over();
  if (items == 0 && ferror_unlocked(stream) != 0) call.failed();
  call.bytes(static_cast<int64_t>(items * item_bytes));
  return items;
}

}  // namespace sv::profile::posix

#define SV_STDIO_OPEN(symbol)                                                                                  \
  SV_TRACED FILE *symbol(const char *path, const char *mode) {                                                 \
    static sv::profile::Traced<FILE *(const char *, const char *)> traced(sv::profile::Layer::posix, #symbol); \
    return sv::profile::posix::open_stream(traced, path, mode);                                                \
  }
#define SV_STDIO_MOVE(symbol, pointer)                                                                        \
  SV_TRACED size_t symbol(pointer data, size_t item_bytes, size_t items, FILE *stream) {                      \
    using Type = size_t(pointer, size_t, size_t, FILE *);                                                     \
    static sv::profile::Traced<Type> traced(sv::profile::Layer::posix, #symbol);                              \
    return sv::profile::posix::move_items(traced, stream, item_bytes,                                         \
                                          [&](Type *real) { return real(data, item_bytes, items, stream); }); \
  }

SV_STDIO_OPEN(fopen)
SV_STDIO_OPEN(fopen64)
SV_STDIO_MOVE(fread, void *)
SV_STDIO_MOVE(fread_unlocked, void *)
SV_STDIO_MOVE(fwrite, const void *)
SV_STDIO_MOVE(fwrite_unlocked, const void *)

SV_TRACED int fclose(FILE *stream) {
  using sv::profile::Call;
  static sv::profile::Traced<int(FILE *)> traced(sv::profile::Layer::posix, "fclose");
  const int descriptor = fileno(stream);
  const sv::profile::Description *const file = sv::profile::known_description_of(descriptor);
  const uint32_t number = file != nullptr ? file->file : 0;
  if (descriptor >= 0) sv::profile::closes(descriptor);
  if (file == nullptr) return traced.real()(stream);
  Call call(traced);
  call.about(number);
  const int result = traced.real()(stream);
  call.over();
  if (result != 0) call.failed();
  return result;
}
