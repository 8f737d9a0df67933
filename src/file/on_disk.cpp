#include "file/on_disk.hpp"

namespace sv {

int64_t OnDisk::countable(int64_t synced) const {
  int64_t records = -1;
  for (const Lag &lag : lags_)
    if (lag.counted_before == 0 && lag.number <= synced) records = lag.records;
  return records;
}

void OnDisk::counted(int64_t synced, int64_t number) {
  for (Lag &lag : lags_)
    if (lag.counted_before == 0 && lag.number <= synced) lag.counted_before = number;
  while (!lags_.empty() && lags_.front().counted_before > 0 && lags_.front().counted_before <= synced)
    lags_.pop_front();
}

void OnDisk::caught_up() {
  forget();
  name_asked_ = true;
  is_complete();
}

void OnDisk::forget() {
  lags_.clear();
  job_ = nullptr;
}

}  // namespace sv
