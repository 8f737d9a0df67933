// Values between the program's memory and a contiguous copy: datatypes with holes, orders of their own (imap), and
// types into which not all values fit.
#include "convert.hpp"
#include "posted.hpp"

namespace sv::pnetcdf {

namespace {

using Bytes = std::unique_ptr<std::byte[]>;

Bytes room(int64_t cells, int type) {
  return std::make_unique<std::byte[]>(static_cast<size_t>(cells * type_bytes(type)));
}

/// Calls visit(place in the order of the file, place in the program's memory), in values.
template <class Visit>
void each_mapped(const Staged &staged, Visit &&visit) {
  const size_t dims = staged.count.size();
  std::vector<int64_t> index(dims, 0);
  for (int64_t cell = 0; cell < staged.cells; ++cell) {
    int64_t place = 0;
    for (size_t d = 0; d < dims; ++d) place += index[d] * staged.map[d];
    visit(cell, place);
    for (size_t d = dims; d-- > 0;) {
      if (++index[d] < staged.count[d]) break;
      index[d] = 0;
    }
  }
}

/// As many values as the map reaches over.
int64_t span_of(const Staged &staged) {
  int64_t last = 0;
  for (size_t d = 0; d < staged.count.size(); ++d) last += (staged.count[d] - 1) * staged.map[d];
  return last + 1;
}

}  // namespace

int fetch(sv_context *io, Staged &staged) {
  const int64_t width = type_bytes(staged.memory_type);
  Bytes gathered, ordered;
  const std::byte *from = static_cast<const std::byte *>(staged.data);
  if (staged.datatype) {
    gathered = room(std::max(staged.cells, staged.map.empty() ? 0 : span_of(staged)), staged.memory_type);
    must(sv_gather_items(io, from, staged.items, staged.datatype.get(), gathered.get()));
    from = gathered.get();
  }
  if (!staged.map.empty()) {
    ordered = room(staged.cells, staged.memory_type);
    each_mapped(staged, [&](int64_t cell, int64_t place) {
      std::copy_n(from + place * width, width, ordered.get() + cell * width);
    });
    from = ordered.get();
  }
  if (staged.type == staged.memory_type) {
    std::copy_n(from, staged.cells * width, staged.values.get());
    return NC_NOERR;
  }
  // The fill value is the variable's: Sverdrup puts it in.
  const bool fit = all_fit(staged.memory_type, from, staged.type, staged.cells);
  staged.values = room(staged.cells, staged.memory_type);
  std::copy_n(from, staged.cells * width, staged.values.get());
  staged.type = staged.memory_type;
  return fit ? NC_NOERR : NC_ERANGE;
}

int deliver(sv_context *io, Staged &staged) {
  const int64_t width = type_bytes(staged.memory_type);
  auto *to = static_cast<std::byte *>(staged.data);
  Bytes converted = room(staged.cells, staged.memory_type);
  const int code = convert(staged.type, staged.values.get(), staged.memory_type, converted.get(), staged.cells);
  if (staged.map.empty() && !staged.datatype) {
    std::copy_n(converted.get(), staged.cells * width, to);
    return code;
  }
  Bytes items;
  std::byte *place_of = to;
  if (staged.datatype && !staged.map.empty()) {
    items = room(std::max(staged.cells, span_of(staged)), staged.memory_type);
    must(sv_gather_items(io, to, staged.items, staged.datatype.get(),
                         items.get()));  // cells outside the map keep their values
    place_of = items.get();
  }
  if (!staged.map.empty())
    each_mapped(staged, [&](int64_t cell, int64_t place) {
      std::copy_n(converted.get() + cell * width, width, place_of + place * width);
    });
  if (staged.datatype)
    must(sv_scatter_items(io, items ? items.get() : converted.get(), staged.items, staged.datatype.get(), to));
  return code;
}

}  // namespace sv::pnetcdf
