#include "store/objects.hpp"

#include "base/error.hpp"

namespace sv {

std::optional<std::string> Objects::text(const std::string &name, int64_t most_bytes, StoreCounters &counters) const {
  const std::unique_ptr<Object> object = open(name);
  if (object == nullptr) return std::nullopt;
  const int64_t bytes = object->size();
  if (bytes > most_bytes)
    throw Error(Status::format, "it has " + std::to_string(bytes) + " bytes, more than any that Sverdrup reads",
                "The file is damaged, or no Zarr metadata")
        .in_file(object->path());
  std::string all(static_cast<size_t>(bytes), '\0');
  all.resize(static_cast<size_t>(object->read(0, std::as_writable_bytes(std::span(all)), counters)));
  return all;
}

}  // namespace sv
