#include "rechunking.hpp"

#include <algorithm>
#include <numeric>

namespace sv_tools {

namespace {

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// `lengths` times as much as has room, of the fastest dimensions first, so that rows become long.
Lengths grown(Lengths lengths, const Lengths &most, int64_t most_cells) {
  for (size_t d = lengths.size(); d-- > 0;) {
    const int64_t times = std::max<int64_t>(1, most_cells / cells_of(lengths));
    lengths[d] = std::min(most[d], lengths[d] * times);
  }
  return lengths;
}

}  // namespace

int64_t cells_of(const Lengths &lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>());
}

Lengths block_lengths(const Rechunking &work, int64_t most_bytes) {
  const int64_t most_cells = std::max<int64_t>(1, most_bytes / work.cell_bytes);
  Lengths written = work.to, both = work.to;
  for (size_t d = 0; d < written.size(); ++d) {
    written[d] = std::min(work.to[d], work.length[d]);
    both[d] = std::min(divide_up(std::max(work.from[d], work.to[d]), work.to[d]) * work.to[d], work.length[d]);
  }
  if (cells_of(both) <= most_cells) return grown(both, work.length, most_cells);
  for (size_t d = 0; d < written.size(); ++d)  // a chunk that has no room
    if (const int64_t others = cells_of(written) / written[d]; cells_of(written) > most_cells)
      written[d] = std::max<int64_t>(1, most_cells / others);
  return grown(written, work.length, most_cells);
}

void for_blocks(const Lengths &length, const Lengths &block, const std::function<void(const CellBox &)> &visit) {
  if (cells_of(length) == 0) return;
  Lengths start(length.size(), 0);
  for (;;) {
    CellBox each{start, block};
    for (size_t d = 0; d < start.size(); ++d) each.count[d] = std::min(block[d], length[d] - start[d]);
    visit(each);
    size_t d = start.size();
    while (d-- > 0) {
      if ((start[d] += block[d]) < length[d]) break;
      start[d] = 0;
      if (d == 0) return;
    }
  }
}

CellBox part_of(const CellBox &block, const Lengths &from, int rank, int ranks) {
  const size_t n = from.size();
  // Chunks that begin in the block, or are cut by its begin, in each dimension; where there is one of all, cells.
  Lengths unit = from;
  const auto units = [&](size_t d) {
    const int64_t first = block.start[d] / unit[d];
    return divide_up(block.start[d] + block.count[d], unit[d]) - first;
  };
  bool one = true;
  for (size_t d = 0; d < n; ++d) one = one && units(d) == 1;
  if (one) unit.assign(n, 1);
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return units(a) > units(b); });
  CellBox part = block;
  int64_t left = ranks, number = rank;
  for (const size_t d : order) {
    const int64_t parts = std::min(left, units(d)), mine = number % parts;
    number /= parts;
    left /= parts;
    const int64_t first = block.start[d] / unit[d], all = units(d);
    const auto cut = [&](int64_t i) {
      return std::clamp((first + all * i / parts) * unit[d], block.start[d], block.start[d] + block.count[d]);
    };
    part.start[d] = cut(mine);
    part.count[d] = cut(mine + 1) - part.start[d];
  }
  if (number > 0) part.count.assign(n, 0);  // there are more ranks than parts
  return part;
}

void for_chunks(const CellBox &box, const Lengths &chunk, const std::function<void(const CellBox &)> &visit) {
  Lengths first = chunk, chunks = chunk;
  for (size_t d = 0; d < chunk.size(); ++d) {
    first[d] = box.start[d] / chunk[d];
    chunks[d] = box.count[d] == 0 ? 0 : divide_up(box.start[d] + box.count[d], chunk[d]) - first[d];
  }
  for_blocks(chunks, Lengths(chunk.size(), 1), [&](const CellBox &number) {
    CellBox piece = box;
    for (size_t d = 0; d < chunk.size(); ++d) {
      const int64_t begin = (first[d] + number.start[d]) * chunk[d];
      piece.start[d] = std::max(begin, box.start[d]);
      piece.count[d] = std::min(begin + chunk[d], box.start[d] + box.count[d]) - piece.start[d];
    }
    visit(piece);
  });
}

}  // namespace sv_tools
