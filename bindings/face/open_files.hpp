// The files that an interface handles, by the number that the program has for them.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/mutex.hpp"

namespace sv::face {

/// `first`: larger than all numbers of the real library. `numbers`: that a file has, one for each of its groups. Locks
/// nothing.
template <class Dataset, int first, int numbers = 1>
class OpenFiles {
 public:
  /// nullptr: the number is the real library's, or no file's.
  Dataset *find(int ncid) const noexcept {
    const auto place = static_cast<size_t>((ncid - first) / numbers);
    return ncid >= first && place < files_.size() ? files_[place].get() : nullptr;
  }
  /// Gives it the lowest free number.
  Dataset &keep(std::unique_ptr<Dataset> made) {
    auto place = std::find(files_.begin(), files_.end(), nullptr);
    if (place == files_.end()) place = files_.insert(place, nullptr);
    made->ncid = first + static_cast<int>(place - files_.begin()) * numbers;
    return *(*place = std::move(made));
  }
  /// Its number is free afterwards.
  std::unique_ptr<Dataset> take(const Dataset &own) {
    return std::move(files_[static_cast<size_t>((own.ncid - first) / numbers)]);
  }
  /// Some are nullptr.
  const std::vector<std::unique_ptr<Dataset>> &all() const { return files_; }

 private:
  std::vector<std::unique_ptr<Dataset>> files_;
};

/// The same for calls of several threads, and with the order in which the files were made.
template <class Dataset, int first, int numbers = 1>
class SharedOpenFiles {
 public:
  Dataset *find(int ncid) const noexcept {
    if (ncid < first) return nullptr;
    const MutexLock lock(mutex_);
    return files_.find(ncid);
  }
  Dataset &keep(std::unique_ptr<Dataset> made) {
    const MutexLock lock(mutex_);
    in_order_.push_back(made.get());
    return files_.keep(std::move(made));
  }
  void forget(const Dataset &own) {
    const MutexLock lock(mutex_);
    std::erase(in_order_, &own);
    files_.take(own);
  }
  std::vector<Dataset *> in_order() const {
    const MutexLock lock(mutex_);
    return in_order_;
  }

 private:
  mutable Mutex mutex_;
  OpenFiles<Dataset, first, numbers> files_ SV_GUARDED_BY(mutex_);
  std::vector<Dataset *> in_order_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv::face
