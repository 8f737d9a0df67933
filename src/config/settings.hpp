// The settings, as values with their defaults: those of the run, and those that may differ from file to file. The
// engine reads them everywhere; only the configuration (config/configuration.hpp) sets them, by their keys
// (config/keys.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/convert.hpp"
#include "config/write_profile.hpp"
#include "model/chunks.hpp"
#include "plan/roles.hpp"
#include "plan/route.hpp"
#include "plan/stripe_choice.hpp"
#include "store/owner.hpp"

namespace sv {

/// The guarantee of a commit: the data survive the end of the processes, or the loss of the node. Ordered: records
/// count when they are on the disk, but no step waits for it.
enum class Durability { written, on_disk, ordered };

/// The ranks that read distributed fields: each rank its own part, independently or (where the store has collective
/// calls) all together; or the writers (or servers) whole ranges, which they distribute. Automatic: the writers, unless
/// neither memory nor the file system is shared.
enum class Reading { automatic, self, collective, writers, servers };

/// The time when other hosts see written data: by the type of the file system; immediately; or after synchronisation.
enum class Visibility { automatic, at_once, late };

/// Through which MPI-IO: ROMIO, or the MPI library's own choice.
enum class MpiIo { romio, library };
/// MPI-IO hints by name.
using HintMap = std::map<std::string, std::string>;

/// By key: where its value came from, "sverdrup.yaml:7", "SV_ROUTE" or "argument". Keys with their default are not in
/// it.
using Origins = std::map<std::string, std::string>;

/// Whether ordinary puts are carried out at once, or recorded and combined at the end of the step.
enum class Combine { off, step };
/// Result of requests of one call or wait that put the same cells: an error, or the later one wins.
enum class Overlap { refuse, allow };

/// Whether large writes bypass the page cache.
enum class DirectIo { automatic, off, on };

/// Whether one file has all variables, or each data variable a file of its own.
enum class FileLayout { one_file, per_variable };

/// Settings that may differ from file to file.
struct FileSettings {
  RouteRequest route;                           // route, io_layout, writers
  std::string store = "auto";                   // store: auto | a name of store/kind.hpp
  Format format = Format::automatic;            // format: auto | cdf1 | cdf2 | cdf5 | netcdf4 | netcdf4_classic | zarr
  ChunkRequest chunks;                          // chunks.*, compression.*
  HintMap hints;                                // mpi_io.cb_nodes and so on
  MpiIo mpi_io = MpiIo::romio;                  // mpi_io.implementation: romio | library
  FileLayout layout = FileLayout::one_file;     // layout: one_file | per_variable
  bool virtual_index = false;                   // virtual_index: whether a file of references is written next to it
  bool is_literal = false;                      // the path is a name as it stands: %v in it has no meaning
  std::string variable_file;                    // layout: per_variable:NAME
  Kind kind = Kind::published;                  // kind: published | growing
  Durability durability = Durability::written;  // durability: written | on_disk | ordered
  Visibility visibility = Visibility::automatic;  // file_system.visibility: auto | at_once | late
  Reading reading = Reading::automatic;           // reading.ranks: auto | self | collective | writers | servers
  bool fills_missing_pieces = false;              // reading.missing_pieces: error | fill
  bool read_ahead = false;                        // reading.ahead: whether reads of records ask for the next one
  bool untrusted = false;                         // reading.untrusted: files that are read may do harm
  int64_t stripe_bytes = 0;                  // file_system.stripe: bytes ("1MiB"); 0 = of the file system, else 1 MiB
  StripeRequest stripes;                     // file_system.stripe_count, file_system.overstriping
  int write_depth = 0;                       // file_system.write_depth: large writes at a time; 0 = auto
  DirectIo direct_io = DirectIo::automatic;  // file_system.direct_io: auto | off | on
  int64_t header_reserve_bytes = 4096;       // header_reserve
  bool fill = true;                          // fill: whether unwritten variables are filled
  RangeError out_of_range = RangeError::clamp;  // out_of_range: clamp | fill | error
  Combine combine = Combine::off;               // combine.mode: off | step
  int64_t combine_buffer_bytes = 256 << 20;     // combine.memory: of puts that are copied, per rank and file
  Overlap overlap = Overlap::refuse;            // overlap: error | allow
  PointRequest points;                          // points.*
  bool take_over = true;                        // take_over: of programs that were never ported
  GroupRequest server_group;                    // async.group: auto | none | number, from 1
  Origins from;
};

enum class Transport { automatic, place, send };

/// The time when data are sent to servers on other nodes: within the call, during the computing, or during the
/// computing but not while the model communicates (Huang et al. 2013, section 3.3, and its further work).
enum class Forwarding { synchronous, asynchronous, paced };

struct Settings {
  FileSettings file;  // the defaults
  std::vector<std::pair<std::string, FileSettings>>
      patterns;                                     // files: "restart*.nc": {route: serial}; first match wins
  Transport transport = Transport::automatic;       // transport.mode: auto | place | send
  int64_t window_bytes = 64 << 20;                  // transport.window: both halves of a node's pool together
  std::string machine;                              // file_system.profile: path of the profile of sv-probe, "" = none
  WriteProfile profile;                             // the part of that profile about writing
  double watchdog_seconds = 1200;                   // watchdog.time: how long a rank is awaited; 0 = for ever
  bool watchdog_abort = true;                       // watchdog.abort: ranks stuck inside a library end the job
  int ranks_per_node = 0;                           // testing.ranks_per_node: pretended nodes; 0 = what MPI says
  ServerRequest servers;                            // async.mode, async.placement, async.groups
  std::vector<int> server_turns;                    // testing.turns: steps in turn with and without threads; {} = auto
  int64_t server_memory_bytes = 256 << 20;          // async.memory: of each node, for data under way to and in servers
  int server_threads = 1;                           // compression.threads: with which a server compresses chunks
  Forwarding forwarding = Forwarding::synchronous;  // async.forwarding: synchronous | asynchronous | paced
  int64_t pace_bytes = 0;          // async.forwarding: bytes a second that a node sends when paced; 0: no limit
  std::string component;           // async.component: may differ between ranks
  std::string summary;             // summary.file: path of the JSON, "" = none
  bool table = false;              // summary.table: print the table of metrics at the end
  std::string trace;               // trace.folder: folder of the ranks' step records, "" = none
  int64_t trace_bytes = 32 << 20;  // trace.memory: of each rank, for the latest events
  Origins from;
  std::vector<std::string> notes;     // accepted namelist keys without an effect; for the summary
  std::vector<std::string> warnings;  // unknown variables: each for a line on stderr, and for the summary

  /// The settings of a file: of the first pattern (shell wildcards, on the path's last component or the whole path)
  /// that matches, otherwise the defaults.
  const FileSettings &for_file(const std::string &path) const;
};

}  // namespace sv
