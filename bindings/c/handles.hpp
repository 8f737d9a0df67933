// How the C interface wraps the engine: opaque handles, and exceptions turned into codes.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "base/error.hpp"
#include "base/no_traps.hpp"
#include "engine/series.hpp"
#include "engine/session.hpp"
#include "live_handles.hpp"
#include "sverdrup/binding.h"

namespace sv::c {

inline Session *session(sv_context *io) { return reinterpret_cast<Session *>(io); }
inline const Session *session(const sv_context *io) { return reinterpret_cast<const Session *>(io); }
/// The object of the handle; for a series, its definitions.
inline File *own_file(sv_file *handle) { return reinterpret_cast<File *>(handle); }
/// The file that a call is about: of a series, that of the current period.
inline File *file(sv_file *handle) { return &current_file(*own_file(handle)); }
inline const File *file(const sv_file *handle) { return file(const_cast<sv_file *>(handle)); }
/// nullptr where it was freed: the call then fails on all ranks, as without one.
inline Decomp *decomp(sv_decomp *handle) {
  return handle != nullptr && is_live(handle) ? reinterpret_cast<Decomp *>(handle) : nullptr;
}
inline const Decomp *decomp(const sv_decomp *handle) { return decomp(const_cast<sv_decomp *>(handle)); }
/// What the caller gets for an object that was made.
sv_file *handle_of(File *made);
sv_decomp *handle_of(Decomp *made);

/// The text behind sv_message(): one per thread, so that contexts do not meet in it.
std::string &message();

Error null_argument(const char *name);
/// Throws Error(invalid) for a null argument.
void require(const void *pointer, const char *name);
/// The same for handles, which are null after a call that did not make them; and for those that were freed.
void require(const sv_context *handle, const char *name);
void require(const sv_file *handle, const char *name);
void require(const sv_decomp *handle, const char *name);

/// Error(not_found) of an attribute.
Error no_attribute(const File &of, int var, const char *name);
/// Throws it.
const Attribute &attribute_of(const File &of, int var, const char *name);

/// The code of an error, whose text is kept for sv_message.
inline int refused(const Error &error) {
  message() = error.what();
  return static_cast<int>(error.status());
}

/// Runs `action`. Returns SV_OK, or the code of the error that it threw or returned, and keeps the text for
/// sv_message. Frequent errors, such as a missing name that a program is about to define, are returned, because
/// throwing takes many times as long.
template <class Action>
int guarded(Action &&action) noexcept {
  const NoTraps quiet;
  begin_call();
  try {
    require_mpi();
    if constexpr (std::is_void_v<decltype(action())>)
      action();
    else if (const std::optional<Error> error = action())
      return refused(*error);
    return SV_OK;
  } catch (const Error &error) {
    return refused(error);
  } catch (const std::bad_alloc &) {
    message() = "no memory";
    return SV_ENOMEM;
  } catch (const std::exception &error) {
    message() = std::string("unexpected: ") + error.what() + ". Please report it";
    return SV_EINTERNAL;
  } catch (...) {
    message() = "an exception without a name. Please report it";
    return SV_EINTERNAL;
  }
}

/// Returns a result through a pointer argument, unless the caller passed NULL.
template <class T, class Value>
void assign(T *to, Value value) {
  if (to != nullptr) *to = static_cast<T>(value);
}

/// Runs `parse`, which looks at the arguments of a collective call. The first gate of the call reports its error to
/// every rank, so that no rank waits for this one.
template <class Parse>
auto checked(Context &context, const char *call, Parse &&parse) {
  try {
    return parse();
  } catch (...) {
    context.agree(call, caught(context.rank(), [] { throw; }));
    throw;
  }
}
/// The same for a call on a variable of a file.
template <class Parse>
auto checked(File *of, int variable, const char *call, Parse &&parse) {
  try {
    return parse();
  } catch (...) {
    of->context().agree(call, of->located(variable, caught(of->context().rank(), [] { throw; })));
    throw;
  }
}

/// The arguments of a call that begins a context. A wrong one is an error of that call on every rank.
Beginning beginning_of(Caller caller, const char *config, int n, const char *const *options);

/// The type with this number, of values in memory. Throws Error(type).
Type type_of(int number);
/// The same, or that of strings: a type of variables.
Type definable_type(int number);

}  // namespace sv::c
