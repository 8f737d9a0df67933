#include "config/keys.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <type_traits>

#include "config/server_values.hpp"
#include "config/store_values.hpp"
#include "config/values.hpp"

namespace sv {

namespace {

constexpr int64_t page_bytes = 4096;
constexpr int64_t least_window_bytes = 16 * page_bytes;  // two halves, two stages, three areas, a page each
constexpr int64_t least_server_bytes = 1 << 20;
constexpr int64_t least_trace_bytes = 1 << 20;

template <class Owner, class T>
Key key(std::string name, T Owner::*member, const Codec<T> &codec, std::string meaning) {
  constexpr bool per_file = std::is_same_v<Owner, FileSettings>;
  const auto owner = [](auto &settings, auto &file) -> auto & {
    if constexpr (per_file)
      return file;
    else
      return settings;
  };
  return {
      std::move(name),
      codec.type,
      codec.allowed,
      std::move(meaning),
      per_file,
      [=](Settings &settings, FileSettings &file, const std::string &text) {
        codec.read(text, owner(settings, file).*member);
      },
      [=](const Settings &settings, const FileSettings &file) { return codec.text(owner(settings, file).*member); },
      [=](const Settings &settings, const FileSettings &file) { return codec.json(owner(settings, file).*member); }};
}

/// What writes a file, and how it stores variables.
std::vector<Key> store_keys() {
  using F = FileSettings;
  const auto formats = word_codec<Format>({{"auto", Format::automatic},
                                           {"cdf1", Format::cdf1},
                                           {"cdf2", Format::cdf2},
                                           {"cdf5", Format::cdf5},
                                           {"netcdf4", Format::netcdf4},
                                           {"netcdf4_classic", Format::netcdf4_classic}});
  const auto stores = word_codec<StoreName>({{"auto", StoreName::automatic},
                                             {"cdf", StoreName::cdf},
                                             {"pnetcdf", StoreName::pnetcdf},
                                             {"netcdf4", StoreName::netcdf4}});
  const auto mpi_ios = word_codec<MpiIo>({{"romio", MpiIo::romio}, {"library", MpiIo::library}});
  return {
      key("store", &F::store, stores, "what writes the file; auto: our own CDF store, or netcdf4 for its formats"),
      key("format", &F::format, formats,
          "format of the file; auto is CDF-2 while types and sizes fit, otherwise CDF-5; of the store netcdf4, "
          "netcdf4"),
      key("chunks", &F::chunks, chunks_codec(), "netCDF-4: how variables are cut into chunks"),
      key("chunk_layout", &F::chunks, chunk_layout_codec(),
          "netCDF-4: segments of the global x and y axes, each a chunk of all levels of one record"),
      key("deflate", &F::chunks, deflate_codec(), "netCDF-4: level of compression; 0: none"),
      key("shuffle", &F::chunks, shuffle_codec(), "netCDF-4: whether bytes are shuffled before they are compressed"),
      key("quantize", &F::chunks, quantize_codec(), "netCDF-4: bits of the mantissa that are kept (BitRound); 0: all"),
      key("mpi_io", &F::mpi_io, mpi_ios, "which MPI-IO the stores pnetcdf and netcdf4 go through"),
      key("cb_nodes", &F::hints, hint_codec("cb_nodes"), "MPI-IO hint: number of aggregators"),
      key("cb_config_list", &F::hints, hint_codec("cb_config_list"), "MPI-IO hint: which ranks aggregate"),
      key("cb_buffer_size", &F::hints, hint_codec("cb_buffer_size"), "MPI-IO hint: bytes of an aggregator's buffer"),
      key("striping_factor", &F::hints, hint_codec("striping_factor"), "MPI-IO hint: number of stripes of a new file"),
      key("striping_unit", &F::hints, hint_codec("striping_unit"), "MPI-IO hint: bytes of a stripe of a new file"),
  };
}

/// What becomes of points.
std::vector<Key> point_keys() {
  using F = FileSettings;
  const auto partitions = word_codec<Partition>(
      {{"ranges", Partition::ranges}, {"cells", Partition::cells}, {"levels", Partition::levels}});
  const auto accesses =
      word_codec<FileAccess>({{"combined", FileAccess::combined}, {"independent", FileAccess::independent}});
  return {
      key("partition", &F::points, member_codec(&PointRequest::partition, partitions),
          "points: writers own ranges of the file, or parts of the grid's first dimension, or of the slowest other "
          "one"),
      key("primaries", &F::points, member_codec(&PointRequest::primaries, count_codec()),
          "points: so many of the writers collect them, put them in order and pass them on; 0: each rank sends to the "
          "writers"),
      key("reorder", &F::points, member_codec(&PointRequest::reorder, switch_codec()),
          "points: put in the order of the file before they are written, or written as they come, for comparison"),
      key("file_access", &F::access, accesses,
          "the file stays open, or is opened and closed for every put, for comparison; store cdf"),
  };
}

/// What else may differ from file to file.
std::vector<Key> file_keys() {
  using F = FileSettings;
  const auto kinds = word_codec<Kind>({{"published", Kind::published}, {"growing", Kind::growing}});
  const auto durabilities = word_codec<Durability>(
      {{"written", Durability::written}, {"on_disk", Durability::on_disk}, {"ordered", Durability::ordered}});
  const auto readings = word_codec<Reading>({{"auto", Reading::automatic},
                                             {"self", Reading::self},
                                             {"collective", Reading::collective},
                                             {"writers", Reading::writers},
                                             {"servers", Reading::servers}});
  const auto misfits =
      word_codec<Misfit>({{"clamp", Misfit::clamp}, {"fill", Misfit::fill}, {"error", Misfit::refuse}});
  return {
      key("route", &F::route, route_name_codec(), "how data get from those who own them to those who write them"),
      key("io_layout", &F::route, io_layout_codec(), "numbers of I/O domains whose data are collected, x first"),
      key("writers", &F::route, writers_codec(), "who writes: the I/O PEs themselves, or owners of ranges of the file"),
      key("kind", &F::kind, kinds, "appears when complete, or grows record by record under its final name"),
      key("durability", &F::durability, durabilities,
          "a commit survives the processes, or the node; or records count once they survive the node"),
      key("reading", &F::reading, readings,
          "who reads distributed fields: each rank its own part, alone or together, or the writers (or servers), which "
          "distribute"),
      key("stripe", &F::stripe_bytes, size_codec(page_bytes, Zero::valid),
          "unit of ownership in the file; 0: that of the file system, else 1 MiB"),
      key("header_reserve", &F::header_reserve_bytes, size_codec(0, Zero::valid),
          "bytes left free after the header, so that it can grow; they are taken on the disk when the file is made"),
      key("fill", &F::fill, switch_codec(), "whether variables that nobody wrote are filled"),
      key("out_of_range", &F::out_of_range, misfits,
          "values that do not fit their type: the nearest one that does, the fill value, or an error"),
      key("combine", &F::combine, word_codec<Combine>({{"off", Combine::off}, {"step", Combine::step}}),
          "puts are carried out at once, or recorded and combined at the end of the step"),
      key("combine_buffer", &F::combine_buffer_bytes, size_codec(0, Zero::valid),
          "memory of each rank for the values of recorded and buffered puts"),
      key("overlap", &F::overlap, word_codec<Overlap>({{"error", Overlap::refuse}, {"allow", Overlap::allow}}),
          "requests of one call or wait, and sub-arrays of sv_put_vara and sv_put_vars, that put the same cells: an "
          "error, or the later one of a rank, and the higher rank, wins"),
      key("server_group", &F::server_group, server_group_codec(),
          "which servers write the file; auto: the groups in turn; none: the ranks of the model themselves"),
  };
}

/// What holds for the whole run.
std::vector<Key> run_keys() {
  using S = Settings;
  const auto transports =
      word_codec<Transport>({{"auto", Transport::automatic}, {"place", Transport::place}, {"send", Transport::send}});
  return {
      key("transport", &S::transport, transports, "inside a node: shared windows, or messages only"),
      key("window", &S::window_bytes, size_codec(least_window_bytes, Zero::refused),
          "shared memory of a node for data under way"),
      key("watchdog", &S::watchdog_seconds, duration_codec(),
          "how long a rank is awaited before it is an error; 0: for ever"),
      key("watchdog_abort", &S::watchdog_abort, switch_codec(),
          "whether ranks that are stuck inside another library for so long end the job"),
      key("ranks_per_node", &S::ranks_per_node, count_codec(),
          "pretends that so many ranks share a node; 0: what MPI says"),
      key("summary", &S::summary, path_codec(), "where the JSON summary is written at the end; empty: nowhere"),
      key("table", &S::table, switch_codec(), "whether the table of metrics is printed at the end"),
      key("trace", &S::trace, path_codec(),
          "folder in which every rank records what it does, step by step, for the report; empty: nothing is recorded"),
      key("trace_memory", &S::trace_bytes, size_codec(least_trace_bytes, Zero::refused),
          "room for the latest events of each rank; totals are complete all the same"),
  };
}

/// Ranks that serve.
std::vector<Key> server_keys() {
  using S = Settings;
  const auto forwardings = word_codec<Forwarding>({{"synchronous", Forwarding::synchronous},
                                                   {"asynchronous", Forwarding::asynchronous},
                                                   {"paced", Forwarding::paced}});
  Codec<std::string> names = path_codec();
  names.type = "name";
  return {
      key("servers", &S::servers, servers_codec(),
          "how many ranks serve: they write while the others compute; auto: one of 16; 0: none"),
      key("server_placement", &S::servers, server_placement_codec(),
          "which ranks serve: the last ones of every node in turn, or the last of all"),
      key("server_groups", &S::servers, server_groups_codec(), "groups of servers; each file is written by one group"),
      key("server_memory", &S::server_memory_bytes, size_codec(least_server_bytes, Zero::refused),
          "shared memory of a node for data on their way to, and in, servers"),
      key("forwarding", &S::forwarding, forwardings,
          "data for servers on other nodes are sent within the call, while the model computes, or then but not while "
          "it communicates"),
      key("pace", &S::pace_bytes, size_codec(1, Zero::valid),
          "most bytes a second that a node sends with paced forwarding; 0: no limit"),
      key("component", &S::component, names, "name of this model among those that share servers"),
  };
}

/// In the order of docs/configuration.md.
std::vector<Key> make_keys() {
  std::vector<Key> all;
  for (std::vector<Key> some : {file_keys(), point_keys(), store_keys(), run_keys(), server_keys()})
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  return all;
}

}  // namespace

std::string Key::variable() const {
  std::string upper = "SV_" + name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

const std::vector<Key> &keys() {
  static const std::vector<Key> table = make_keys();
  return table;
}

const Key *find_key(const std::string &name) {
  const auto at = std::find_if(keys().begin(), keys().end(), [&](const Key &key) { return key.name == name; });
  return at == keys().end() ? nullptr : &*at;
}

}  // namespace sv
