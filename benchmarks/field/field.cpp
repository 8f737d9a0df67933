#include "field.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "describe.hpp"
#include "methods/methods.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

// Whether to run it where only these stores (none: none of them) are compared.
bool belongs(const Peer &peer, const std::vector<std::string> &stores) {
  const auto wanted = [&stores](const std::string &one) {
    return std::find(stores.begin(), stores.end(), one) != stores.end();
  };
  if (!peer.store.empty()) return wanted(peer.store);
  return stores.empty() || wanted(peer.name.substr(0, peer.name.find('.'))) || peer.name == "floor" ||
         peer.name == "sverdrup.auto";
}

void take_values(Block &block, const std::string &from) {
  const size_t colon = from.rfind(':');
  if (colon == std::string::npos || block.field.type.name != "float")
    throw std::invalid_argument("--values: give FILE:VARIABLE, and --type float");
  block.take(values_of_file(block, from.substr(0, colon), from.substr(colon + 1)));
}

/// What reads compressed files: all the same one.
void add_compressed_readers(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings,
                            const Compression &compression) {
  const std::string name = compression.reads_own ? "sverdrup.netcdf4.deflate" : "netcdf4.deflate";
  const auto maker = std::find_if(peers.begin(), peers.end(), [&](const Peer &each) { return each.name == name; });
  if (maker == peers.end()) return;
  const Input input{"deflate", maker->make};
  std::vector<Peer> readers{sverdrup_peer("sverdrup.netcdf4.deflate", block.workload(), true, Way::each, settings)};
  add_netcdf4_reader(readers, block);
  for (Peer &each : readers) {
    each.store = "netcdf4";
    each.input = input;
    peers.push_back(std::move(each));
  }
}

void run(const FieldOptions &mine, const Options &options) {
  Block block(field_of(mine), MPI_COMM_WORLD);
  if (!mine.values.empty()) take_values(block, mine.values);
  const Ranks layout{block.field.px, block.field.py};
  if (!options.describe.empty())
    return describe({"field", layout, 1, 0, {{"field", block.workload().schema}}}, options);
  std::vector<Peer> peers;
  for (Peer &peer : field_peers(block, options.settings, mine.stores, mine.compression)) {
    if (belongs(peer, mine.stores)) peers.push_back(std::move(peer));
  }
  const Field &field = block.field;
  std::string title;
  for (const int64_t length : field.shape) title += (title.empty() ? "" : "x") + std::to_string(length);
  title += " " + field.type.name + ", divided " + std::to_string(field.px) + "x" + std::to_string(field.py);
  const Case what{
      "field", title, {{"shape", field.shape}, {"layout", {field.px, field.py}}, {"type", field.type.name}}};
  measure(what, block.workload(), peers, options);
}

}  // namespace

void add_field_options(CLI::App &app, FieldOptions &options) {
  const auto read_shape = [&options](const std::string &text) {
    const std::vector<int64_t> numbers = lengths(text);
    if (numbers.size() < 2 || numbers.size() > 3)
      throw CLI::ValidationError("--shape: give levels x rows x columns, or rows x columns, not '" + text + "'");
    options.shape = {numbers.size() == 3 ? numbers[0] : 1, numbers[numbers.size() - 2], numbers.back()};
  };
  app.add_option_function<std::string>(
      "--shape", read_shape, "lengths of the dimensions, slowest first: levels x rows x columns (50x1080x1440)");
  add_layout(app, options.px, options.py);
  app.add_option("--type", options.type, "type of the values: double, float or int (double)")
      ->check(CLI::IsMember({"double", "float", "int"}));
}

Field field_of(const FieldOptions &options) {
  Field field{options.shape, options.px, options.py, element_type(options.type)};
  complete_layout(field.px, field.py);
  return field;
}

std::vector<Peer> field_peers(const Block &block, const std::vector<std::string> &settings,
                              std::vector<std::string> stores, const Compression &compression) {
  const Workload &workload = block.workload();
  std::vector<Peer> peers;
  add_sverdrup_routes(peers, block, settings);
  peers.push_back(window_peer("floor", workload, false));
  peers.push_back(pnetcdf_peer("pnetcdf", workload, false, Way::each));
  add_netcdf4(peers, block, compression);
  add_sverdrup_stores(peers, block, settings, stores, compression);
  add_serial_netcdf(peers, block, compression);
  add_file_per_rank(peers, block);
  peers.push_back(sverdrup_peer("sverdrup", workload, true, Way::each, settings));
  peers.push_back(pread_peer(workload));
  peers.push_back(pnetcdf_peer("pnetcdf", workload, true, Way::each));
  add_deflate_floor(peers, block, compression);
  add_compressed_readers(peers, block, settings, compression);
  return peers;
}

Command field_command() {
  const auto mine = std::make_shared<FieldOptions>();
  const auto add_options = [mine](CLI::App &app) {
    add_field_options(app, *mine);
    app.add_option("--store", mine->stores,
                   "stores of Sverdrup that are measured, too, and compared with direct calls of the same library")
        ->delimiter(',');
    app.add_option("--deflate", mine->compression.level, "level of compression, where files are compressed (1)")
        ->check(CLI::Range(1, 9));
    app.add_option_function<std::string>(
        "--chunk", [mine](const std::string &text) { mine->compression.chunk = lengths(text); },
        "cells of a chunk, where files are compressed, slowest first (1x270x360); by default what each method chooses");
    app.add_flag("--own", mine->compression.reads_own,
                 "compressed files that are read are made by Sverdrup; without it by netCDF-C");
    app.add_option("--values", mine->values, "values of the field: FILE:VARIABLE of a netCDF file, with --type float");
  };
  return {"field", "writes and reads a field that is divided into blocks, by every route and by other libraries",
          add_options, [mine](const Options &options) { run(*mine, options); }, true};
}

}  // namespace sv_bench
