// Closing without waiting: for a file that is written behind the calls, sv_close returns when threads have the
// remaining orders. They write the values, synchronise the file if `durability` says so, and only then publish it. The
// context keeps such files (Context::closing) until they are complete; the next collective call reports their errors.
// The calls of src/engine use this; everything is collective.
#pragma once

#include <string>

#include "file/file.hpp"

namespace sv {

/// The last of sv_close: everything that was put into it has been given to threads.
void hand_over(File &file);
/// `done`: all ranks have finished all orders up to this number, and give the same number. Gives threads the next
/// orders, releases files that are complete, and abandons those that have failed.
void advance_closing(Context &context, int64_t done);
/// Returns when all files that were closed are complete, or have failed. `call` names the call.
void settle_closing(Context &context, const std::string &call);
/// Called before `call` creates or opens a file of this name: waits until threads or servers have finished with it,
/// under any name.
void settle_name(Context &context, const char *call, const FileName &name);

}  // namespace sv
