// Packets of values of one type: what a rank sends to another in the exchange of Comm. The engine packs numbers with it
// and unpacks them; both ranks must name the same type.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "mpi/comm.hpp"

namespace sv {

template <class T>
Packet packet_of(int rank, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return {rank, {bytes.begin(), bytes.end()}};
}

template <class T>
std::vector<T> values_in(const Packet &packet) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(packet.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), packet.bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace sv
