// Plans of many fields, carried out in memory for all ranks: every claimed byte arrives once, at its place in the file;
// slices and messages keep to the budget; writes are in the order of the file.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "../plan/random_case.hpp"
#include "base/arithmetic.hpp"
#include "packing/combined_schedule.hpp"
#include "packing/memory_view.hpp"

namespace sv::test {
namespace {

constexpr std::byte untouched{0xEE}, filling{0xFF};

struct CombinedCase {
  Topology topology;
  std::vector<Band> bands;
  std::vector<int> writers;
  std::vector<Extent> extents{{0, 100}};
  std::vector<bool> fixed_known;
  int64_t stripe_bytes = 0, file_bytes = 0;
  Budget budget{};
};

/// A field cut at random places of its slowest dimension among the ranks, who claim most of the pieces.
std::shared_ptr<const Claims> random_claims(Dice &dice, const Index &shape, int ranks) {
  std::vector<std::vector<Claim>> of_rank(static_cast<size_t>(ranks));
  const auto add = [&](const Box &box) {
    const auto rank = static_cast<size_t>(dice.roll(0, ranks - 1));
    if (dice.chance(80) && !box.empty())
      of_rank[rank].push_back({static_cast<int>(rank), static_cast<int>(of_rank[rank].size()), box});
  };
  if (shape.n == 0) {
    add(Box::whole(shape));
  } else {
    const int d = static_cast<int>(dice.roll(0, shape.n - 1));
    const std::vector<int64_t> cuts = random_cuts(dice, shape[d], dice.roll(1, 6));
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      Box box = Box::whole(shape);
      box.start[d] = cuts[i];
      box.count[d] = cuts[i + 1] - cuts[i];
      add(box);
    }
  }
  std::vector<Claim> claims;
  for (const auto &each : of_rank) claims.insert(claims.end(), each.begin(), each.end());
  return std::make_shared<const Claims>(shape, ranks, std::move(claims), 1);
}

/// Fixed variables, then records of others; not all variables and records take part.
CombinedCase random_case(Dice &dice) {
  CombinedCase c;
  const int ranks = static_cast<int>(dice.roll(1, 6));
  c.topology = Topology::uniform(ranks, static_cast<int>(dice.roll(1, ranks)));
  c.stripe_bytes = dice.pick<int64_t>({64, 256, 4096});
  const auto variable = [&](int id, int64_t begin) {
    Index shape(static_cast<int>(dice.roll(0, 3)), 0);
    for (int d = 0; d < shape.n; ++d) shape[d] = dice.roll(1, 9);
    const int64_t bytes = dice.pick<int64_t>({1, 2, 4, 8});
    Band band{id, 0, 1, begin, 0, bytes, random_claims(dice, shape, ranks), {}};
    if (!band.claims->cover_all() && dice.chance(50)) band.fill.assign(static_cast<size_t>(bytes), filling);
    return band;
  };
  const auto slab = [](const Band &band) { return align_up(band.claims->shape().product() * band.element_bytes, 4); };
  int64_t at = 100;
  const int fixed = static_cast<int>(dice.roll(0, 4)), varying = static_cast<int>(dice.roll(fixed == 0 ? 1 : 0, 4));
  for (int v = 0; v < fixed; ++v) {
    const Band band = variable(v, at);
    c.extents.push_back({at, at + slab(band)});
    at = align_up(at + slab(band), 8);
    if (dice.chance(80)) c.bands.push_back(band);
  }
  std::vector<Band> of_records;
  const int64_t record_begin = at;
  for (int v = 0; v < varying; ++v) {
    of_records.push_back(variable(fixed + v, at));
    at += slab(of_records.back());
  }
  const int64_t record_bytes = at - record_begin, records = dice.roll(1, 5);
  for (int64_t r = 0; r < records; ++r)
    for (const Band &band : of_records)
      c.extents.push_back({band.offset_bytes + r * record_bytes, band.offset_bytes + r * record_bytes + slab(band)});
  for (Band &band : of_records) {
    if (dice.chance(15)) continue;
    band.record_bytes = record_bytes;
    band.first_record = dice.roll(0, records - 1);
    band.records = dice.roll(1, records - band.first_record);
    band.offset_bytes += band.first_record * record_bytes;
    c.bands.push_back(band);
  }
  c.file_bytes = record_begin + records * record_bytes;
  for (int rank = 0; rank < ranks; ++rank)
    if (dice.chance(60) || rank == 0) c.writers.push_back(rank);
  c.budget = {dice.pick<int64_t>({2048, 8192, 1 << 20}), 0};
  if (c.topology.nodes() > 1) c.budget.outgoing = c.budget.slices;
  std::shuffle(c.bands.begin(), c.bands.end(), std::mt19937(static_cast<unsigned>(ranks)));
  return c;
}

/// Ranks, nodes and files of a plan.
class Rehearsal {
 public:
  Rehearsal(const CombinedCase &c, const CombinedPlan &plan) : case_(c), plan_(plan), schedule_(plan) {
    file_.assign(static_cast<size_t>(c.file_bytes), untouched);
  }

  void run() {
    std::map<int, int64_t> reached;  // of each stretch, in the file
    for (int round = 0; round < plan_.rounds(); ++round) {
      std::vector<int64_t> sent(static_cast<size_t>(case_.topology.nodes()), 0);
      check_windows(round);
      for (int s = 0; s < schedule_.sinks(); ++s) {
        std::vector<std::byte> slice(room_of(s), untouched);
        if (schedule_.fills()) schedule_.fill(s, round, slice.data());
        for (int rank = 0; rank < case_.topology.ranks(); ++rank) {
          const std::vector<std::byte> message = message_of(rank, s, round);
          ASSERT_EQ(static_cast<int64_t>(message.size()), schedule_.bytes_of(rank, s, round));
          schedule_.spread({rank, s, round}, message.data(), slice.data());
          std::vector<std::byte> back(message.size());
          schedule_.gather({rank, s, round}, slice.data(), back.data());
          ASSERT_EQ(back, message);
          const int node = case_.topology.node_of[static_cast<size_t>(rank)];
          if (node != case_.topology.node_of[static_cast<size_t>(schedule_.rank_of(s))])
            sent[static_cast<size_t>(node)] += static_cast<int64_t>(message.size());
        }
        write(s, round, slice, reached[s]);
      }
      for (const int64_t bytes : sent) ASSERT_LE(bytes, case_.topology.nodes() > 1 ? case_.budget.outgoing : 0);
    }
  }

  void check_file() const {
    std::vector<std::byte> wanted(file_.size(), untouched);
    for (const Band &band : case_.bands)
      for (int64_t record = 0; record < band.records; ++record) {
        const Box whole = Box::whole(band.claims->shape());
        std::byte *const at = wanted.data() + band.offset_bytes + record * band.record_bytes;
        if (!band.fill.empty()) std::fill_n(at, whole.elements() * band.element_bytes, filling);
        for (const Claim &claim : band.claims->all())
          for (int64_t i = 0; i < claim.box.elements(); ++i) {
            const int64_t element = position(whole, cell_at(claim.box, i));
            for (int64_t b = 0; b < band.element_bytes; ++b)
              at[element * band.element_bytes + b] = value(band, record, element, b);
          }
      }
    const auto padding = [&](size_t i) { return wanted[i] == untouched && file_[i] == std::byte{0}; };
    for (size_t i = 0; i < wanted.size(); ++i) ASSERT_TRUE(padding(i) || file_[i] == wanted[i]) << "byte " << i;
    // Nothing but padding: bytes of extents that take no part stay.
    for (const Extent &extent : case_.extents)
      for (int64_t i = extent.begin; i < extent.end - 3; ++i)
        ASSERT_TRUE(wanted[static_cast<size_t>(i)] != untouched || file_[static_cast<size_t>(i)] == untouched) << i;
  }

  int64_t writes() const { return writes_; }

 private:
  static std::byte value(const Band &band, int64_t record, int64_t element, int64_t byte) {
    return static_cast<std::byte>(1 + (band.variable * 57 + record * 31 + element * 7 + byte) % 200);
  }
  size_t room_of(int s) const { return static_cast<size_t>(case_.budget.slices - schedule_.slice_begin(s, 0)); }

  std::vector<std::byte> message_of(int rank, int s, int round) const {
    std::vector<std::byte> message;
    schedule_.for_claims({rank, s, round}, [&](const Portion &portion, const Claim &claim) {
      const Band &band = plan_.band_of(portion);
      const Share share = plan_.share_of(portion);
      RowCursor rows(claim.box, share.box, share.first, share.last);
      for (Row row; rows.next(row);)
        for (int64_t e = row.position; e < row.position + row.elements; ++e)
          for (int64_t b = 0; b < band.element_bytes; ++b)
            message.push_back(value(band, plan_.place_of(portion).record, e, b));
    });
    return message;
  }

  void check_windows(int round) const {
    std::vector<int64_t> end(static_cast<size_t>(case_.topology.nodes()), 0);
    for (int s = 0; s < schedule_.sinks(); ++s) {
      const auto node = static_cast<size_t>(case_.topology.node_of[static_cast<size_t>(schedule_.rank_of(s))]);
      ASSERT_GE(schedule_.slice_begin(s, round), end[node]);
      end[node] = schedule_.slice_begin(s, round);
      plan_.for_portions(s, round, [&](const Portion &portion) {
        ASSERT_GE(portion.slice_bytes, 0);
        const int64_t bytes = (portion.elements.last - portion.elements.first) * plan_.band_of(portion).element_bytes;
        end[node] = std::max(end[node], schedule_.slice_begin(s, round) + portion.slice_bytes + bytes);
      });
      ASSERT_LE(end[node], case_.budget.slices);
    }
  }

  void write(int s, int round, std::vector<std::byte> &slice, int64_t &reached) {
    const std::vector<SlabPart> parts = parts_of(plan_, s, round, slice.data());
    int64_t last_end = -1;
    for (size_t i = 0; i < parts.size(); ++i) {
      const SlabPart &part = parts[i];
      const Band &band = band_of(part.slab);
      const int64_t offset = band.offset_bytes + (part.slab.record - band.first_record) * band.record_bytes +
                             part.slab.first * band.element_bytes;
      ASSERT_GE(offset, reached);
      const auto distance = i > 0 ? part.values.data() - parts[i - 1].values.data() : 0;
      if (part.touches) {
        const int64_t gap = offset - last_end;
        ASSERT_EQ(distance, static_cast<int64_t>(parts[i - 1].values.size()) + gap);
        std::fill_n(file_.begin() + last_end, gap, std::byte{});
      } else {
        ASSERT_NE(offset, last_end) << "what touches is written at once";
        ++writes_;
      }
      std::copy(part.values.begin(), part.values.end(), file_.begin() + offset);
      reached = last_end = offset + static_cast<int64_t>(part.values.size());
    }
  }

  const Band &band_of(const Slab &slab) const {
    for (const Band &each : case_.bands)
      if (each.variable == slab.variable) return each;
    throw std::logic_error("no such band");
  }

  const CombinedCase &case_;
  const CombinedPlan &plan_;
  const CombinedSchedule schedule_;
  std::vector<std::byte> file_;
  int64_t writes_ = 0;
};

TEST(Combined, EveryByteArrivesOnce) {
  int planned = 0;
  for (int seed = 0; seed < case_count(3000); ++seed) {
    Dice dice(seed);
    const CombinedCase c = random_case(dice);
    const ListedExtents extents(c.extents);
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      const CombinedPlan plan(c.bands, c.writers, {c.topology, extents, c.stripe_bytes, c.budget});
      Rehearsal rehearsal(c, plan);
      rehearsal.run();
      if (HasFatalFailure()) return;
      rehearsal.check_file();
      if (HasFatalFailure()) return;
      ++planned;
    } catch (const Error &error) {
      ASSERT_EQ(error.status(), Status::limit) << error.what();
      ASSERT_LE(c.budget.slices, 2048) << error.what();
    }
  }
  EXPECT_GT(planned, case_count(3000) * 9 / 10);
}

/// Variables of equal size side by side, all cells claimed, one round.
CombinedPlan regular_plan(int variables, int64_t records, int ranks, const std::vector<int> &writers) {
  const Index shape{8, 32};
  const int64_t bytes = 8, slab = 8 * 32 * bytes;
  std::vector<Claim> claims;
  for (int rank = 0; rank < ranks; ++rank)
    claims.push_back({rank, 0, {{0, rank * 32 / ranks}, {8, (rank + 1) * 32 / ranks - rank * 32 / ranks}}});
  const auto shared = std::make_shared<const Claims>(shape, ranks, std::move(claims), 1);
  std::vector<Band> bands;
  for (int v = 0; v < variables; ++v)
    bands.push_back({v, 0, records, 4096 + v * slab, variables * slab, bytes, shared, {}});
  const ListedExtents extents({{0, 4096}});
  const Topology topology = Topology::uniform(ranks, ranks);
  return CombinedPlan(std::move(bands), writers, {topology, extents, 4096, {int64_t{1} << 40, 0}});
}

TEST(Combined, ARecordCollectionIsOneWritePerWriter) {
  for (const int writers : {1, 2, 3}) {
    std::vector<int> ranks;
    for (int w = 0; w < writers; ++w) ranks.push_back(w);
    const CombinedPlan plan = regular_plan(24, 20, 4, ranks);
    ASSERT_EQ(plan.stretches().size(), ranks.size());
    ASSERT_EQ(plan.rounds(), 1);
    for (int s = 0; s < writers; ++s) {
      const Stretch &stretch = plan.stretches()[static_cast<size_t>(s)];
      std::vector<std::byte> slice(static_cast<size_t>(stretch.end - stretch.begin) + 8);
      const std::vector<SlabPart> parts = parts_of(plan, s, 0, slice.data());
      EXPECT_FALSE(parts.front().touches);
      for (size_t i = 1; i < parts.size(); ++i) EXPECT_TRUE(parts[i].touches);
      EXPECT_EQ(stretch.begin % 4096, 0) << "on a stripe";
    }
  }
}

TEST(Combined, WhatIsNoLongerThanAStripeHasTheFirstWriter) {
  int little = 0;
  for (int seed = 0; seed < case_count(1000); ++seed) {
    Dice dice(seed);
    CombinedCase c = random_case(dice);
    c.stripe_bytes = 4096;
    const ListedExtents extents(c.extents);
    const CombinedPlan plan(c.bands, c.writers, {c.topology, extents, c.stripe_bytes, {1 << 20, 1 << 20}});
    if (plan.stretches().empty()) continue;
    const int64_t bytes = plan.stretches().back().end - plan.stretches().front().begin;
    if (bytes > c.stripe_bytes) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_EQ(plan.stretches().size(), 1u);
    ASSERT_EQ(plan.stretches().front().rank, c.writers.front());
    if (c.writers.size() > 1) ++little;
  }
  EXPECT_GT(little, case_count(1000) / 10);
}

TEST(Combined, ManyVariablesAndRecords) {
  const CombinedPlan plan = regular_plan(500, 1000, 16, {0, 8});
  EXPECT_EQ(plan.places().size(), 500u * 1000u);
  int64_t bytes = 0;
  for (const Stretch &each : plan.stretches()) bytes += each.end - each.begin;
  EXPECT_EQ(bytes, 500 * 1000 * 8 * 32 * 8);
}

}  // namespace
}  // namespace sv::test
