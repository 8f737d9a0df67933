// Brings the requests of all ranks in one call or wait together: fields, and the claims on them.
#pragma once

#include <optional>

#include "transfer/asked_fields.hpp"
#include "transfer/request_codec.hpp"

namespace sv {

/// Collective. Puts that share cells are both rejected, unless the file lets the later one win. Throws on every rank
/// the error of one of them. `memory`: of earlier exchanges of this file.
AskedFields exchange_requests(RequestList list, RequestMemory &memory);

/// Local. The requests of all ranks, if all are equal to this rank's. nullopt if only an exchange decides it (regions),
/// or there is no request. Throws as exchange_requests would.
std::optional<AskedFields> asked_alike(RequestList list, RequestMemory &memory);

}  // namespace sv
