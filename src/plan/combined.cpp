#include "plan/combined.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t page_bytes = 4096, word_bytes = 8;
constexpr int64_t most_padding = word_bytes - 1;  // between two variables, or records
constexpr int64_t slice_alignment = 64;
constexpr int64_t most_round_bytes = 4 << 20;  // while one is written, the next is packed; and it stays in the caches

/// The unit at which rounds of so many bytes end.
int64_t unit_of(int64_t round_bytes, int64_t stripe_bytes) {
  return round_bytes >= stripe_bytes ? stripe_bytes : round_bytes >= page_bytes ? page_bytes : word_bytes;
}

}  // namespace

CombinedPlan::CombinedPlan(std::vector<Band> bands, const std::vector<int> &writers, const Conditions &conditions)
    : bands_(std::move(bands)) {
  size_t places = 0;
  for (const Band &band : bands_) places += static_cast<size_t>(band.records);
  places_.reserve(places);
  for (int b = 0; b < static_cast<int>(bands_.size()); ++b) {
    const Band &band = bands_[static_cast<size_t>(b)];
    const bool whole = !band.fill.empty() || band.claims->cover_all();
    const Segment elements = whole ? Segment{0, band.claims->shape().product()} : band.claims->reach();
    if (elements.first == elements.last) continue;
    if (!band.fill.empty()) fills_ = true;
    for (int64_t record = 0; record < band.records; ++record) places_.push_back({b, record, 0, elements, false});
  }
  line_up(conditions.extents, conditions.stripe_bytes);
  divide(writers, conditions);
  choose_rounds(conditions);
}

int64_t CombinedPlan::offset_of(const Place &place) const {
  const Band &band = bands_[static_cast<size_t>(place.band)];
  return band.offset_bytes + place.record * band.record_bytes + place.elements.first * band.element_bytes;
}

int64_t CombinedPlan::end_of(const Place &place) const {
  return place.begin +
         (place.elements.last - place.elements.first) * bands_[static_cast<size_t>(place.band)].element_bytes;
}

/// Whether the bytes between two offsets are padding of the first one's slab, without data.
bool CombinedPlan::touch(const Place &before, const Place &after, const ExtentMap &extents) const {
  const Band &band = bands_[static_cast<size_t>(before.band)];
  const int64_t slab = band.offset_bytes + before.record * band.record_bytes;
  const int64_t end = slab + before.elements.last * band.element_bytes, next = offset_of(after);
  if (next == end) return true;
  if (next - end > most_padding) return false;
  const bool reaches_end = before.elements.last == band.claims->shape().product();
  return reaches_end && after.elements.first == 0 && extents.covering(next - 1).begin == slab;
}

/// Positions in the line are congruent to those in the file, to the stripe in the first run and to the page in large
/// ones, so that rounds that end on stripes or pages of the line do so in the file.
void CombinedPlan::line_up(const ExtentMap &extents, int64_t stripe_bytes) {
  std::sort(places_.begin(), places_.end(),
            [this](const Place &a, const Place &b) { return offset_of(a) < offset_of(b); });
  int64_t end = 0;
  for (size_t p = 0; p < places_.size(); ++p) {
    Place &place = places_[p];
    const int64_t offset = offset_of(place), bytes = end_of(place) - place.begin;
    place.touches = p > 0 && touch(places_[p - 1], place, extents);
    if (place.touches) {
      place.begin = end + offset - (runs_.back().offset_bytes + end - runs_.back().begin);
    } else {
      const int64_t unit = p == 0 ? stripe_bytes : bytes >= 16 * page_bytes ? page_bytes : word_bytes;
      place.begin = end + (offset - end % unit + unit) % unit;
      runs_.push_back({place.begin, offset});
    }
    end = end_of(place);
  }
}

/// The position in the line of the first data at or after an offset of the file.
int64_t CombinedPlan::place_from(int64_t offset_bytes) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), offset_bytes,
                                      [](int64_t offset, const Run &run) { return offset < run.offset_bytes; });
  if (after == runs_.begin()) return runs_.front().begin;
  const int64_t here = (after - 1)->begin + offset_bytes - (after - 1)->offset_bytes;
  return after == runs_.end() ? here : std::min(here, after->begin);
}

/// Every writer gets about as many bytes, and whole stripes of the file. Data no longer than a stripe go to the
/// first one, which counts the records, too: so one rank can do both while the others wait for it.
void CombinedPlan::divide(const std::vector<int> &writers, const Conditions &conditions) {
  of_node_.resize(conditions.topology.ranks_of.size());
  if (places_.empty()) return;
  const int64_t begin = places_.front().begin, end = end_of(places_.back());
  const int64_t n = end - begin > conditions.stripe_bytes ? std::ssize(writers) : 1;
  int64_t from = begin;
  for (int64_t i = 0; i < n && from < end; ++i) {
    int64_t to = end;
    if (i + 1 < n) {
      const int64_t wanted = begin + (end - begin) / n * (i + 1);
      const auto run = std::upper_bound(runs_.begin(), runs_.end(), wanted,
                                        [](int64_t at, const Run &each) { return at < each.begin; }) -
                       1;
      const int64_t offset = run->offset_bytes + wanted - run->begin, stripe = conditions.stripe_bytes;
      to = std::clamp(place_from((offset + stripe / 2) / stripe * stripe), from, end);
    }
    if (to == from) continue;
    const int rank = writers[static_cast<size_t>(i)];
    of_node_[static_cast<size_t>(conditions.topology.node_of[static_cast<size_t>(rank)])].push_back(
        static_cast<int>(stretches_.size()));
    stretches_.push_back({rank, from, to, 0});
    from = to;
  }
}

CombinedPlan::Part CombinedPlan::part_of(int s, int round) const {
  const Stretch &stretch = stretches_[static_cast<size_t>(s)];
  const int64_t begin = stretch.begin / unit_ * unit_ + round * round_bytes_;
  return {std::max(begin, stretch.begin), std::min(begin + round_bytes_, stretch.end)};
}

int64_t CombinedPlan::slice_bytes(int stretch, int round) const {
  const Part part = part_of(stretch, round);
  return part.begin < part.end ? part.end - part.begin + word_bytes : 0;
}

/// The last place that begins at or before `at`: an earlier one may not reach to it.
size_t CombinedPlan::first_place(int64_t at) const {
  const auto after = std::upper_bound(places_.begin(), places_.end(), at,
                                      [](int64_t where, const Place &place) { return where < place.begin; });
  return after == places_.begin() ? 0 : static_cast<size_t>(after - places_.begin()) - 1;
}

/// An element belongs to the part in which its first byte lies.
std::optional<Portion> CombinedPlan::portion_of(int place, const Part &part) const {
  const Place &at = places_[static_cast<size_t>(place)];
  const int64_t bytes = bands_[static_cast<size_t>(at.band)].element_bytes;
  const int64_t all = at.elements.last - at.elements.first;
  const auto before = [&](int64_t limit) {
    return std::clamp<int64_t>((std::max<int64_t>(0, limit - at.begin) + bytes - 1) / bytes, 0, all);
  };
  const int64_t first = before(part.begin), last = before(part.end);
  if (first == last) return std::nullopt;
  return Portion{place, {at.elements.first + first, at.elements.first + last}, at.begin + first * bytes - part.begin};
}

Share CombinedPlan::share_of(const Portion &portion) const {
  return {Box::whole(band_of(portion).claims->shape()), portion.elements.first, portion.elements.last};
}

int64_t CombinedPlan::offset_of(const Portion &portion) const {
  const Place &place = place_of(portion);
  return offset_of(place) + (portion.elements.first - place.elements.first) * band_of(portion).element_bytes;
}

int64_t CombinedPlan::room_for(int64_t bytes) const { return depth_ * align_up(bytes + word_bytes, slice_alignment); }

/// Rounds of a stretch begin with it, or with the unit that it begins in.
void CombinedPlan::set_round(int64_t bytes, int64_t stripe_bytes) {
  round_bytes_ = bytes;
  unit_ = unit_of(bytes, stripe_bytes);
  rounds_ = 0;
  for (const Stretch &each : stretches_)
    rounds_ = std::max(rounds_, static_cast<int>((each.end - 1 - each.begin / unit_ * unit_) / bytes) + 1);
  for (const std::vector<int> &here : of_node_) {
    int64_t at = 0;
    for (const int s : here) {
      Stretch &stretch = stretches_[static_cast<size_t>(s)];
      stretch.window_bytes = at;
      at += room_for(std::min(bytes, stretch.end - stretch.begin));
    }
  }
}

bool CombinedPlan::slices_fit(const Budget &budget) const {
  return std::all_of(of_node_.begin(), of_node_.end(), [&](const std::vector<int> &here) {
    if (here.empty()) return true;
    const Stretch &last = stretches_[static_cast<size_t>(here.back())];
    return last.window_bytes + room_for(std::min(round_bytes_, last.end - last.begin)) <= budget.slices;
  });
}

/// What the nodes claim of each band's fields, in bytes.
std::vector<std::vector<int64_t>> CombinedPlan::claimed_by_nodes(const Topology &topology) const {
  std::vector<std::vector<int64_t>> claimed;
  for (const Band &band : bands_) {
    std::vector<int64_t> &of_nodes = claimed.emplace_back(topology.ranks_of.size(), 0);
    for (size_t node = 0; node < of_nodes.size(); ++node)
      for (const int rank : topology.ranks_of[node])
        of_nodes[node] += band.claims->elements_of(rank) * band.element_bytes;
  }
  return claimed;
}

/// Whether what every node sends (of overlapping claims: is sent) in any round fits. It sends no more of a portion than
/// it claims of the field, nor than the portion.
bool CombinedPlan::messages_fit(const Conditions &conditions) const {
  const Topology &topology = conditions.topology;
  if (topology.nodes() == 1) return true;
  const std::vector<std::vector<int64_t>> claimed = claimed_by_nodes(topology);
  std::vector<int64_t> sent(topology.ranks_of.size());
  for (int round = 0; round < rounds_; ++round) {
    std::fill(sent.begin(), sent.end(), 0);
    for (int s = 0; s < static_cast<int>(stretches_.size()); ++s) {
      const int home = topology.node_of[static_cast<size_t>(stretches_[static_cast<size_t>(s)].rank)];
      for_portions(s, round, [&](const Portion &portion) {
        const int64_t bytes =
            depth_ * (portion.elements.last - portion.elements.first) * band_of(portion).element_bytes;
        const std::vector<int64_t> &of_nodes = claimed[static_cast<size_t>(place_of(portion).band)];
        for (int node = 0; node < topology.nodes(); ++node)
          if (node != home) sent[static_cast<size_t>(node)] += std::min(bytes, of_nodes[static_cast<size_t>(node)]);
      });
    }
    if (*std::max_element(sent.begin(), sent.end()) > conditions.budget.outgoing) return false;
  }
  return true;
}

/// All at once where that fits; otherwise rounds that end on stripes where they are that large, else on pages.
void CombinedPlan::choose_rounds(const Conditions &conditions) {
  for (const Band &band : bands_)
    if (conditions.topology.nodes() > 1) depth_ = std::max(depth_, band.claims->depth());
  if (stretches_.empty()) return;
  size_t most_here = 1;
  for (const std::vector<int> &here : of_node_) most_here = std::max(most_here, here.size());
  const auto rounded = [&](int64_t bytes) {
    const int64_t unit = unit_of(bytes, conditions.stripe_bytes);
    return bytes / unit * unit;
  };
  const auto set = [&](int64_t bytes) {
    if (bytes < word_bytes) return false;
    set_round(bytes, conditions.stripe_bytes);
    return slices_fit(conditions.budget);
  };
  constexpr int tries = 12;
  int64_t bytes = 0;
  for (const Stretch &each : stretches_)
    bytes = std::max(bytes,
                     align_up(each.end - each.begin / conditions.stripe_bytes * conditions.stripe_bytes, word_bytes));
  if (bytes <= most_round_bytes && set(bytes) && messages_fit(conditions)) return;
  bytes = conditions.budget.slices / static_cast<int64_t>(most_here) / depth_ - word_bytes - slice_alignment;
  bytes = std::min(bytes, std::max(most_round_bytes, conditions.stripe_bytes));
  for (int i = 0; i < tries; ++i, bytes -= bytes / 4)
    if (set(rounded(bytes)) && messages_fit(conditions)) return;
  if (conditions.topology.nodes() > 1)  // as if every node sent all of every slice
    bytes = std::min(bytes, conditions.budget.outgoing / depth_ / static_cast<int64_t>(stretches_.size()) - word_bytes);
  if (set(rounded(bytes))) return;
  throw Error(Status::limit,
              "the window of a node has no room for a slice of each of its writers (" +
                  std::to_string(conditions.budget.slices) + " bytes for slices)",
              "Enlarge 'transport.window', or ask for fewer writers");
}

}  // namespace sv
