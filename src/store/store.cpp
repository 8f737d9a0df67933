#include "store/store.hpp"

#include "base/error.hpp"

namespace sv {

void Store::agree(const Error *error) {
  if (error != nullptr) throw Error(*error);
}

void Store::redefine(const Schema &) {
  throw Error(Status::order, "the files of this store are defined once", "Define everything before sv_enddef");
}

}  // namespace sv
