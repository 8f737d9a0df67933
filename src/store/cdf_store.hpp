// Our own store, of CDF-1, CDF-2 and CDF-5: it knows the place of every value, and reads and writes there, at positions
// of one file. StoreMaker (src/file) makes it, and hands it on as a Store.
#pragma once

#include <memory>
#include <string>

#include "base/file_stripes.hpp"
#include "store/store.hpp"

namespace sv {

class FoundFiles;
struct WritePolicy;

struct CdfOptions {
  bool virtual_index = false;           // references are written next to the file
  bool read_ahead = false;              // a read of a record asks the system for the next one
  const WritePolicy *policy = nullptr;  // how large runs are written; nullptr: one after the other, in the page cache
  FileStripes stripes{};                // of a new file
  std::shared_ptr<FoundFiles> found = {};  // the file that sv_open has found; nullptr: any of that name
};
/// A store of a file that is not open yet.
std::unique_ptr<Store> make_cdf_store(const std::string &path, Kind kind, const CdfOptions &options = {});

}  // namespace sv
