// The conversion of the values of requests: one row for each variable and type in memory (for values that were
// converted before, for each type), and the range errors.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "file/conversion.hpp"
#include "transfer/requests.hpp"

namespace sv {

/// `Row`: PackRow or UnpackRow. Borrows the requests.
template <class Row>
class RequestRows {
 public:
  RequestRows(File &file, const std::vector<const Request *> &requests) : file_(file), requests_(requests) {
    rows_.reserve(requests.size());
    range_errors_.reserve(requests.size());
    for (const Request *each : requests) {
      const auto [found, added] = shared_.try_emplace({each->as_in_file ? -1 : each->variable, each->type});
      Shared &shared = found->second;
      if (added) {
        if constexpr (std::is_same_v<Row, PackRow>) {
          shared.row = row_of(file, *each);
        } else {
          shared.row = unpack_row(file, each->variable, each->type);
          shared.row.keep_first(&shared.first);
        }
      }
      rows_.push_back(&shared);
      range_errors_.push_back(each->range_errors);
    }
  }
  RequestRows(const RequestRows &) = delete;

  const Row &of(int request) const { return rows_[static_cast<size_t>(request)]->row; }
  void took(int request, OutOfRange range_errors) { range_errors_[static_cast<size_t>(request)] += range_errors; }

  bool any_range_errors() const { return std::ranges::any_of(range_errors_, std::identity()); }
  void count_range_errors() {
    for (size_t i = 0; i < range_errors_.size(); ++i)
      file_.count_range_errors(requests_[i]->variable, range_errors_[i], rows_[i]->first);
  }
  /// Of each request: its Error, where values that do not fit are to be refused.
  std::vector<std::optional<Error>> errors() const {
    std::vector<std::optional<Error>> all(requests_.size());
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = range_error_of(file_, requests_[i]->variable, range_errors_[i], rows_[i]->first);
    return all;
  }

 private:
  struct Shared {
    Row row;
    FirstRangeError first;
  };
  File &file_;
  const std::vector<const Request *> &requests_;
  std::map<std::pair<int, Type>, Shared> shared_;
  std::vector<const Shared *> rows_;
  std::vector<OutOfRange> range_errors_;
};

}  // namespace sv
