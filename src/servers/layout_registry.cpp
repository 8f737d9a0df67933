#include "servers/layout_registry.hpp"

#include <algorithm>

#include "plan/serving.hpp"
#include "servers/served_points.hpp"

namespace sv {

namespace {

bool are_equal(const Layout &a, const Layout &b) {
  return a.points() == nullptr && b.points() == nullptr && a.shape() == b.shape() &&
         a.holes_declared() == b.holes_declared() &&
         std::equal(a.patches().begin(), a.patches().end(), b.patches().begin(), b.patches().end(),
                    [](const Patch &x, const Patch &y) { return x.rank == y.rank && x.box == y.box; });
}

}  // namespace

const LayoutRegistry::Announced &LayoutRegistry::known(Context &context, const std::shared_ptr<const Layout> &layout) {
  for (const Announced &each : layouts_)
    if (each.layout == layout || are_equal(*each.layout, *layout)) return each;
  const std::vector<int> &ranks = link_.crew().clients[static_cast<size_t>(mailing_.component)];
  auto of_link = layout->points() != nullptr ? points_of_link(context, link_, *layout)
                                             : among_all(*layout, ranks, link_.comm().size());
  if (std::ssize(layouts_) == most_layouts) layouts_.pop_front();
  layouts_.push_back({layout, std::move(of_link), next_++});
  const Announced &announced = layouts_.back();
  mailing_.to_all(RegisterLayout{announced.id, layout_numbers(*announced.of_link)});
  mailing_.attempt([&] {
    const LayoutLists lists = lists_to_send(link_, announced.id, *announced.of_link, primaries_);
    for (const int server : lists.to) mailing_.post(server, lists_tag(mailing_.component), lists.message);
  });
  return announced;
}

}  // namespace sv
