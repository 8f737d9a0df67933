// The benchmark of one distributed field, and the methods that it alone compares.
#pragma once

#include <string>
#include <vector>

#include "block.hpp"
#include "command.hpp"
#include "method.hpp"

namespace sv_bench {

/// How files are compressed that are.
struct Compression {
  int level = 1;
  std::vector<int64_t> chunk;  // cells, slowest first; empty: each method's own choice
  bool reads_own = false;      // the file to read is Sverdrup's; false: netCDF-C's
};

struct FieldOptions {
  std::array<int64_t, 3> shape{50, 1080, 1440};  // levels, rows, columns
  int px = 0, py = 0;                            // 0: as square as the ranks allow
  std::string type = "double";
  std::vector<std::string> stores;  // compared with the same library called directly
  Compression compression;
  std::string values;  // "FILE:VARIABLE", whose values the field has; "": numbers that show their position
};

/// "--shape", "--layout", "--type".
void add_field_options(CLI::App &app, FieldOptions &options);
/// Collective. Throws std::invalid_argument, on all ranks alike.
Field field_of(const FieldOptions &options);

/// All of them, in the order of the rounds. `settings`: "key=value", for all of Sverdrup's. `stores`: Sverdrup's
/// stores besides cdf.
std::vector<Peer> field_peers(const Block &block, const std::vector<std::string> &settings,
                              std::vector<std::string> stores, const Compression &compression = {});

/// This rank's block of a variable of a netCDF file: of its first record, and where the field is larger, again from the
/// beginning. Throws std::runtime_error.
std::vector<float> values_of_file(const Block &block, const std::string &path, const std::string &variable);

// Each by a file of its own in peers/.
void add_sverdrup_routes(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings);
void add_sverdrup_stores(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings,
                         const std::vector<std::string> &stores, const Compression &compression);
void add_netcdf4(std::vector<Peer> &peers, const Block &block, const Compression &compression);
void add_serial_netcdf(std::vector<Peer> &peers, const Block &block, const Compression &compression);
/// Of such a file.
void add_netcdf4_reader(std::vector<Peer> &peers, const Block &block);
/// The least that writing and reading such files costs.
void add_deflate_floor(std::vector<Peer> &peers, const Block &block, const Compression &compression);
void add_file_per_rank(std::vector<Peer> &peers, const Block &block);

}  // namespace sv_bench
