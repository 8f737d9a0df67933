// The source cells of a remapping on this rank: of the field's array, and of other ranks. Remappings of fields with the
// same cells share them.
#pragma once

#include "cell_exchange.hpp"
#include "products.hpp"

namespace sv::streams {

class SourceCells {
 public:
  /// Numbers of cells in a level, which has `cells` of them, for each of `levels`.
  struct Needed {
    int64_t cells, levels;
    const std::vector<int64_t> &sources;
  };
  /// Collective. `own`: the numbers of this rank's cells in all levels, ascending.
  SourceCells(sv_context *io, const NodeGroup &nodes, const Needed &needed, const std::vector<int64_t> &own);

  bool is_of(int64_t levels, const std::vector<int64_t> &own) const { return levels == levels_ && own == own_; }

  /// Whether take() waits for other ranks.
  bool are_exchanged() const { return exchange_.is_needed(); }

  /// A field's values of own cells, of this kind: `inner` for each, and that `outer` times.
  struct Values {
    ValueKind kind;
    const void *values;
    size_t outer, inner;
  };
  /// Collective. `rows`: gets the sources in order, for each of outer · levels · inner slabs, of source_type_of().
  void take(const Values &of, std::vector<std::byte> &rows);

 private:
  void find_stretches();
  void take_row(const FieldValues &own, const FieldValues &others, size_t level, std::byte *to) const;

  /// Sources that follow one another in memory. `place`: as CellExchange::take_places() has it.
  struct Stretch {
    uint32_t source, place, length;
  };
  int64_t levels_;
  std::vector<int64_t> own_;
  size_t sources_;
  CellExchange exchange_;
  std::vector<Stretch> stretches_;
  std::vector<size_t> stretch_begins_;  // of each level, and the end
};

}  // namespace sv::streams
