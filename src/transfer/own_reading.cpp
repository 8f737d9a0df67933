#include "transfer/fields_job.hpp"

#include <algorithm>
#include <utility>

#include "transfer/store_calls.hpp"

namespace sv {

namespace {

/// This rank's claims, in the order of the file, in batches of bounded memory.
class OwnReading {
 public:
  OwnReading(const FieldsJob &job, RequestRows<UnpackRow> &rows)
      : job_(job), rows_(rows), together_(job.file.home().readers() == Readers::together) {}
  void run();

 private:
  struct Wanted {
    int group;
    int64_t begin_bytes;  // of the slab, in the file
    Slab slab;
    int request;
    Piece piece;
  };
  static constexpr int64_t batch_bytes = 4 << 20;
  int64_t bytes_of(const Wanted &each) const {
    return (each.slab.last - each.slab.first) * size_of(job_.file.variable(each.slab.variable).type);
  }
  void list(const Band &band, const OwnRequests &requests);
  void list_all();
  void read(size_t first, size_t last);

  const FieldsJob &job_;
  RequestRows<UnpackRow> &rows_;
  const bool together_;
  std::vector<Wanted> wanted_;
  std::vector<size_t> ends_;  // of the batches
  std::vector<std::byte> staging_;
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
  const int rank = job_.file.context().rank();
  const std::span<const Claim> own = band.claims->of_rank(rank);
  const std::vector<int> groups = groups_of(*band.claims, rank);
  const int64_t step = batch_bytes / band.element_bytes;
  for (int64_t record = 0; record < band.records; ++record)
    for (size_t i = 0; i < own.size(); ++i) {
      const int request = requests.at(record, own[i].order);
      const Piece piece = piece_of(*job_.mine[static_cast<size_t>(request)], own[i], band.first_record + record);
      const int64_t begin = band.offset_bytes + record * band.record_bytes, elements = own[i].box.elements();
      for (int64_t at = 0; at < elements; at += step)
        wanted_.push_back({groups[i],
                           begin,
                           {band.variable, band.first_record + record, own[i].box, at, std::min(at + step, elements)},
                           request,
                           piece});
    }
}

/// Batches are bounded, and of disjoint cells: PnetCDF mistakes the values of requests that overlap.
void OwnReading::list_all() {
  for (size_t b = 0; b < job_.fields.bands.size(); ++b) list(job_.fields.bands[b], job_.fields.own[b]);
  std::stable_sort(wanted_.begin(), wanted_.end(), [](const Wanted &a, const Wanted &b) {
    return std::pair(a.group, a.begin_bytes) < std::pair(b.group, b.begin_bytes);
  });
  int64_t bytes = 0;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const int64_t more = bytes_of(wanted_[i]);
    if (i > 0 && (bytes + more > batch_bytes || wanted_[i].group != wanted_[i - 1].group)) {
      ends_.push_back(i);
      bytes = 0;
    }
    bytes += more;
  }
  if (!wanted_.empty()) ends_.push_back(wanted_.size());
}

void OwnReading::read(size_t first, size_t last) {
  File &file = job_.file;
  int64_t bytes = 0;
  for (size_t i = first; i < last; ++i) bytes += bytes_of(wanted_[i]);
  staging_.resize(static_cast<size_t>(bytes));
  std::vector<SlabPart> parts;
  std::byte *at = staging_.data();
  for (size_t i = first; i < last; at += bytes_of(wanted_[i]), ++i)
    parts.push_back({wanted_[i].slab, {at, static_cast<size_t>(bytes_of(wanted_[i]))}, false});
  (together_ ? file.home().store() : file.home().lone_store()).read_many(parts);
  for (size_t i = first; i < last; ++i) {
    const Wanted &each = wanted_[i];
    const Share share{each.slab.box, each.slab.first, each.slab.last};
    rows_.took(each.request,
               unpack(each.piece, share, rows_.of(each.request), Form::in_place, parts[i - first].values.data()));
  }
}

void OwnReading::run() {
  std::optional<Error> error = caught(job_.file.context().rank(), [&] { list_all(); });
  const auto mine = error ? 0 : std::ssize(ends_);
  const auto batch = [&](int64_t call) {
    const size_t number = call < 0 ? ends_.size() : static_cast<size_t>(call);
    const size_t first = number == 0 ? 0 : ends_[number - 1];
    read(first, call < 0 ? first : ends_[number]);
  };
  if (together_) {
    if (const auto failed = make_calls(job_.file, {Direction::read, 0, mine, error.has_value()}, batch); !error)
      error = failed;
  } else {
    for (int64_t call = 0; call < mine; ++call) batch(call);
  }
  if (error) throw Error(*error);
}

}  // namespace

void read_own(const FieldsJob &job, RequestRows<UnpackRow> &rows) { OwnReading(job, rows).run(); }

}  // namespace sv
