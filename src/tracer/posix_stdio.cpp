// C's streams: the functions that open, read, write and close files: fopen, fread, fwrite, fclose. netCDF-C looks at a
// file's first bytes so. Bytes: those that the program moved; the system calls, in pieces of the stream's buffer, are
// made inside the C library and not seen. Neither are formatted and single characters (printf, fgets, getc).
#include <cerrno>
#include <cstdio>

#include "tracer/call.hpp"
#include "tracer/descriptors.hpp"
#include "tracer/files.hpp"
#include "tracer/process.hpp"

namespace sv::profile::posix {

template <typename Real>
FILE *open_stream(TracedName &traced, const char *path, Real real) {
  if (!is_tracing()) return real();
  if (is_untraced(path)) {
    FILE *const other = real();
    if (other != nullptr) opened_untraced(fileno(other));
    return other;
  }
  Call call(traced);
  FILE *const stream = real();
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

template <typename Real>
size_t move_items(TracedName &traced, FILE *stream, size_t item_bytes, Real real) {
  const Description *const file = description_of(fileno_unlocked(stream));
  if (file == nullptr) return real();
  Call call(traced);
  call.about(file->file);
  const size_t items = real();
  call.over();
  if (items == 0 && ferror_unlocked(stream) != 0) call.failed();
  call.bytes(static_cast<int64_t>(items * item_bytes));
  return items;
}

template <typename Real>
int close_stream(TracedName &traced, FILE *stream, Real real) {
  const int descriptor = fileno(stream);
  const Description *const file = known_description_of(descriptor);
  const uint32_t number = file != nullptr ? file->file : 0;
  if (descriptor >= 0) closes(descriptor);
  if (file == nullptr) return real();
  Call call(traced);
  call.about(number);
  const int result = real();
  call.over();
  if (result != 0) call.failed();
  return result;
}

}  // namespace sv::profile::posix

#define SV_STDIO_OPEN(symbol)                                                           \
  SV_POSIX(FILE *, symbol, #symbol, (const char *path, const char *mode), (path, mode), \
           sv::profile::posix::open_stream(traced, path, real))
#define SV_STDIO_MOVE(symbol, pointer)                                                              \
  SV_POSIX(size_t, symbol, #symbol, (pointer data, size_t item_bytes, size_t items, FILE * stream), \
           (data, item_bytes, items, stream), sv::profile::posix::move_items(traced, stream, item_bytes, real))

SV_STDIO_OPEN(fopen)
SV_STDIO_OPEN(fopen64)
SV_STDIO_MOVE(fread, void *)
SV_STDIO_MOVE(fread_unlocked, void *)
SV_STDIO_MOVE(fwrite, const void *)
SV_STDIO_MOVE(fwrite_unlocked, const void *)

SV_POSIX(int, fclose, "fclose", (FILE * stream), (stream), sv::profile::posix::close_stream(traced, stream, real))
