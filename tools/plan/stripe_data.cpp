#include "stripe_data.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "prediction/write_load.hpp"

namespace sv_plan {

namespace {

/// Counts owners of data in stripes; one after the other adds its boxes.
class OwnersOfStripes {
 public:
  OwnersOfStripes(const sv::Field &field, int64_t stripe_bytes)
      : field_(field), whole_(sv::Box::whole(field.shape)), stripe_bytes_(stripe_bytes) {
    const int64_t stripes = sv::held_stripes(end_of(whole_.elements()));
    owners_.resize(static_cast<size_t>(stripes), 0);
    last_.resize(static_cast<size_t>(stripes), -1);
  }
  void add(const sv::Box &box, int owner) {
    sv::RowCursor cursor(box, whole_, 0, whole_.elements());
    for (sv::Row row; cursor.next(row);) {
      const auto end = static_cast<size_t>(end_of(row.position + row.elements));
      for (auto stripe = static_cast<size_t>(first_of(row.position)); stripe < end; ++stripe) {
        if (std::exchange(last_[stripe], owner) != owner) ++owners_[stripe];
      }
    }
  }
  int64_t stripes() const { return static_cast<int64_t>(owners_.size()); }
  OfStripe result() const {
    int64_t sum = 0;
    for (const int owners : owners_) sum += owners;
    return {sv::real(sum) / sv::real(stripes()), *std::max_element(owners_.begin(), owners_.end())};
  }

 private:
  /// Of the stripes of the file, counted from the field's first: the one in which an element begins, and the one after
  /// that in which the element before it ends.
  int64_t first_of(int64_t element) const {
    return (field_.offset_bytes + element * field_.element_bytes) / stripe_bytes_ - field_.offset_bytes / stripe_bytes_;
  }
  int64_t end_of(int64_t element) const {
    const int64_t last_byte = field_.offset_bytes + element * field_.element_bytes - 1;
    return last_byte / stripe_bytes_ - field_.offset_bytes / stripe_bytes_ + 1;
  }

  const sv::Field &field_;
  const sv::Box whole_;
  const int64_t stripe_bytes_;
  std::vector<int> owners_, last_;
};

}  // namespace

StripeData stripe_data_of(const Scene &scene) {
  OwnersOfStripes nodes(scene.plan.field, scene.options.stripe_bytes), ranks = nodes;
  for (const sv::Patch &patch : scene.layout->patches()) ranks.add(scene.plan.extend(patch.box), patch.rank);
  for (int node = 0; node < scene.topology.nodes(); ++node) {
    std::vector<sv::Box> boxes;
    for (const int rank : scene.topology.ranks_of[static_cast<size_t>(node)])
      for (const sv::Patch &patch : scene.layout->patches_of_rank(rank)) boxes.push_back(patch.box);
    for (const sv::Box &box : sv::merged(std::move(boxes))) nodes.add(scene.plan.extend(box), node);
  }
  return {nodes.stripes(), nodes.result(), ranks.result()};
}

}  // namespace sv_plan
