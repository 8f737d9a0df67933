#include "engine/sharing.hpp"

#include <span>
#include <string>
#include <utility>

#include "file/context.hpp"

namespace sv {

namespace {

constexpr Format in_transit = Format::netcdf4;  // of any format: a header without places

std::string encoded(PlacedSchema schema) {
  schema.places.reset();
  schema.format = in_transit;
  const std::vector<std::byte> header = encode_header(schema);
  return {reinterpret_cast<const char *>(header.data()), header.size()};
}

}  // namespace

void share_definitions(File &file) {
  Context &context = file.context();
  PlacedSchema &own = file.definitions.schema;
  context.agree("sv_share_definitions('" + file.path() + "')",
                [&] { file.require(Mode::define, "sv_share_definitions"); });
  std::string text;
  if (context.rank() == owner_rank) text = encoded(own);
  context.comm.broadcast(text, owner_rank);
  if (context.rank() == owner_rank) return;
  PlacedSchema shared = decode_broadcast(std::as_bytes(std::span(text)), in_transit);
  shared.format = own.format;
  shared.records = own.records;
  own = std::move(shared);
  file.definitions.forget_names();
}

}  // namespace sv
