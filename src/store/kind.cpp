#include "store/kind.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/this_library.hpp"
#include "store/positional_file.hpp"
#include "store/store_counters.hpp"

namespace sv {

namespace {

namespace fs = std::filesystem;

/// By its first bytes. False where there is none.
bool is_hdf5(const std::string &path) {
  if (presence_of(path) != Presence::file) return false;
  constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  std::array<std::byte, 8> bytes{};
  StoreCounters counters;
  PositionalFile file(path, PositionalFile::Mode::read);
  return file.read(0, bytes, counters) == 8 && std::memcmp(bytes.data(), signature.data(), 8) == 0;
}

/// By its metadata, also of version 2, so that the error can say that only version 3 can be read.
bool is_zarr(const std::string &path) {
  if (presence_of(path) != Presence::directory) return false;
  for (const char *name : {"/zarr.json", "/.zgroup", "/.zarray"})
    if (presence_of(path + name) == Presence::file) return true;
  return false;
}

bool is_no_other(const std::string &path) { return !is_hdf5(path) && !is_zarr(path); }

/// "sverdrup" in the folder of the library that this code is in; of a program that holds the code itself, the folder in
/// the build's libraries. Empty where the library cannot be located: never relative to the working directory.
fs::path plug_ins() {
  const fs::path folder = file_of_this_library().parent_path();
  if (folder.empty()) return {};
  const fs::path installed = folder / "sverdrup", built = folder.parent_path() / "lib/sverdrup";
  return fs::exists(installed) || !fs::exists(built) ? installed : built;
}

}  // namespace

bool StoreKind::takes(Format format) const { return std::count(formats.begin(), formats.end(), format) > 0; }

const std::vector<StoreKind> &store_kinds() {
  const auto cdf = {Format::automatic, Format::cdf1, Format::cdf2, Format::cdf5};
  const auto netcdf4 = {Format::netcdf4, Format::netcdf4_classic};
  // Never destroyed: a program may close its files while it ends.
  static const std::vector<StoreKind> &table = *new std::vector<StoreKind>{
      {.name = "cdf",
       .formats = cdf,
       .knows = is_no_other,
       .placing = Placing::in_file,
       .byte_order = ByteOrder::big,
       .is_plug_in = false,
       .has_all_calls = true,
       .may_have_thread = true,
       .has_tunable_writes = true,
       .exposes_offsets = true},
      {.name = "pnetcdf", .formats = cdf, .knows = is_no_other, .placing = Placing::in_file, .has_team = true},
      {.name = "netcdf4",
       .formats = netcdf4,
       .knows = is_hdf5,
       .placing = Placing::by_chunk,
       .has_team = true,
       .may_have_thread = true,
       .has_tunable_writes = true,
       .exposes_offsets = true},
      // HDF5 lets several ranks lengthen a variable only if it was made for that, which netCDF does not report.
      {.name = "netcdf4_library",
       .formats = netcdf4,
       .knows = is_hdf5,
       .placing = Placing::in_chunks,
       .has_team = true,
       .has_single_appender = true},
      {.name = "zarr",
       .formats = {Format::zarr},
       .knows = is_zarr,
       .placing = Placing::by_chunk,
       .has_team = true,
       .may_have_thread = true,
       .is_folder = true,
       .has_only_chunks = true}};
  return table;
}

std::vector<std::string> store_names() {
  std::vector<std::string> names, others;
  for (const StoreKind &kind : store_kinds()) names.push_back(kind.name);
  std::error_code none;
  for (const fs::directory_entry &each : fs::directory_iterator(plug_ins(), none)) {
    const std::string file = each.path().stem().string(), name = file.substr(file.find('_') + 1);
    if (file == "store_" + name && each.path().extension() == ".so" &&
        std::count(names.begin(), names.end(), name) == 0)
      others.push_back(name);
  }
  std::sort(others.begin(), others.end());
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

std::string plug_in_path(const std::string &name) {
  const fs::path folder = plug_ins();
  return folder.empty() ? "" : folder / ("store_" + name + ".so");
}

}  // namespace sv
