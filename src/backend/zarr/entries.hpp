// The names in the directory of a Zarr group: metadata of groups and arrays (of versions 2 and 3), the chunks of
// arrays, and the leftovers of this store and zarr-python after a kill. A rank that removes a group removes only
// files with such names, and follows no symbolic link. Local.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "store/objects.hpp"

namespace sv::zarr {

constexpr const char *metadata_name = "zarr.json";
/// What netCDF knows of an array, and Zarr does not: next to its metadata, since other programs consolidate these anew.
constexpr const char *netcdf_name = "netcdf.json";
constexpr const char *part_ending = ".part";

using Entry = Objects::Entry;
using EntryKind = Objects::EntryKind;
/// The contents of an open directory, by name; `other`: a link, a pipe, a device, a socket. Throws the system's
/// error, naming `path`.
std::vector<Entry> entries_of(int directory, const std::string &path);

// These take long where there are many files. They count in `progress` what they have looked at.

/// The first name below the directory `path`, which is no link, that no Zarr group has, as a path from it; "" where
/// there is none. Nothing that begins with such a name is looked into. Throws the system's error, naming `path`.
std::string foreign_name(const std::string &path, const Progress &progress);
/// Removes the directory of a group and everything below it that belongs to a group, its metadata first. A rank that
/// still reads the group then knows that a missing chunk was removed, not unwritten. Other files stay, and so does
/// the directory then.
void remove_group(const std::string &path, const Progress &progress);
/// Removes the chunks of an array in the directory `name` of an open one, and this directory; or the file.
void remove_chunks(int directory, const std::string &name, const std::string &path, const Progress &progress);
/// Removes what kills have left below the directory of an array: metadata and chunks that were to take their places.
void remove_parts(int directory, const std::string &path, const Progress &progress, int depth = 0);

}  // namespace sv::zarr
