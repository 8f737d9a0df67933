// Which handles stand for something: a context until sv_finalize, a file until sv_close, a decomposition until it or
// its context is freed. A call with a handle that was freed returns an error, where nothing else lives at its address
// by now. Local, and for threads.
#pragma once

namespace sv {
class Context;
}

namespace sv::c {

/// A handle was made; `context`: of the file or decomposition, with which it goes. nullptr: it is a context itself.
void handle_made(const void *handle, const Context *context);
/// It is about to be freed.
void handle_freed(const void *handle) noexcept;
/// The same of all files and decompositions of a context.
void handles_freed_with(const Context *context) noexcept;
bool is_live(const void *handle) noexcept;

}  // namespace sv::c
