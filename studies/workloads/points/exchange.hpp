// The code of a careful user: points travel to the ranks that write them, and are put in order there.
#pragma once

#include <cstdint>
#include <vector>

#include "division.hpp"
#include "team.hpp"

namespace sv_bench {

/// The map of who sends what to whom, mapped per cell, made once and used for all variables of this division.
class Exchange {
 public:
  /// `cells`: this rank's, which outlive it. The first ranks are the workers. Collective.
  Exchange(const Team &team, const Division &division, const std::vector<int64_t> &cells);

  /// Moves the values of a variable, [level][cell] of `width` (4 or 8) bytes, to the workers; a worker then has its
  /// part, in the order of the file, in part(). Collective.
  void run(const std::byte *values, int64_t width);
  const std::byte *part() const { return part_.data(); }
  const Division &division() const { return division_; }

 private:
  struct Range {
    int64_t begin, end;
  };
  std::vector<Range> ranges_of(const std::vector<int64_t> &ascending, int worker) const;
  template <typename Word>
  void pack(const Word *values, Word *to) const;
  template <typename Word>
  void order(const Word *from, Word *part) const;

  const Team team_;
  const Division division_;
  const int64_t own_;
  std::vector<int64_t> by_cell_;                    // places of this rank's cells, in the order of their numbers
  std::vector<std::vector<Range>> sends_;           // of each worker and level: in by_cell_
  std::vector<std::vector<int64_t>> source_cells_;  // of each rank: its cells that this worker takes, ascending
  std::vector<std::vector<Range>> takes_;           // of each rank and level: in source_cells_
  std::vector<int64_t> send_counts_, take_counts_;  // values per worker, and per rank
  std::vector<std::byte> packed_, received_, part_;
};

}  // namespace sv_bench
