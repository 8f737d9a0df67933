#include "config/keys.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <type_traits>

#include "config/server_values.hpp"
#include "config/store_values.hpp"
#include "config/values.hpp"
#include "store/kind.hpp"

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
  const auto own = std::make_shared<const Codec<T>>(codec);
  return {std::move(name),
          codec.type,
          codec.allowed,
          std::move(meaning),
          per_file,
          [=](Settings &settings, FileSettings &file, const std::string &text) {
            own->read(text, owner(settings, file).*member);
          },
          [=](const Settings &settings, const FileSettings &file) { return own->text(owner(settings, file).*member); },
          [=](const Settings &settings, const FileSettings &file) { return own->json(owner(settings, file).*member); }};
}

/// What writes a file, and how it stores variables.
std::vector<Key> store_keys() {
  using F = FileSettings;
  const auto formats = word_codec<Format>({{"auto", Format::automatic},
                                           {"cdf1", Format::cdf1},
                                           {"cdf2", Format::cdf2},
                                           {"cdf5", Format::cdf5},
                                           {"netcdf4", Format::netcdf4},
                                           {"netcdf4_classic", Format::netcdf4_classic},
                                           {"zarr", Format::zarr}});
  std::vector<std::pair<std::string, std::string>> stores{{"auto", "auto"}};
  for (const std::string &name : store_names()) stores.emplace_back(name, name);
  const auto mpi_ios = word_codec<MpiIo>({{"romio", MpiIo::romio}, {"library", MpiIo::library}});
  return {
      key("store", &F::store, word_codec(stores),
          "Sets the store that writes the file. auto: Sverdrup's own CDF store, netcdf4 for the netCDF-4 formats, or "
          "zarr for Zarr."),
      key("format", &F::format, formats,
          "Sets the format of the file. auto: netCDF-4 with the store netcdf4, Zarr with zarr or for a name that ends "
          "in .zarr; otherwise CDF-2 if types and sizes fit, and CDF-5 if not."),
      key("chunks", &F::chunks, chunks_codec(), "netCDF-4, Zarr: sets how variables are divided into chunks."),
      key("chunk_records", &F::chunks, chunk_records_codec(),
          "netCDF-4, Zarr: number of records in a chunk, for variables with records. 0: as chunks says."),
      key("chunk_layout", &F::chunks, chunk_layout_codec(),
          "netCDF-4: numbers of segments of the global x and y axes. A chunk is one segment of each axis, with all "
          "levels of one record."),
      key("shards", &F::chunks, shards_codec(),
          "Zarr: number of chunks in a file. none: one. auto: as many as make 64 MiB. Cells: the chunks of at least "
          "that many cells of the last axes."),
      key("deflate", &F::chunks, deflate_codec(), "netCDF-4, Zarr: level of compression. 0: no compression."),
      key("shuffle", &F::chunks, shuffle_codec(),
          "netCDF-4, and Zarr with blosc: whether bytes are shuffled before they are compressed."),
      key("zstd", &F::chunks, zstd_codec(),
          "netCDF-4, Zarr: level of compression with Zstandard instead of deflate. Readers of netCDF-4 need HDF5's "
          "plug-in for it (filter 32015). 0: none."),
      key("zstd_readers", &F::chunks, zstd_readers_codec(),
          "netCDF-4: where readers have the plug-in for Zstandard. here: Sverdrup must find it when it makes a file; "
          "elsewhere: it need not."),
      key("fletcher32", &F::chunks, fletcher32_codec(), "netCDF-4, Zarr: whether each chunk has a checksum."),
      key("quantize", &F::chunks, quantize_codec(),
          "netCDF-4: number of mantissa bits or significant decimal digits to keep, see quantize_mode. 0: all bits."),
      key("quantize_mode", &F::chunks, quantize_mode_codec(),
          "netCDF-4: sets the unit of quantize. bitround: bits; bitgroom and granular_bitround: significant decimal "
          "digits."),
      key("codec", &F::chunks, codec_codec(),
          "netCDF-4, Zarr: the compression library. auto: the fastest built-in one for the level. blosc: Zarr only."),
      key("mpi_io", &F::mpi_io, mpi_ios, "Sets which MPI-IO the stores pnetcdf and netcdf4_library use."),
      key("cb_nodes", &F::hints, hint_codec("cb_nodes"), "MPI-IO hint: number of aggregators."),
      key("cb_config_list", &F::hints, hint_codec("cb_config_list"), "MPI-IO hint: which ranks aggregate."),
      key("cb_buffer_size", &F::hints, hint_codec("cb_buffer_size"),
          "MPI-IO hint: size of the buffer of an aggregator, in bytes."),
      key("striping_factor", &F::hints, hint_codec("striping_factor"), "MPI-IO hint: number of stripes of a new file."),
      key("striping_unit", &F::hints, hint_codec("striping_unit"),
          "MPI-IO hint: size of a stripe of a new file, in bytes."),
  };
}

/// What becomes of points.
std::vector<Key> point_keys() {
  using F = FileSettings;
  const auto partitions = word_codec<Partition>(
      {{"ranges", Partition::ranges}, {"cells", Partition::cells}, {"levels", Partition::levels}});
  return {
      key("partition", &F::points, member_codec(&PointRequest::partition, partitions),
          "Points: sets the part of the grid that a writer owns. ranges: ranges of the file; cells: parts of the "
          "grid's first dimension; levels: parts of the slowest other dimension."),
      key("primaries", &F::points, member_codec(&PointRequest::primaries, count_codec()),
          "Points: number of writers that collect the points, order them and pass them on to all writers. 0: each rank "
          "sends its points to the writers."),
  };
}

/// Which files there are, and whether they are trusted.
std::vector<Key> layout_keys() {
  using F = FileSettings;
  const auto layouts =
      word_codec<FileLayout>({{"one_file", FileLayout::one_file}, {"per_variable", FileLayout::per_variable}});
  return {
      key("layout", &F::layout, layouts,
          "one_file: a file contains all its variables; per_variable: each data variable has a file of its own, with "
          "the coordinates it needs, and one commit covers all of them."),
      key("variable_file", &F::variable_file, path_codec(),
          "File name of a variable with layout: per_variable, without its suffix: %v is the variable, %f the file's "
          "own name. Empty: %f_%v. A file whose own name contains %v needs neither key."),
      key("virtual_index", &F::virtual_index, switch_codec(),
          "cdf, netcdf4: whether each commit writes NAME.refs.json next to the file. With it, xarray opens the file as "
          "Zarr."),
      key("missing_pieces", &F::fills_missing_pieces, word_codec<bool>({{"error", false}, {"fill", true}}),
          "Sets of files with missing pieces. error: they are rejected; fill: cells without a piece read as the fill "
          "value."),
      key("read_ahead", &F::read_ahead, switch_codec(),
          "cdf: whether a read of a record asks the file system to read the same cells of the next record meanwhile."),
      key("untrusted", &F::untrusted, switch_codec(),
          "Whether a netCDF-4 file may be damaged or hostile. true: HDF5 reads it in a separate process."),
  };
}

/// What else may differ from file to file.
std::vector<Key> file_keys() {
  using F = FileSettings;
  const auto kinds = word_codec<Kind>({{"published", Kind::published}, {"growing", Kind::growing}});
  const auto durabilities = word_codec<Durability>(
      {{"written", Durability::written}, {"on_disk", Durability::on_disk}, {"ordered", Durability::ordered}});
  const auto visibilities = word_codec<Visibility>(
      {{"auto", Visibility::automatic}, {"at_once", Visibility::at_once}, {"late", Visibility::late}});
  const auto readings = word_codec<Reading>({{"auto", Reading::automatic},
                                             {"self", Reading::self},
                                             {"collective", Reading::collective},
                                             {"writers", Reading::writers},
                                             {"servers", Reading::servers}});
  const auto range_errors =
      word_codec<RangeError>({{"clamp", RangeError::clamp}, {"fill", RangeError::fill}, {"error", RangeError::refuse}});
  return {
      key("route", &F::route, route_name_codec(),
          "Sets how data travel from the ranks that own them to the ranks that write them."),
      key("io_layout", &F::route, io_layout_codec(),
          "Numbers of I/O domains in x and y. Each I/O domain collects the data of its ranks."),
      key("writers", &F::route, writers_codec(),
          "Sets which ranks write. self: each I/O PE writes its own data; a number: that many writers own ranges of "
          "the file."),
      key("kind", &F::kind, kinds,
          "published: the file appears under its name when it is complete; growing: it has its name from the first "
          "commit on, and grows record by record."),
      key("durability", &F::durability, durabilities,
          "written: commits survive the end of the processes; on_disk: also the loss of the node; ordered: a record "
          "counts when it is on the disk, but no step waits for the disk."),
      key("visibility", &F::visibility, visibilities,
          "Sets when other hosts see written data. auto: by the type of the file system; at_once: immediately; late: "
          "after synchronisation, so each commit synchronises."),
      key("reading", &F::reading, readings,
          "Sets which ranks read distributed fields. self: each its own part; collective: all together; writers or "
          "servers: these read and distribute."),
      key("stripe", &F::stripe_bytes, size_codec(page_bytes, Zero::valid),
          "Unit of ownership in the file, in bytes. 0: the stripe of the file system, or 1 MiB if it has none."),
      key("header_reserve", &F::header_reserve_bytes, size_codec(0, Zero::valid),
          "Free bytes after the header, into which the header can grow. They are allocated when the file is made. "
          "Store netcdf4: free bytes in front of the data, in addition to the space for definitions and chunks."),
      key("fill", &F::fill, switch_codec(), "Whether unwritten variables are filled."),
      key("out_of_range", &F::out_of_range, range_errors,
          "Sets the result of a value that does not fit its type. clamp: the nearest value that fits; fill: the fill "
          "value; error: an error."),
      key("combine", &F::combine, word_codec<Combine>({{"off", Combine::off}, {"step", Combine::step}}),
          "off: puts are carried out immediately; step: puts are recorded, and carried out together at the end of the "
          "step."),
      key("combine_buffer", &F::combine_buffer_bytes, size_codec(0, Zero::valid),
          "Memory of each rank for the values of recorded and buffered puts."),
      key("overlap", &F::overlap, word_codec<Overlap>({{"error", Overlap::refuse}, {"allow", Overlap::allow}}),
          "Requests of one call or wait (or sub-arrays) that put the same cell. error: they are rejected; allow: the "
          "later request of a rank and the higher rank win."),
      key("take_over", &F::take_over, switch_codec(),
          "Unmodified programs (sv-run): whether Sverdrup handles the file. false: the library that the program calls "
          "handles it."),
      key("server_group", &F::server_group, server_group_codec(),
          "Sets which group of servers writes the file. auto: the groups in turn; none: the ranks of the model."),
  };
}

/// How what is large is written.
std::vector<Key> way_keys() {
  using F = FileSettings;
  return {
      key("write_depth", &F::write_depth, write_depth_codec(),
          "cdf, netcdf4: number of pieces of a large write that a writer writes concurrently, with threads. auto: from "
          "the machine profile, 1 without one."),
      key("direct_io", &F::direct_io,
          word_codec<DirectIo>({{"auto", DirectIo::automatic}, {"off", DirectIo::off}, {"on", DirectIo::on}}),
          "cdf, netcdf4: whether large writes bypass the page cache. auto: from the machine profile, off without one."),
  };
}

/// What holds for the whole run.
std::vector<Key> run_keys() {
  using S = Settings;
  const auto transports =
      word_codec<Transport>({{"auto", Transport::automatic}, {"place", Transport::place}, {"send", Transport::send}});
  return {
      key("transport", &S::transport, transports,
          "Sets how data move inside a node. place: through shared memory; send: by messages only."),
      key("window", &S::window_bytes, size_codec(least_window_bytes, Zero::refused),
          "Shared memory of a node for data on their way to the writers."),
      key("machine", &S::machine, path_codec(),
          "Path of the machine profile that sv-probe wrote, for write_depth and direct_io. Empty: none."),
      key("watchdog", &S::watchdog_seconds, duration_codec(),
          "How long ranks wait for another rank before this is an error. 0: no limit."),
      key("watchdog_abort", &S::watchdog_abort, switch_codec(),
          "Whether the job ends if ranks are stuck inside another library for the time of watchdog."),
      key("ranks_per_node", &S::ranks_per_node, count_codec(),
          "Sverdrup assumes that this many ranks share a node. 0: MPI reports which ranks share a node."),
      key("summary", &S::summary, path_codec(),
          "Path of the JSON summary that is written at the end. Empty: no summary."),
      key("table", &S::table, switch_codec(), "Whether the table of metrics is printed at the end."),
      key("trace", &S::trace, path_codec(),
          "Folder in which every rank records its work, step by step, for the report. Empty: no recording."),
      key("trace_memory", &S::trace_bytes, size_codec(least_trace_bytes, Zero::refused),
          "Memory of each rank for its latest events. The totals are always complete."),
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
  names.allowed = "a name, or nothing";
  return {
      key("servers", &S::servers, servers_codec(),
          "Number of server ranks, which write while the others compute. 0: none; threads: a thread of one rank on "
          "each node writes instead; auto: a run chooses between threads and its own calls, by the cost of its steps; "
          "auto, 1 per node: the same, with that many standby servers, which write a file from its beginning if that "
          "costs less."),
      key("server_turns", &S::server_turns, turns_codec(),
          "With servers: auto, the steps that threads write. auto: by the cost of steps; 3,2: threads write three "
          "steps, the calls the next two, and so on, to compare or test both. Standby servers write the files that "
          "begin in every third turn."),
      key("server_placement", &S::servers, server_placement_codec(),
          "Sets which ranks are servers. spread: the last ranks of every node in turn; last: the last ranks of all."),
      key("server_groups", &S::servers, server_groups_codec(), "Number of groups of servers. One group writes a file."),
      key("server_threads", &S::server_threads, number_codec(1, 256, "1 to 256"),
          "Number of threads with which each server, or the thread of servers: threads, compresses netCDF-4 chunks."),
      key("server_memory", &S::server_memory_bytes, size_codec(least_server_bytes, Zero::refused),
          "Shared memory of a node for data on their way to servers and in servers."),
      key("forwarding", &S::forwarding, forwardings,
          "Sets when data are sent to servers on other nodes. synchronous: within the puts and the end of the step; "
          "asynchronous: while the model computes; paced: the same, but not while the model communicates."),
      key("pace", &S::pace_bytes, size_codec(1, Zero::valid),
          "With paced forwarding: the largest number of bytes that a node sends in a second. 0: no limit."),
      key("component", &S::component, names, "Name of this model. Models with different names share the servers."),
  };
}

/// In the order of docs/configuration.md.
std::vector<Key> make_keys() {
  std::vector<Key> all;
  for (std::vector<Key> some :
       {file_keys(), way_keys(), layout_keys(), point_keys(), store_keys(), run_keys(), server_keys()})
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
  static const auto &table = *new std::vector<Key>(make_keys());  // needed until the very end
  return table;
}

const Key *find_key(const std::string &name) {
  const auto at = std::find_if(keys().begin(), keys().end(), [&](const Key &key) { return key.name == name; });
  return at == keys().end() ? nullptr : &*at;
}

}  // namespace sv
