#include "base/first_error.hpp"
#include "transfer/combined_transfer.hpp"

#include <functional>
#include <map>
#include <numeric>

#include "transfer/slab_reading.hpp"
#include "transfer/small_fields.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

/// One field of a list, and the claims that are carried out together.
struct OneField {
  const AskedFields &fields;
  size_t band;
  int64_t place;  // record of the band

  const Band &of() const { return fields.bands[band]; }
  int64_t record() const { return of().first_record + place; }
  bool has_records() const { return fields.file().variable(of().variable).has_records; }
  int request(const Claim &claim) const { return fields.own[band].at(place, claim.order); }
  Piece piece(const Claim &claim) const { return piece_of(fields.mine(request(claim)), claim, record()); }
};

void for_fields(const AskedFields &fields, const std::function<void(const OneField &)> &visit) {
  for (size_t b = 0; b < fields.bands.size(); ++b)
    for (int64_t record = 0; record < fields.bands[b].records; ++record) visit({fields, b, record});
}

/// Some claims of a field as a layout of it.
std::shared_ptr<const Layout> layout_of(const Claims &claims, const std::vector<int> &taken, int ranks) {
  std::vector<Patch> patches;
  for (const int i : taken) {
    const Claim &claim = claims.all()[static_cast<size_t>(i)];
    patches.push_back({claim.rank, claim.box, Index(claim.box.dims(), 0)});
  }
  return std::make_shared<const Layout>(claims.shape(), ranks, patches, true);
}

/// Where the patches of such a layout lie.
template <class Row>
BlockPieces<Row> pieces_of(const OneField &field, const std::vector<int> &taken, const RequestRows<Row> &rows) {
  return [&](const Patch &patch) {
    const Claim &claim = field.of().claims->all()[static_cast<size_t>(taken[patch.number])];
    return RowPiece<Row>{field.piece(claim), &rows.of(field.request(claim))};
  };
}

std::vector<int> all_of(const Claims &claims) {
  std::vector<int> all(claims.all().size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

FieldJob unprepared(const OneField &field) {
  return {field.fields.file(), field.of().variable, field.has_records() ? field.record() : -1};
}

/// Makes the job's layout where it has none yet.
void prepare(FieldJob &made, const Claims &claims, const std::vector<int> &taken, Direction direction) {
  File &file = made.file;
  if (made.layout == nullptr) made.layout = layout_of(claims, taken, file.context().comm.size());
  if (direction == Direction::read) return plan_reading(made);
  made.route = std::make_shared<const Route>(file.home().route_of_ranges());
  plan_writing(made);
}

std::optional<Error> read_with_writers(const OneField &field, SlabReading &reading, RequestRows<UnpackRow> &rows) {
  const Claims &claims = *field.of().claims;
  const bool messages = reading.file.context().topology().nodes() > 1;
  // Parts that ranks of another node share would have to be in the message of each.
  const auto groups = messages && claims.depth() > 1 ? disjoint_groups(claims.shape(), claims.all())
                                                     : std::vector<std::vector<int>>{all_of(claims)};
  FirstError first;
  for (const std::vector<int> &taken : groups) {
    FieldJob made = unprepared(field);
    agree(made.file, field.fields.list.call + ", " + made.file.name_of(made.variable), made.variable,
          [&] { prepare(made, claims, taken, Direction::read); });
    first.note(read_through_writers(reading, made, pieces_of(field, taken, rows)));
  }
  return first.error();
}

/// A claim that fits into no staging is a group of its own.
void read_group(const OneField &field, const ClaimGroup &group, SlabReading &reading, RequestRows<UnpackRow> &rows,
                std::vector<std::byte> &staging) {
  if (group.claims.size() == 1) {
    const Claim &claim = *group.claims.front();
    reading.row = rows.of(field.request(claim));
    const OutOfRange before = reading.range_errors;
    read_piece(reading, field.piece(claim), staging);
    return rows.took(field.request(claim), reading.range_errors - before);
  }
  const Share share{group.around, 0, group.around.elements()};
  read_share(reading, share, staging);
  for (const Claim *claim : group.claims) {
    const int request = field.request(*claim);
    rows.took(request, unpack(field.piece(*claim), share, rows.of(request), Form::in_place, staging.data()));
  }
}

void read_alone(const OneField &field, SlabReading &reading, RequestRows<UnpackRow> &rows) {
  const std::vector<ClaimGroup> groups =
      read_together(field.of().claims->of_rank(reading.file.context().rank()), field.of().element_bytes, staging_bytes);
  const auto mine = static_cast<int64_t>(groups.size());
  std::vector<std::byte> staging;
  for (int64_t c = 0, calls = reading.calls(mine); c < calls; ++c) {
    if (c < mine) {
      read_group(field, groups[static_cast<size_t>(c)], reading, rows, staging);
    } else {
      const Slab nothing = empty_slab(reading.file, reading.variable);
      for (int64_t more = reading.calls(0); more > 0; --more) reading.store().read(nothing, {});
    }
  }
}

/// Ranks meet before the first of the fields and behind the last: where they are many and small, meeting is what costs.
void write_batch(const std::vector<OneField> &batch, RequestRows<PackRow> &rows) {
  const AskedFields &fields = batch.front().fields;
  File &file = fields.file();
  std::vector<FieldJob> made;
  std::vector<WrittenSlab> slabs;
  struct Shared {  // by the fields of one grid
    std::vector<int> taken;
    std::shared_ptr<const Layout> layout;
  };
  std::map<const Claims *, Shared> of_claims;
  std::vector<Shared *> shared;
  for (const OneField &field : batch) {
    made.push_back(unprepared(field));
    slabs.push_back({made.back().variable, made.back().record});
    const auto [found, is_new] = of_claims.try_emplace(field.of().claims.get());
    if (is_new) found->second.taken = all_of(*field.of().claims);
    shared.push_back(&found->second);
  }
  agree(file, fields.list.call + ", from " + file.name_of(slabs.front().variable), -1, [&] {
    for (size_t i = 0; i < batch.size(); ++i) {
      try {
        made[i].layout = shared[i]->layout;
        prepare(made[i], *batch[i].of().claims, shared[i]->taken, Direction::write);
        shared[i]->layout = made[i].layout;
      } catch (Error &error) {
        throw error.in_variable(file.variable(made[i].variable).name);
      }
    }
  });
  std::vector<ExchangedField> exchanged;
  for (size_t i = 0; i < batch.size(); ++i) exchanged.push_back({made[i], pieces_of(batch[i], shared[i]->taken, rows)});
  conclude_exchange(file, fields.list.call, slabs, exchange_fields(exchanged));
}

}  // namespace

void write_each(const AskedFields &fields, RequestRows<PackRow> &rows) {
  constexpr int64_t most_claims = 1 << 14;  // whose plans are in memory together
  std::vector<OneField> batch;
  int64_t claims = 0;
  const auto write = [&] {
    write_batch(batch, rows);
    batch.clear();
    claims = 0;
  };
  for_fields(fields, [&](const OneField &field) {
    batch.push_back(field);
    claims += std::ssize(field.of().claims->all());
    if (claims >= most_claims) write();
  });
  if (!batch.empty()) write();
}

std::optional<Error> read_each(const AskedFields &fields, RequestRows<UnpackRow> &rows) {
  FirstError first;
  for_fields(fields, [&](const OneField &field) {
    SlabReading reading{fields.file(), field.of().variable, field.has_records() ? field.record() : -1};
    std::optional<Error> failed;
    if (fields.file().home().reads_through_writers()) {
      failed = read_with_writers(field, reading, rows);
      const auto claims = field.of().claims->of_rank(fields.file().context().rank());
      if (reading.range_errors > 0) rows.took(field.request(claims.front()), reading.range_errors);
    } else {
      reading.together = fields.file().home().readers() == Readers::together;
      failed = caught(fields.file().context().rank(), [&] { read_alone(field, reading, rows); });
    }
    first.note(fields.file().located(field.of().variable, failed));
  });
  return first.error();
}

}  // namespace sv
