#include "engine/owners.hpp"

#include <algorithm>
#include <span>

#include "assemble/memory_view.hpp"
#include "base/swap.hpp"

namespace sv {

namespace {
constexpr int64_t piece_bytes = 1 << 20;  // of fill values, and of what is copied: stays in the cache in between
}

void for_own_ranges(File &file, int variable, int64_t record, int64_t most_bytes,
                    const std::function<void(const Share &)> &visit) {
  const Field field = file.field(variable, record);
  const int64_t step = std::max<int64_t>(1, most_bytes / field.element_bytes);
  std::vector<Share> own;
  const auto add = [&](const Share &all) {
    for (int64_t at = all.first; at < all.last; at += step) own.push_back({all.box, at, std::min(at + step, all.last)});
  };
  if (file.is_set()) {
    for (const Territory &piece : file.pieces(variable))
      if (piece.rank == file.context().rank()) add({piece.box, 0, piece.box.elements()});
  } else {
    const std::vector<int> &owners = file.range_owners();
    for (const OwnedRange &range :
         owner_ranges(field, *file.extents(variable), static_cast<int>(owners.size()), file.stripe_bytes(variable)))
      if (owners[static_cast<size_t>(range.writer)] == file.context().rank())
        add({Box::whole(field.shape), range.first, range.last});
  }
  // A rank that fails still makes its part of the calls that a store wants to be collective.
  std::optional<Error> error;
  const auto mine = static_cast<int64_t>(own.size());
  for (int64_t c = 0, calls = file.most_calls(Direction::write, variable, mine); c < calls; ++c) {
    const bool empty = error || c >= mine;
    const auto failed = caught(file.context().rank(), [&] {
      visit(empty ? Share{Box::whole(field.shape), 0, 0} : own[static_cast<size_t>(c)]);
    });
    if (failed && !error) error = failed;
    if (error && !file.in_team()) break;
  }
  file.agree_in_team(error);
}

int64_t copy_slab(File &file, int variable, int64_t record, const ShareSource &from) {
  const int64_t bytes = size_of(file.variable(variable).type);
  std::vector<std::byte> values, swapped;
  int64_t copied = 0;
  file.make_room(variable, record);
  for_own_ranges(file, variable, record, piece_bytes, [&](const Share &share) {
    values.resize(static_cast<size_t>(share.elements() * bytes));
    if (share.elements() > 0) from.read(share, values);
    if (from.order != file.byte_order()) {
      swapped.resize(values.size());
      swap_copy(values.data(), swapped.data(), share.elements(), bytes);
      values.swap(swapped);
    }
    file.attached_store().write(slab_of(variable, record, share), values);
    copied += static_cast<int64_t>(values.size());
  });
  return copied;
}

std::vector<std::byte> fill_in_file_order(const File &file, int variable) {
  const Variable &each = file.variable(variable);
  const std::vector<std::byte> native = file.schema().fill_value(each);
  std::vector<std::byte> ordered(native.size());
  pack_row(each.type, each.type, file.byte_order())(native.data(), size_of(each.type), ordered.data(), 1);
  return ordered;
}

void fill_slab(File &file, int variable, int64_t record) {
  const int64_t bytes = size_of(file.variable(variable).type);
  const std::vector<std::byte> value = fill_in_file_order(file, variable);
  std::vector<std::byte> filled;
  file.make_room(variable, record);
  for_own_ranges(file, variable, record, piece_bytes, [&](const Share &share) {
    const auto size = static_cast<size_t>(share.elements() * bytes);
    if (filled.size() < size) {
      filled.resize(size);
      fill_elements(filled.data(), share.elements(), value.data(), bytes);
    }
    file.attached_store().write(slab_of(variable, record, share), std::span(filled).first(size));
  });
}

}  // namespace sv
