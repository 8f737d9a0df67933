#include "transfer/combined_transfer.hpp"

#include <algorithm>
#include <utility>

#include "transfer/slab_batches.hpp"

namespace sv {

namespace {

/// This rank's claims, in the order of the file.
class OwnReading {
 public:
  OwnReading(const AskedFields &fields, RequestRows<UnpackRow> &rows)
      : fields_(fields), rows_(rows), batches_(fields.file()) {}
  void run();

 private:
  struct Wanted {
    int group;
    int64_t begin_bytes;  // of the slab, in the file
    Slab slab;
    int request;
    Piece piece;
  };
  void list(const Band &band, const OwnRequests &requests);
  void list_all();
  void take(const Wanted &each, const std::byte *values);

  const AskedFields &fields_;
  RequestRows<UnpackRow> &rows_;
  SlabBatches batches_;
  std::vector<Wanted> wanted_;
};

/// The groups of this rank's claims on a field: those of one are disjoint.
std::vector<int> groups_of(const Claims &claims, int rank) {
  const std::span<const Claim> own = claims.of_rank(rank);
  std::vector<int> group(own.size(), 0);
  if (claims.depth() == 1) return group;
  int number = 0;
  for (const std::vector<int> &members : disjoint_groups(claims.shape(), own)) {
    for (const int i : members) group[static_cast<size_t>(i)] = number;
    ++number;
  }
  return group;
}

void OwnReading::list(const Band &band, const OwnRequests &requests) {
  const int rank = fields_.file().context().rank();
  const std::span<const Claim> own = band.claims->of_rank(rank);
  const std::vector<int> groups = groups_of(*band.claims, rank);
  const int64_t step = SlabBatches::most_bytes / band.element_bytes;
  for (int64_t record = 0; record < band.records; ++record)
    for (size_t i = 0; i < own.size(); ++i) {
      const int request = requests.at(record, own[i].order);
      const Piece piece = piece_of(fields_.mine(request), own[i], band.first_record + record);
      const int64_t begin = band.offset_bytes + record * band.record_bytes, elements = own[i].box.elements();
      for (int64_t at = 0; at < elements; at += step)
        wanted_.push_back({groups[i],
                           begin,
                           {band.variable, band.first_record + record, own[i].box, at, std::min(at + step, elements)},
                           request,
                           piece});
    }
}

void OwnReading::list_all() {
  for (size_t b = 0; b < fields_.bands.size(); ++b) list(fields_.bands[b], fields_.own[b]);
  std::stable_sort(wanted_.begin(), wanted_.end(), [](const Wanted &a, const Wanted &b) {
    return std::pair(a.group, a.begin_bytes) < std::pair(b.group, b.begin_bytes);
  });
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const Slab &slab = wanted_[i].slab;
    batches_.add(slab, (slab.last - slab.first) * size_of(fields_.file().variable(slab.variable).type),
                 i == 0 || wanted_[i].group == wanted_[i - 1].group);
  }
}

void OwnReading::take(const Wanted &each, const std::byte *values) {
  const Share share{each.slab.box, each.slab.first, each.slab.last};
  rows_.took(each.request, unpack(each.piece, share, rows_.of(each.request), Form::in_place, values));
}

void OwnReading::run() {
  batches_.read([this] { list_all(); }, [this](size_t slab, const std::byte *values) { take(wanted_[slab], values); });
}

}  // namespace

void read_own(const AskedFields &fields, RequestRows<UnpackRow> &rows) { OwnReading(fields, rows).run(); }

}  // namespace sv
