// Our own store, of CDF-1, CDF-2 and CDF-5: it knows the place of every value, and reads and writes there, at positions
// of one file. StoreMaker (src/file) makes it, and hands it on as a Store.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace sv {

class FoundFiles;
struct WriteWay;

/// A store of a file that is not open yet. `way`: how large stretches are written; without it, one after the other
/// through the page cache. `found`: which file sv_open has found; without it, any that has the name.
std::unique_ptr<Store> make_cdf_store(const std::string &path, Kind kind, bool virtual_index = false,
                                      const WriteWay *way = nullptr, std::shared_ptr<FoundFiles> found = nullptr);

}  // namespace sv
