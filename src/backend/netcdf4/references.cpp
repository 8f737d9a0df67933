#include "backend/netcdf4/references.hpp"

namespace sv::netcdf4 {

namespace {

Error unreported(const std::string &cause, const Variable &variable) {
  return Error(Status::format, cause + ", which a virtual index cannot describe",
               "Set 'virtual_index: false' for this file")
      .in_variable(variable.name);
}

/// As numcodecs has it.
std::string codec_text(const Filter &filter, Type type) {
  const auto text = [](const char *name, const char *member, int64_t number) {
    return std::string(R"({"id":")") + name + R"(",")" + member + "\":" + std::to_string(number) + "}";
  };
  switch (filter.kind) {
    case FilterKind::shuffle:
      return text("shuffle", "elementsize", size_of(type));
    case FilterKind::deflate:
      return text("zlib", "level", filter.level);
    case FilterKind::zstd:
      return text("zstd", "level", filter.level);
    case FilterKind::fletcher32:
    case FilterKind::sz3:
    case FilterKind::zfp:
      break;
  }
  return R"({"id":"fletcher32"})";
}

std::vector<std::string> codecs(const Storage &storage, const Variable &variable) {
  constexpr int64_t bytes_of_sum = 4;
  std::vector<std::string> texts;
  bool has_sum = false;
  for (const Filter &each : storage.filters) {
    if (is_plug_in(each.kind)) throw unreported("a plug-in of HDF5 encodes its values", variable);
    has_sum = has_sum || each.kind == FilterKind::fletcher32;
    if (has_sum && each.kind == FilterKind::shuffle && bytes_of_sum % size_of(variable.type) != 0)
      throw unreported("values of 8 bytes are shuffled together with their checksum", variable);
    texts.push_back(codec_text(each, variable.type));
  }
  return texts;
}

}  // namespace

StoredVariable stored_variable(const PlacedSchema &schema, int v, const FileIndex &index) {
  const Variable &variable = schema.variables[static_cast<size_t>(v)];
  const Storage &storage = index.storages()[static_cast<size_t>(v)];
  if (storage.kind == Storage::Kind::foreign || storage.is_swapped)
    throw unreported("it has another byte order, or unknown filters", variable);
  if (!storage.has_chunks()) return stored_in_one_piece(schema, variable, storage.place, 0);
  StoredVariable stored;
  stored.chunk = storage.chunk;
  stored.filters = codecs(storage, variable);
  stored.find = [&variable, &index, v](const Index &cell) -> std::optional<StoredVariable::Range> {
    const auto found = index.find(v, cell);
    if (!found) return std::nullopt;
    if (found->mask != 0) throw unreported("a chunk has not passed through all filters", variable);
    return StoredVariable::Range{found->place, found->bytes};
  };
  return stored;
}

}  // namespace sv::netcdf4
