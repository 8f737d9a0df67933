// The settings: one YAML file, environment variables over it, arguments over both. Values; no MPI.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/route.hpp"
#include "store/store.hpp"

namespace sv {

/// What a commit promises (DESIGN 8): the data survive the death of the processes, or of the node.
enum class Durability { written, on_disk };

/// What may differ from file to file.
struct FileSettings {
  RouteRequest route;                           // route, io_layout, writers
  Format format = Format::automatic;            // format: auto | cdf1 | cdf2 | cdf5
  Kind kind = Kind::published;                  // kind: published | growing
  Durability durability = Durability::written;  // durability: written | on_disk
  int64_t stripe_bytes = 0;                     // stripe: bytes ("1MiB"); 0 = of the file system, else 1 MiB
  int64_t header_reserve_bytes = 4096;          // header_reserve
  bool fill = true;                             // fill: whether variables nobody wrote are filled
};

enum class Transport { automatic, place, send };

struct Settings {
  FileSettings file;                                          // the defaults
  std::vector<std::pair<std::string, FileSettings>> patterns;  // files: "restart*.nc": {route: serial}; first match wins
  Transport transport = Transport::automatic;                 // transport: auto | place | send
  int64_t window_bytes = 64 << 20;                            // window: both halves of a node's pool together
  double watchdog_seconds = 300;                              // watchdog: how long a rank is awaited; 0 = for ever
  int ranks_per_node = 0;                                     // ranks_per_node: pretended nodes; 0 = what MPI says
  std::string summary;                                        // summary: path of the JSON, "" = none
  bool table = false;                                         // table: print the table of metrics at the end

  /// The settings of a file: of the first pattern (shell wildcards, on the path's last component or the whole path) that
  /// matches, otherwise the defaults.
  const FileSettings &for_file(const std::string &path) const;
};

/// Where a value came from, for messages: "sverdrup.yaml, line 7", "environment variable SV_ROUTE", "argument 'route=x'".
/// `path` empty: no file. `environment(name)`: the variable's value, if set. `options`: "key=value". A file that exists
/// in a build without yaml-cpp is Error(not_compiled). Unknown keys and bad values are Error(config), naming key, place
/// and the nearest valid key or value.
Settings load_settings(const std::string &path, const std::function<std::optional<std::string>(const std::string &)> &environment,
                       const std::vector<std::string> &options);

/// Every key with its value in force and where it came from ("default" included), for the summary: JSON object text.
std::string settings_json(const Settings &settings);

}  // namespace sv
