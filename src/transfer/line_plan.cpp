#include "transfer/line_plan.hpp"

#include "delivery/file_delivery.hpp"
#include "file/home.hpp"

namespace sv {

CombinedPlan line_plan(const File &file, const std::vector<Band> &bands, Direction direction) {
  const Home &home = file.home();
  const Places &places = home.places();
  const int variable = bands.front().variable;
  return CombinedPlan(bands, direction == Direction::write ? home.owners.of_combined() : home.reading_route()->writers,
                      {file.context().topology(), places.extents(variable), places.stripe_bytes(variable),
                       delivery_of(file).round_budget(1)});
}

}  // namespace sv
