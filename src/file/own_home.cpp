#include "file/own_home.hpp"

#include "file/file.hpp"

namespace sv {

Route OwnHome::route(const std::shared_ptr<const Layout> &layout) {
  for (const auto &[known, route] : routes_)
    if (known == layout) return route;
  Route route = new_route(*layout);
  if (!route.self) route.writers = range_owners_;
  if (layout->points() != nullptr) route = with_points(std::move(route), file_.settings().points);
  routes_.emplace_back(layout, std::move(route));
  return routes_.back().second;
}

Route OwnHome::new_route(const Layout &layout) const {
  return resolve(asked_, layout, context_.topology(), surroundings_);
}

void OwnHome::report(FileReport &report) const {
  Home::report(report);
  if (!routes_.empty()) report_route(report, routes_.front().second);
}

}  // namespace sv
