// The names of files on the disk: inquiry, renaming, removal and synchronisation. The stores and the code that
// publishes their files use it; it opens no file to read or write it. Local.
#pragma once

#include <string>

#include "base/progress.hpp"

namespace sv {

/// Renames the file at `from` to `to`, in place of the file of that name.
void rename_file(const std::string &from, const std::string &to);
/// The same of a file or a directory, unless anything has that name: then false. Where the file system can neither do
/// that nor link files, something may get the name between the question and the renaming.
bool rename_to_new(const std::string &from, const std::string &to);
/// Removes a file or a symbolic link, if it is there: whether it was.
bool remove_file(const std::string &path);
/// The same, but it may stay where this process may not remove it.
void remove_if_allowed(const std::string &path);
enum class Presence { absent, file, directory, link, other };  // other: a pipe, a device, a socket
/// The kind of file to which a path leads; `itself`: without following a symbolic link.
Presence presence_of(const std::string &path);
Presence presence_itself(const std::string &path);
/// Puts a file that was closed on the disk, or those of a directory; nothing where neither has this name any more.
void sync_file(const std::string &path, const Progress &progress = {});
/// Puts the names in the directory of `path` on the disk.
void sync_directory_of(const std::string &path);

}  // namespace sv
