// The home of a file that each rank opens by itself: one file of the store cdf.
#pragma once

#include "file/home.hpp"

namespace sv {

class OwnHome : public Home {
 public:
  using Home::Home;

  void choose_writers() override { choose_owners(); }
  Route route(const std::shared_ptr<const Layout> &layout) override;
  void report(FileReport &report) const override;

 protected:
  /// The route for a layout that comes for the first time.
  virtual Route new_route(const Layout &layout) const;

 private:
  std::vector<std::pair<std::shared_ptr<const Layout>, Route>> routes_;
};

}  // namespace sv
