// The measurements of sv-probe. Every measurement is collective over the team and adds a sample to its results, equal
// on all ranks; it throws std::runtime_error on all of them if one fails.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "sample.hpp"
#include "samples.hpp"
#include "scratch.hpp"
#include "team.hpp"

namespace sv_probe {

struct Options {
  std::string directory = ".", output, json;
  std::string sample;  // FILE:VARIABLE, on which codecs are measured; empty: a field of the probe's own
  double budget_seconds = 120;
  int rounds = 5;
  int64_t burst_bytes = int64_t{1} << 30;  // at most, to find where storage becomes slower; 0: not looked for
  int64_t stripe_bytes = 0;                // 0: as the file system reports, or the waves show
  int targets = 0;                         // 0: as the waves show
  int ranks_per_node = 0;                  // 0: as MPI says
  bool quiet = false;
};

/// How a file lies on targets, as far as it is known.
struct Stripes {
  int64_t bytes = 1 << 20;
  int targets = 0;  // 0: not known, or storage is as one
  std::string how;  // it was found
};

struct Burst {
  Samples rates;            // of blocks, bytes per second
  int64_t block_bytes = 0;  // of all writers together
  int writers = 1;
  Fall fall;
};

/// Of a codec at a level, with shuffle: bytes of values a second, of one core, and of all cores of a node together.
struct CodecRates {
  Samples out, out_node, in, in_node;
  Samples ratio;  // bytes left of a byte
};

/// Rates in bytes per second, times in seconds.
struct Measured {
  Samples pack_one, pack_node;
  int packers = 1;  // that share a node in pack_node
  Samples message_seconds, message_rate;
  int message_pairs = 1;
  Curve agreement, put, open, writers;  // seconds; of a put; of the slowest open; bytes per second of all
  Samples writer_rate, write_seconds, target_rate, hand_over;
  Samples read_one, read_all, read_seconds, read_row;
  Samples core_turn;                       // of a rank whose core has others, too; none: every rank has a core
  Samples writer_core;                     // part of one writer's time for which it has a core
  Samples netcdf4_file, netcdf4_variable;  // of a file without values, and of each variable; none: not built in
  std::map<std::pair<std::string, int>, CodecRates> codecs;  // by library and level
  PolicyRates written_policies, synced_policies;             // of one writer; the same until all is on the disk
  bool refuses_direct = false;                               // the file system has no way past the page cache
  Stripes stripes;
  Burst burst;
};

constexpr int64_t call_bytes = 16 << 20, small_bytes = 4096;  // of a large write and of a small one

struct Bench {
  Team &team;
  Scratch &scratch;
  std::vector<char> data;  // of this rank: the data that are written and read; touched
  /// The bytes of each of so many writers in a measurement: whole calls, enough for about 0.1 s.
  std::map<int, int64_t> writer_bytes;
  Sample sample;  // for the codecs
};

void measure_packing(Bench &bench, Measured &measured);
/// Does nothing where every rank has a core.
void measure_turns(Bench &bench, Measured &measured);
void measure_messages(Bench &bench, Measured &measured);
void measure_agreements(Bench &bench, Measured &measured);
void measure_puts(Bench &bench, Measured &measured);
void measure_opening(Bench &bench, Measured &measured);
/// The curve of writers, the cost of a call, and the rate of one target where there are several.
void measure_writing(Bench &bench, Measured &measured);
/// Several pieces at a time, and past the page cache.
void measure_policies(Bench &bench, Measured &measured);
/// Reads the file of the last measure_writing, which all ranks wrote.
void measure_reading(Bench &bench, Measured &measured);
/// Of one reader, in the cache. Does nothing where there is no netCDF.
void measure_rows(Bench &bench, Measured &measured);
void measure_hand_overs(Bench &bench, Measured &measured);
/// Those that are built in.
void measure_codecs(Bench &bench, Measured &measured);
/// Does nothing where the store netcdf4 is not built in.
void measure_definitions(Bench &bench, Measured &measured);

/// Collective. The scratch file, on the ranks of the part; nullptr on the others.
std::unique_ptr<Opened> open_file(Bench &bench, Part part);
/// How much each number of writers has to write, for the measurements that follow.
void choose_sizes(Bench &bench);
/// Two writers show by their waiting for each other which stripes lie together.
Stripes find_stripes(Bench &bench, const Options &options);
/// Writes until the rate has fallen, or options.burst_bytes are written, or `seconds` are over.
Burst find_burst(Bench &bench, const Options &options, const Measured &measured, double seconds);

/// The least number of writers that reach nearly what any number does.
int enough_writers(const Measured &measured);

}  // namespace sv_probe
