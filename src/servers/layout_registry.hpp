// The layouts of a component that its clients have sent to the servers: each is sent once, and has a number by which
// both sides know it.
#pragma once

#include <deque>
#include <memory>

#include "file/context.hpp"
#include "layout/layout.hpp"
#include "servers/mailing.hpp"

namespace sv {

class LayoutRegistry {
 public:
  /// Both must outlive it. `primaries`: whether some servers may collect points.
  LayoutRegistry(const Link &link, Mailing &mailing, bool primaries)
      : link_(link), mailing_(mailing), primaries_(primaries) {}

  struct Announced {
    std::shared_ptr<const Layout> layout, of_link;  // of the component's ranks; the same of the link's
    int64_t id;
  };
  /// Collective over the clients, for a layout that is new. Servers know of it when this returns.
  const Announced &known(Context &context, const std::shared_ptr<const Layout> &layout);

 private:
  const Link &link_;
  Mailing &mailing_;
  const bool primaries_;
  std::deque<Announced> layouts_;
  int64_t next_ = 0;
};

}  // namespace sv
