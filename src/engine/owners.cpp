#include "engine/owners.hpp"

#include <algorithm>
#include <span>

#include "assemble/memory_view.hpp"

namespace sv {

namespace {
constexpr int64_t piece_bytes = 1 << 20;  // staging for fill values
}

void for_own_ranges(File &file, int variable, int64_t record, int64_t most_bytes,
                    const std::function<void(int64_t, int64_t)> &visit) {
  const Field field = file.field(variable, record);
  const std::vector<int> &owners = file.range_owners();
  const auto ranges = owner_ranges(field, *file.extents(), static_cast<int>(owners.size()), file.stripe_bytes());
  const int64_t step = std::max<int64_t>(1, most_bytes / field.element_bytes);
  for (const OwnedRange &range : ranges) {
    if (owners[static_cast<size_t>(range.writer)] != file.context().rank()) continue;
    for (int64_t at = range.first; at < range.last; at += step) visit(at, std::min(at + step, range.last));
  }
}

std::vector<std::byte> fill_in_file_order(const File &file, int variable) {
  const Variable &each = file.variable(variable);
  const std::vector<std::byte> native = file.schema().fill_value(each);
  std::vector<std::byte> ordered(native.size());
  pack_row(each.type, each.type, ByteOrder::big)(native.data(), size_of(each.type), ordered.data(), 1);
  return ordered;
}

void fill_slab(File &file, int variable, int64_t record) {
  const Index shape = file.field(variable, record).shape;
  const int64_t bytes = size_of(file.variable(variable).type);
  const std::vector<std::byte> value = fill_in_file_order(file, variable);
  std::vector<std::byte> filled;
  for_own_ranges(file, variable, record, piece_bytes, [&](int64_t first, int64_t last) {
    const auto size = static_cast<size_t>((last - first) * bytes);
    if (filled.size() < size) {
      filled.resize(size);
      fill_elements(filled.data(), last - first, value.data(), bytes);
    }
    file.attached_store().write({variable, std::max<int64_t>(record, 0), Box::whole(shape), first, last},
                                std::span(filled).first(size));
  });
}

}  // namespace sv
