#include "source_cells.hpp"

namespace sv::streams {

namespace {

std::vector<int64_t> numbers_of(const SourceCells::Needed &needed) {
  std::vector<int64_t> made;
  for (int64_t level = 0; level < needed.levels; ++level)
    for (const int64_t cell : needed.sources) made.push_back(level * needed.cells + cell);
  return made;
}

}  // namespace

SourceCells::SourceCells(sv_context *io, const NodeGroup &nodes, const Needed &needed, const std::vector<int64_t> &own)
    : levels_(needed.levels),
      own_(own),
      sources_(needed.sources.size()),
      exchange_(io, nodes, needed.levels * needed.cells, own, numbers_of(needed)) {
  find_stretches();
}

void SourceCells::find_stretches() {
  const std::vector<uint32_t> places = exchange_.take_places();
  const auto follows = [&](const Stretch &last, uint32_t place) {
    if (place == CellExchange::no_place || last.place == CellExchange::no_place) return place == last.place;
    return place == last.place + last.length && place != own_.size();
  };
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t source = i % sources_;
    if (source == 0) stretch_begins_.push_back(stretches_.size());
    if (source != 0 && follows(stretches_.back(), places[i]))
      ++stretches_.back().length;
    else
      stretches_.push_back({static_cast<uint32_t>(source), places[i], 1});
  }
  stretch_begins_.resize(static_cast<size_t>(levels_) + 1, stretches_.size());
}

/// `own`, `others`: the first cells of the slab.
void SourceCells::take_row(const FieldValues &own, const FieldValues &others, size_t level, std::byte *to) const {
  const int type = source_type_of(own.kind.type);
  for (size_t i = stretch_begins_[level]; i < stretch_begins_[level + 1]; ++i) {
    const auto &[source, place, length] = stretches_[i];
    std::byte *const first = to + source * bytes_of_source(type);
    if (place == CellExchange::no_place) {
      take_no_sources(type, length, first);
      continue;
    }
    const bool is_own = place < own_.size();
    FieldValues from = is_own ? own : others;
    from.first += (is_own ? place : place - own_.size()) * from.stride;
    take_sources(from, length, first);
  }
}

void SourceCells::take(const Values &of, std::vector<std::byte> &rows) {
  const auto &[kind, values, outer, inner] = of;
  const void *const others = exchange_.bring(kind.type, values, outer, inner);
  const size_t levels = static_cast<size_t>(levels_), row_bytes = sources_ * bytes_of_source(source_type_of(kind.type));
  rows.resize(outer * levels * inner * row_bytes);
  std::byte *to = rows.data();
  for (size_t i = 0; i < outer; ++i)
    for (size_t level = 0; level < levels; ++level)
      for (size_t k = 0; k < inner; ++k, to += row_bytes)
        take_row({kind, values, i * own_.size() * inner + k, inner}, {kind, others, i * inner + k, outer * inner},
                 level, to);
}

}  // namespace sv::streams
