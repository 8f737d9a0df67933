// Sends the data of a node's clients to servers on other nodes: one message per server and round. It is driven by a
// server of the node, by a thread, or by calls into the library.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "transport/link.hpp"

namespace sv {

/// The driver, in words for the report.
enum class Driver { server, thread, calls };

/// `bytes_per_second`: 0 for no limit. `keeps_out`: starts nothing while a client of the node communicates.
struct Pace {
  bool keeps_out = false;
  int64_t bytes_per_second = 0;
};

/// The tag of the data of a component.
int parcel_tag(int component);

class Forwarder {
 public:
  Forwarder(const Link &link, int component, Pace pace);
  Forwarder(const Forwarder &) = delete;

  /// Local, never blocks: begins to send complete data of all clients of the node, and frees sent data. Only one
  /// forwarder of a node and component may be driven.
  void progress();
  bool is_idle() const { return in_flight_.empty() && next_ == link_.memory().parcels(component_).load(); }
  int64_t messages() const { return messages_; }
  int64_t message_bytes() const { return message_bytes_; }

 private:
  bool may_begin(const Parcel &parcel) const;
  void begin(const Parcel &parcel);
  void complete();

  const Link &link_;
  const int component_;
  const Pace pace_;
  const std::vector<int> clients_;  // of this node
  int64_t next_ = 0;                // number of a parcel
  struct Sending {
    MPI_Request request;
    int64_t end;
  };
  std::deque<Sending> in_flight_;
  Moment allowed_;
  int64_t messages_ = 0, message_bytes_ = 0;
};

}  // namespace sv
