#include "transfer/own_ranges.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/fill.hpp"
#include "base/swap.hpp"
#include "delivery/file_delivery.hpp"
#include "file/store_calls.hpp"
#include "model/filling.hpp"
#include "packing/memory_view.hpp"
#include "plan/chunk_grid.hpp"

namespace sv {

namespace {

constexpr int64_t piece_bytes = 1 << 20;  // of fill values, and of copies: stays in the cache in between

/// Of its chunks, each in parts that are not too large.
std::vector<Share> own_chunks(const Field &field, const std::vector<int> &owners, int rank, int64_t most_elements) {
  const auto at = std::find(owners.begin(), owners.end(), rank);
  if (at == owners.end()) return {};
  return chunk_shares(field, static_cast<int>(at - owners.begin()), static_cast<int>(owners.size()), most_elements);
}

/// This rank's part of a slab: its pieces of a set, its chunks, or its ranges.
std::vector<Share> own_shares(const File &file, int variable, const Field &field, int64_t most_elements) {
  const Home &home = file.home();
  const int rank = file.context().rank();
  const std::vector<Territory> pieces = home.pieces(variable);
  std::vector<Share> own;
  for (const Territory &piece : pieces)
    if (piece.rank == rank) own.push_back({piece.box, 0, piece.box.elements()});
  if (!pieces.empty()) return own;
  const std::vector<int> &owners = home.owners.of_ranges;
  if (field.chunk.n > 0) return own_chunks(field, owners, rank, most_elements);
  for (const OwnedRange &range : owner_ranges(field, home.places().extents(variable), static_cast<int>(owners.size()),
                                              home.places().stripe_bytes(variable)))
    if (owners[static_cast<size_t>(range.writer)] == rank)
      own.push_back({Box::whole(field.shape), range.first, range.last});
  return own;
}

}  // namespace

void for_own_ranges(File &file, std::span<const WrittenSlab> slabs, int64_t most_bytes,
                    const std::function<void(size_t, const Share &)> &visit) {
  struct OwnShare {
    size_t place;
    Share share;
  };
  const int variable = slabs.front().variable;
  const Field field = file.home().places().field(variable, slabs.front().record);
  const int64_t step = std::max<int64_t>(1, most_bytes / field.element_bytes);
  std::vector<OwnShare> own;
  int64_t calls = 0;
  for (size_t place = 0; place < slabs.size(); ++place)
    for (const Share &each :
         own_shares(file, variable, file.home().places().field(variable, slabs[place].record), step)) {
      own.push_back({place, each});
      calls += divide_up(each.elements(), step);
    }
  // Parts are not listed: of a large field there may be millions.
  auto next = own.begin();
  int64_t first = own.empty() ? 0 : next->share.first;
  agree_on_calls(file, make_calls(file, {Direction::write, variable, calls}, [&](int64_t call) {
                   if (call < 0) return visit(0, {Box::whole(field.shape), 0, 0});
                   while (first == next->share.last) first = (++next)->share.first;
                   const int64_t last = std::min(first + step, next->share.last);
                   visit(next->place, {next->share.box, std::exchange(first, last), last});
                 }));
}

void for_own_ranges(File &file, int variable, int64_t record, int64_t most_bytes,
                    const std::function<void(const Share &)> &visit) {
  for_own_ranges(file, std::array{WrittenSlab{variable, record}}, most_bytes,
                 [&](size_t, const Share &share) { visit(share); });
}

int64_t copy_slabs(File &file, std::span<const WrittenSlab> slabs, const ShareSource &from) {
  const int variable = slabs.front().variable;
  const int64_t bytes = size_of(file.variable(variable).type);
  std::vector<std::byte> values, swapped;
  int64_t copied = 0;
  make_room(file, slabs);
  for_own_ranges(file, slabs, piece_bytes, [&](size_t place, const Share &share) {
    values.resize(static_cast<size_t>(share.elements() * bytes));
    if (share.elements() > 0) from.read(place, share, values);
    if (from.order != file.home().maker.kind().byte_order) {
      swapped.resize(values.size());
      swap_copy(values.data(), swapped.data(), share.elements(), bytes);
      values.swap(swapped);
    }
    file.home().store().write(slab_of(variable, slabs[place].record, share), values);
    copied += static_cast<int64_t>(values.size());
  });
  return copied;
}

std::vector<std::byte> fill_in_file_order(const File &file, int variable) {
  const Variable &each = file.variable(variable);
  std::vector<std::byte> ordered(static_cast<size_t>(size_of(each.type)));
  pack_row(each.type, each.type, file.home().maker.kind().byte_order)(file.schema().fill_value(each).data(),
                                                                      size_of(each.type), ordered.data(), 1);
  return ordered;
}

void synchronise_late(File &file) {
  Home &home = file.home();
  if (!home.owners.surroundings.late || !home.handle.is_attached()) return;
  delivery_of(file).rest();
  home.store().sync();
}

void fill_slab(File &file, int variable, int64_t record) {
  if (!is_filled(file.variable(variable))) return;  // cells without one read as the fill value
  FileDelivery &delivery = delivery_of(file);
  delivery.begin(std::array{WrittenSlab{variable, record}}, WriterAssignment::filling);
  const Handle &handle = file.home().handle;
  if (handle.is_attached() && handle.store().storing(variable).fills) return;
  const int64_t bytes = size_of(file.variable(variable).type);
  const std::vector<std::byte> value = fill_in_file_order(file, variable);
  std::shared_ptr<std::vector<std::byte>> filled;
  make_room(file, variable, record);
  for_own_ranges(file, variable, record, piece_bytes, [&](const Share &share) {
    const auto size = static_cast<size_t>(share.elements() * bytes);
    if (filled == nullptr || filled->size() < size) {
      filled = std::make_shared<std::vector<std::byte>>(size);
      fill_elements(filled->data(), share.elements(), value.data(), bytes);
    }
    delivery.write({slab_of(variable, record, share), std::span(*filled).first(size)}, filled);
  });
}

namespace {

/// The owners of the file each write a part of these records, all variables at once. False where values are written
/// otherwise, the same on all of them.
bool fill_records_at_once(File &file, int64_t first, int64_t last) {
  constexpr int64_t most_record_bytes = 1 << 18;  // of longer ones, slabs are long enough
  Home &home = file.home();
  const PlacedSchema &schema = file.schema();
  if (!delivery_of(file).places_in_calls()) return false;
  if (!schema.places || schema.places->record_bytes > most_record_bytes || last - first < 2) return false;
  const std::vector<int> &owners = home.owners.of_ranges;
  const auto at = std::find(owners.begin(), owners.end(), file.context().rank());
  if (at == owners.end()) return true;
  std::vector<std::vector<std::byte>> filled;
  std::vector<SlabPart> of_one;
  for (int v = 0; v < std::ssize(schema.variables); ++v) {
    const Variable &each = schema.variables[static_cast<size_t>(v)];
    const int64_t elements = each.has_records ? schema.slab_elements(each) : 0;
    if (elements == 0) continue;
    const std::vector<std::byte> value = fill_in_file_order(file, v);
    std::vector<std::byte> &values = filled.emplace_back(static_cast<size_t>(elements) * value.size());
    fill_elements(values.data(), elements, value.data(), std::ssize(value));
    of_one.push_back({{v, 0, Box::whole(schema.slab_shape(each)), 0, elements}, values, false});
  }
  const auto share = [&](int64_t owner) { return first + (last - first) * owner / std::ssize(owners); };
  const int64_t own = at - owners.begin();
  return home.store().write_records(of_one, share(own), share(own + 1));
}

}  // namespace

void fill_records(File &file, int64_t first, int64_t last) {
  if (fill_records_at_once(file, first, last)) return;
  for (int v = 0; v < std::ssize(file.schema().variables); ++v)
    for (int64_t record = first; file.variable(v).has_records && record < last; ++record) fill_slab(file, v, record);
}

}  // namespace sv
