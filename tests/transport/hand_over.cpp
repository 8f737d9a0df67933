// With synchronous forwarding, a put that is small does not wait until a server has taken it, a large one does, and the
// end of the step does: rank 0 is the client of one node, rank 1 a server on another one.
//
// run: ranks=2 limit=60 hosts=1
#include "transport/hand_over.hpp"

#include <algorithm>
#include <vector>

#include "with_link.hpp"

namespace {

using namespace sv;

constexpr int component = 0, client = 0, server = 1, command_tag = 1;
constexpr int64_t small = 1000, large = 3000000;  // bytes; the former are on their way together, some hundred of them
constexpr int small_puts = 10;

void expect(bool holds, const char *what) {
  if (!holds) sv::test::give_up(what);
}

class OneExtent final : public ExtentMap {
 public:
  explicit OneExtent(int64_t bytes) : bytes_(bytes) {}
  Extent covering(int64_t) const override { return {0, bytes_}; }

 private:
  int64_t bytes_;
};

/// The same byte in all elements.
class Bytes final : public Source {
 public:
  Bytes(int64_t bytes, int value) : bytes_(static_cast<size_t>(bytes)), value_(value) {}
  int64_t put(int, int, Form, std::byte *to) override {
    std::fill_n(to, bytes_, static_cast<std::byte>(value_));
    return static_cast<int64_t>(bytes_);
  }

 private:
  size_t bytes_;
  int value_;
};

/// One round of a field that the client has and the server writes.
Plan plan_of(const Topology &topology, int64_t bytes) {
  const Index shape{bytes};
  const auto layout =
      std::make_shared<const Layout>(shape, 2, std::vector<Patch>{{client, Box::whole(shape), shape}}, false);
  const Route route{"ranges", 0, 0, false, {server}, {}};
  const OneExtent extents(bytes);
  const Budget room{2 * bytes, 2 * bytes};
  return make_plan(layout, Field{shape, 0, 1, 0}, route, {topology, extents, 1 << 20, room});
}

void put(HandOver &hand_over, const Link &link, int64_t bytes, int value) {
  Bytes source(bytes, value);
  hand_over.carry(plan_of(link.topology(), bytes), source);
}

int64_t on_their_way(const Link &link) {
  return link.memory().parcels(component).load() - link.memory().parcels_gone(component).load();
}

void tell(int rank) { MPI_Send(nullptr, 0, MPI_BYTE, rank, command_tag, MPI_COMM_WORLD); }
void hear(int rank) { MPI_Recv(nullptr, 0, MPI_BYTE, rank, command_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

void put_all(const Link &link) {
  HandOver hand_over(link, component, {.synchronous = true, .pace = {}});
  for (int put_number = 0; put_number < small_puts; ++put_number) put(hand_over, link, small, put_number);
  expect(on_their_way(link) == small_puts, "small puts are taken before the server receives");
  tell(server);
  hand_over.end_step();
  expect(on_their_way(link) == 0, "the step has ended, but not all has left");
  hear(server);
  put(hand_over, link, large, small_puts);
  expect(on_their_way(link) == 0, "a large put has not left");
  hear(server);
}

void take(const Link &link, int64_t bytes, int value) {
  std::vector<std::byte> message(static_cast<size_t>(bytes));
  MPI_Recv(message.data(), static_cast<int>(bytes), MPI_BYTE, client, parcel_tag(component), link.comm().get(),
           MPI_STATUS_IGNORE);
  expect(std::count(message.begin(), message.end(), static_cast<std::byte>(value)) == bytes, "other values came");
}

/// Receives nothing before all small puts have returned.
void take_all(const Link &link) {
  hear(client);
  for (int put_number = 0; put_number < small_puts; ++put_number) take(link, small, put_number);
  tell(client);
  take(link, large, small_puts);
  tell(client);
}

}  // namespace

int main() {
  sv::test::with_link({.server_memory_bytes = 32 << 20, .ranks_per_node = 1, .share_memory = true, .limit_seconds = 60},
                      {.servers = {server}, .groups = {{server}}, .clients = {{client}}},
                      [](const Link &link) { link.comm().rank() == client ? put_all(link) : take_all(link); });
}
