// Closing without waiting: of a file that is written behind the calls, sv_close returns when threads have been told
// what is left: to write what was put, to synchronise it where `durability` asks for that, and only then to give the
// file its name. The context keeps such files (Context::closing) until they are complete; what they fail with is told
// by the next collective call. The calls of src/engine use this; everything is collective.
#pragma once

#include <string>

#include "file/file.hpp"

namespace sv {

/// The last of sv_close: everything that was put into it has been given to threads.
void hand_over(File &file);
/// `done`: everything that was asked for up to this number is done on all ranks, which give the same. Threads are told
/// what comes next; files that are complete now are let go, and those that have failed are given up.
void advance_closing(Context &context, int64_t done);
/// Returns when all files that were closed are complete, or have failed. `call` names the call.
void settle_closing(Context &context, const std::string &call);
/// Before a file of this name is created or opened by `call`: what threads or servers may still have to do with it, in
/// whatever words, is done.
void settle_name(Context &context, const char *call, const FileName &name);

}  // namespace sv
