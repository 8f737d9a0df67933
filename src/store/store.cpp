#include "store/store.hpp"

#include "base/error.hpp"

namespace sv {

void Store::agree(const Error *error) {
  if (error != nullptr) throw Error(*error);
}

void Store::redefine(const PlacedSchema &) {
  throw Error(Status::order, "the files of this store are defined once", "Define everything before sv_enddef");
}

void Store::write_many(std::span<const SlabPart> parts) {
  for (const SlabPart &part : parts) write(part.slab, part.values);
}

void Store::read_many(std::span<const SlabPart> parts) {
  for (const SlabPart &part : parts) read(part.slab, part.values);
}

}  // namespace sv
