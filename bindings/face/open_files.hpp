// The files that a face handles, by the number that the program has for them. Locks nothing.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace sv::face {

/// `first`: larger than all numbers of the real library.
template <class Dataset, int first>
class OpenFiles {
 public:
  /// nullptr: the number is the real library's, or no file's.
  Dataset *find(int ncid) const noexcept {
    const auto place = static_cast<size_t>(ncid - first);
    return ncid >= first && place < files_.size() ? files_[place].get() : nullptr;
  }
  /// Gives it the lowest free number.
  Dataset &keep(std::unique_ptr<Dataset> made) {
    auto place = std::find(files_.begin(), files_.end(), nullptr);
    if (place == files_.end()) place = files_.insert(place, nullptr);
    made->ncid = first + static_cast<int>(place - files_.begin());
    return *(*place = std::move(made));
  }
  /// Its number is free afterwards.
  std::unique_ptr<Dataset> take(const Dataset &own) { return std::move(files_[static_cast<size_t>(own.ncid - first)]); }
  /// Some are nullptr.
  const std::vector<std::unique_ptr<Dataset>> &all() const { return files_; }

 private:
  std::vector<std::unique_ptr<Dataset>> files_;
};

}  // namespace sv::face
