// Points that servers write: the lists of runs that clients and servers must exchange. Clients need those of their
// node, as far as data leave it. A server needs those of the clients on other nodes that send messages. If cells have
// no owner, both need these, too. With primaries, all servers need the lists of all clients.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "file/context.hpp"
#include "layout/layout.hpp"
#include "transport/link.hpp"
#include "transport/mail.hpp"

namespace sv {

/// Collective over the clients of a component, after a gate. Its layout of points as one of the ranks of the link, with
/// the lists that clients need. Errors are the same on all of them.
std::shared_ptr<const Layout> points_of_link(Context &context, const Link &link, const Layout &layout);

/// Local. The lists that this client must send for such a layout: those of its node, to the servers that need them.
/// `to` is empty if another client of the node sends them.
struct LayoutLists {
  std::vector<int> to;
  EncodedMessage message;
};
LayoutLists lists_to_send(const Link &link, int64_t id, const Layout &layout, bool primaries);

/// A server's side: layouts of points of a component, whose lists have not all come.
class AwaitedLists {
 public:
  AwaitedLists(const Link &link, int component, bool primaries)
      : link_(link), component_(component), primaries_(primaries) {}

  /// In the order in which the clients send them.
  void expect(int64_t id, std::shared_ptr<const Layout> layout);
  /// Local, never blocks. Throws Error(internal) for lists of another layout.
  void progress();
  bool has_all_of(const Layout &layout) const;
  bool is_empty() const { return awaited_.empty(); }

 private:
  struct Awaited {
    int64_t id;
    std::shared_ptr<const Layout> layout;
    std::vector<int> senders;  // that have not sent yet
    std::shared_ptr<std::deque<std::vector<int64_t>>> lists;
  };
  void take_in(Awaited &awaited, std::span<const std::byte> message);

  const Link &link_;
  const int component_;
  const bool primaries_;
  std::deque<Awaited> awaited_;
};

}  // namespace sv
