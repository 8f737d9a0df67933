#include "kept_storage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "copying.hpp"

namespace sv_tools {

namespace {

struct Default {
  std::string key, value;
  std::string group = "";  // whose name stands for the key
};

/// Whether the settings, or the configuration, have another value than the default for one of these.
bool are_set(const sv_context *io, const std::string &out, const std::vector<std::string> &settings,
             const std::vector<Default> &keys) {
  return std::ranges::any_of(keys, [&](const Default &each) {
    const auto sets = [&](const std::string &one) {
      const std::string name = one.substr(0, one.find('='));
      return name == each.key || name == each.group;
    };
    if (std::ranges::any_of(settings, sets)) return true;
    size_t length = 0;
    must(sv_inq_setting(io, out.c_str(), each.key.c_str(), &length, nullptr));
    std::string value(length + 1, '\0');
    must(sv_inq_setting(io, out.c_str(), each.key.c_str(), &length, value.data()));
    value.resize(length);
    return value != each.value;
  });
}

constexpr int netcdf4 = 3, netcdf4_classic = 4, zarr = 10;

int format_of(const sv_file *file) {
  int format = 0;
  must(sv_inq_format(file, &format));
  return format;
}

bool has_storage(int format) { return format == netcdf4 || format == netcdf4_classic || format == zarr; }

/// A dimension that grows in one file may have a fixed length in the other.
void keep_chunks(sv_file *from, int from_var, sv_file *to, int to_var, bool may_be_contiguous) {
  int storage = SV_CONTIGUOUS, dims = 0, count = 0;
  std::array<int64_t, SV_MAX_DIMS> lengths{};
  std::array<int, SV_MAX_DIMS> ids{};
  must(sv_inq_var_chunking(from, from_var, &storage, lengths.data()));
  must(sv_inq_unlimdims(to, &count, nullptr));
  std::vector<int> unlimited(static_cast<size_t>(count));
  must(sv_inq_unlimdims(to, &count, unlimited.data()));
  must(sv_inq_var(to, to_var, nullptr, nullptr, &dims, ids.data(), nullptr));
  bool grows = false;
  for (size_t d = 0; d < static_cast<size_t>(dims); ++d) {
    const bool is_unlimited = std::ranges::find(unlimited, ids[d]) != unlimited.end();
    grows = grows || is_unlimited;
    int64_t length = 0;
    must(sv_inq_dim(to, ids[d], nullptr, &length));
    if (!is_unlimited) lengths[d] = std::clamp<int64_t>(lengths[d], 1, std::max<int64_t>(length, 1));
  }
  if (storage == SV_CHUNKED && dims > 0) must(sv_def_var_chunking(to, to_var, SV_CHUNKED, lengths.data()));
  if (storage == SV_CONTIGUOUS && may_be_contiguous && !grows && format_of(from) != zarr)
    must(sv_def_var_chunking(to, to_var, SV_CONTIGUOUS, nullptr));
}

struct Filters {
  int shuffle = 0, deflate = 0, zstd = 0, sum = 0;
  bool has_blosc = false;
  std::string unknown;  // in words
};

Filters filters_of(sv_file *file, int var) {
  Filters all;
  must(sv_inq_var_deflate(file, var, &all.shuffle, &all.deflate));
  must(sv_inq_var_zstandard(file, var, &all.zstd));
  must(sv_inq_var_fletcher32(file, var, &all.sum));
  size_t count = 0;
  std::array<unsigned, SV_MAX_FILTERS> ids{};
  must(sv_inq_var_filter_ids(file, var, &count, ids.data()));
  for (size_t f = 0; f < std::min(count, ids.size()); ++f) {
    const unsigned id = ids[f];
    const bool is_known =
        id == SV_FILTER_DEFLATE || id == SV_FILTER_SHUFFLE || id == SV_FILTER_FLETCHER32 || id == SV_FILTER_ZSTD;
    const bool is_blosc = id == SV_FILTER_BLOSC && all.deflate + all.zstd > 0;
    all.has_blosc = all.has_blosc || is_blosc;
    if (!is_known && !is_blosc) all.unknown += (all.unknown.empty() ? "filter " : " and ") + std::to_string(id);
  }
  return all;
}

/// NetCDF-4 files with Zstandard need a plug-in to be read, which Zarr does not.
std::string keep_filters(sv_file *from, int from_var, sv_file *to, int to_var) {
  Filters all = filters_of(from, from_var);
  const bool from_group = format_of(from) == zarr, to_group = format_of(to) == zarr;
  if (all.zstd > 0 && from_group && !to_group) {
    all.unknown += (all.unknown.empty() ? "" : " and ") + std::string("Zstandard");
    all.zstd = 0;
  }
  const int shuffle = from_group && !to_group ? 1 : all.shuffle;  // Zarr shuffles inside of Blosc only
  if (all.has_blosc && to_group) {
    constexpr unsigned zlib = 4, zstd = 5;
    const std::array<unsigned, 3> params{static_cast<unsigned>(std::min(all.deflate + all.zstd, 9)),
                                         static_cast<unsigned>(all.shuffle), all.zstd > 0 ? zstd : zlib};
    must(sv_def_var_filter(to, to_var, SV_FILTER_BLOSC, params.size(), params.data()));
  } else if (all.deflate > 0) {
    must(sv_def_var_deflate(to, to_var, shuffle, all.deflate));
  } else if (all.zstd > 0) {
    must(sv_def_var_deflate(to, to_var, shuffle, 0));
    must(sv_def_var_zstandard(to, to_var, all.zstd));
  }
  if (all.sum != 0) must(sv_def_var_fletcher32(to, to_var, 1));
  return all.unknown;
}

}  // namespace

KeptStorage kept_storage(const sv_context *io, const std::string &out, const std::vector<std::string> &settings) {
  const bool has_chunks = are_set(
      io, out, settings, {{"chunks.shape", "auto", "chunks"}, {"chunks.layout", "none"}, {"chunks.records", "0"}});
  const bool has_filters = are_set(io, out, settings,
                                   {{"compression.codec", "none", "compression"},
                                    {"compression.shuffle", "true"},
                                    {"compression.checksum", "false"}});
  return {.chunks = !has_chunks, .filters = !has_filters};
}

std::string keep_storage(sv_file *from, int from_var, sv_file *to, int to_var, const KeptStorage &kept) {
  if (!has_storage(format_of(from)) || !has_storage(format_of(to))) return "";
  std::string lost;
  int endian = SV_ENDIAN_NATIVE;
  must(sv_inq_var_endian(from, from_var, &endian));
  if (endian != SV_ENDIAN_NATIVE) must(sv_def_var_endian(to, to_var, endian));
  if (kept.chunks) keep_chunks(from, from_var, to, to_var, kept.filters);
  if (kept.filters) lost = keep_filters(from, from_var, to, to_var);
  return lost;
}

}  // namespace sv_tools
