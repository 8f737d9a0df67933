#include "transport/forwarder.hpp"

namespace sv {

namespace {

constexpr size_t most_at_once = 4;

}  // namespace

int parcel_tag(int component) { return 4 * component + 3; }

Forwarder::Forwarder(const Link &link, int component, Pace pace)
    : link_(link),
      component_(component),
      pace_(pace),
      clients_(link.crew().clients_on(link.node(), component, link.topology())),
      allowed_(moment_now()) {}

bool Forwarder::may_begin(const Parcel &parcel) const {
  if (in_flight_.size() >= (pace_.keeps_out || pace_.bytes_per_second > 0 ? 1 : most_at_once)) return false;
  if (pace_.keeps_out && link_.board().communicating.load(std::memory_order_acquire) > 0) return false;
  if (pace_.bytes_per_second > 0 && moment_now() < allowed_) return false;
  return link_.memory().have_placed(clients_, parcel.round);
}

void Forwarder::begin(const Parcel &parcel) {
  in_flight_.push_back({MPI_REQUEST_NULL, parcel.end});
  check_mpi(MPI_Issend(link_.memory().outgoing(component_).at(parcel.position), mpi_count(parcel.bytes), MPI_BYTE,
                       parcel.server, parcel_tag(component_), link_.comm().get(), &in_flight_.back().request),
            "MPI_Issend");
  ++messages_;
  message_bytes_ += parcel.bytes;
  if (pace_.bytes_per_second > 0)
    allowed_ = moment_now() + std::chrono::duration_cast<Moment::duration>(std::chrono::duration<double>(
                                  static_cast<double>(parcel.bytes) / static_cast<double>(pace_.bytes_per_second)));
}

void Forwarder::complete() {
  bool freed = false;
  while (!in_flight_.empty() && is_done(in_flight_.front().request)) {
    link_.memory().outgoing(component_).freed->store(in_flight_.front().end, std::memory_order_release);
    link_.memory().parcels_gone(component_).fetch_add(1, std::memory_order_acq_rel);
    in_flight_.pop_front();
    freed = true;
  }
  if (freed) link_.board().for_clients.ring();
}

void Forwarder::progress() {
  const int64_t pushed = link_.memory().parcels(component_).load(std::memory_order_acquire);
  for (; next_ < pushed && may_begin(link_.memory().parcel(component_, next_)); ++next_)
    begin(link_.memory().parcel(component_, next_));
  if (!in_flight_.empty()) complete();
}

}  // namespace sv
