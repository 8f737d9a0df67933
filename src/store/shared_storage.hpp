// File systems that several hosts see, by the number of statfs(2), and those that show other hosts' writes late. The
// engine uses it before a file is made, the stores when they synchronise one. No state.
#pragma once

#include <string>

#include "store/stripe_calls.hpp"

namespace sv {

struct SharedStorage {
  unsigned long magic;
  const char *name;
  /// Hosts keep pages, sizes and writes for themselves until they close or synchronise the file (NFS's close-to-open
  /// consistency, GlusterFS's write-behind). Otherwise every host sees at once what another one has written, as on one
  /// host.
  bool late;
  /// A host with a cached page writes the whole of it after a partial write, unless it holds any byte lock of the file
  /// (nfs_can_extend_write in Linux's fs/nfs/write.c). Other hosts' writes into this page since it was read would be
  /// lost.
  bool widens_writes;
  /// For about a second a host finds, under a name, the file that had it before, even if another host has renamed that
  /// one and made a new one: nothing asks the server when a file is opened (FUSE's entry_timeout).
  bool caches_names;
  /// Those by which it stripes a new file as a program asks; nullptr: none.
  const StripeCalls *stripes = nullptr;
};

/// nullptr: one host's own.
const SharedStorage *shared_storage(long magic);
/// That of a file that is open.
const SharedStorage *shared_storage_of(int descriptor);
/// That of the directory in which a name stands; nullptr, too, where it is not there.
const SharedStorage *shared_storage_around(const std::string &path);

}  // namespace sv
