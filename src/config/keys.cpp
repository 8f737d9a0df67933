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

/// Of values that several members of Owner hold.
template <class Owner>
Key whole_key(std::string name, const Codec<Owner> &codec, std::string meaning) {
  constexpr bool per_file = std::is_same_v<Owner, FileSettings>;
  const auto owner = [](auto &settings, auto &file) -> auto & {
    if constexpr (per_file)
      return file;
    else
      return settings;
  };
  const auto own = std::make_shared<const Codec<Owner>>(codec);
  return {
      std::move(name),
      false,
      codec.type,
      codec.allowed,
      std::move(meaning),
      per_file,
      [=](Settings &settings, FileSettings &file, const std::string &text) { own->read(text, owner(settings, file)); },
      [=](const Settings &settings, const FileSettings &file) { return own->text(owner(settings, file)); },
      [=](const Settings &settings, const FileSettings &file) { return own->json(owner(settings, file)); }};
}

template <class Owner, class T>
Key key(std::string name, T Owner::*member, const Codec<T> &codec, std::string meaning) {
  return whole_key(std::move(name), member_codec(member, codec), std::move(meaning));
}

/// The keys of a group: their names get its name in front. A scalar in place of the group sets the key `main`.
std::vector<Key> group(const std::string &name, const std::string &main, std::vector<Key> keys) {
  for (Key &each : keys) {
    each.stands_for_group = each.name == main;
    each.name.insert(0, name + ".");
  }
  return keys;
}

/// The file's format, and when its data count.
std::vector<Key> file_keys() {
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
  const auto kinds = word_codec<Kind>({{"published", Kind::published}, {"growing", Kind::growing}});
  const auto durabilities = word_codec<Durability>(
      {{"written", Durability::written}, {"on_disk", Durability::on_disk}, {"ordered", Durability::ordered}});
  return {
      key("format", &F::format, formats,
          "Sets the format of the file. auto: netCDF-4 with the store netcdf4, Zarr with zarr or for a name that ends "
          "in .zarr; otherwise CDF-2 if types and sizes fit, and CDF-5 if not."),
      key("store", &F::store, word_codec(stores),
          "Sets the store that writes the file. auto: Sverdrup's own CDF store, netcdf4 for the netCDF-4 formats, or "
          "zarr for Zarr."),
      key("kind", &F::kind, kinds,
          "published: the file appears under its name when it is complete; growing: it has its name from the first "
          "commit on, and grows record by record."),
      key("durability", &F::durability, durabilities,
          "written: commits survive the end of the processes; on_disk: also the loss of the node; ordered: a record "
          "counts when it is on the disk, but no step waits for the disk."),
      whole_key("layout", layout_codec(),
                "one_file: a file contains all its variables; per_variable: each data variable has a file of its own, "
                "with the coordinates it needs, and one commit covers all of them. In its name, %v is the variable and "
                "%f the file's own name. A file whose own name contains %v needs no layout."),
      key("virtual_index", &F::virtual_index, switch_codec(),
          "cdf, netcdf4: whether each commit writes NAME.refs.json next to the file. With it, xarray opens the file as "
          "Zarr."),
      key("take_over", &F::take_over, switch_codec(),
          "Unmodified programs (sv-run): whether Sverdrup handles the file. false: the library that the program calls "
          "handles it."),
  };
}

/// The ranks that write, and the values.
std::vector<Key> writing_keys() {
  using F = FileSettings;
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
      key("fill", &F::fill, switch_codec(), "Whether unwritten variables are filled."),
      key("out_of_range", &F::out_of_range, range_errors,
          "Sets the result of a value that does not fit its type. clamp: the nearest value that fits; fill: the fill "
          "value; error: an error."),
      key("overlap", &F::overlap, word_codec<Overlap>({{"error", Overlap::refuse}, {"allow", Overlap::allow}}),
          "Requests of one call or wait (or sub-arrays) that put the same cell. error: they are rejected; allow: the "
          "later request of a rank and the higher rank win."),
      key("header_reserve", &F::header_reserve_bytes, size_codec(0, Zero::valid),
          "Free bytes after the header, into which the header can grow. They are allocated when the file is made. "
          "Store netcdf4: free bytes in front of the data, in addition to the space for definitions and chunks."),
  };
}

std::vector<Key> combine_keys() {
  using F = FileSettings;
  return group("combine", "mode",
               {key("mode", &F::combine, word_codec<Combine>({{"off", Combine::off}, {"step", Combine::step}}),
                    "off: puts are carried out immediately; step: puts are recorded, and carried out together at the "
                    "end of the step."),
                key("memory", &F::combine_buffer_bytes, size_codec(0, Zero::valid),
                    "Memory of each rank and file for the values of recorded and buffered puts.")});
}

std::vector<Key> compression_keys() {
  using F = FileSettings;
  return group(
      "compression", "codec",
      {key("codec", &F::chunks, compression_codec(),
           "netCDF-4, Zarr: compressor and level: deflate:1 to 9, or zstd:1 to 22. Without a level: deflate:1, zstd:3. "
           "Readers of netCDF-4 need HDF5's plug-in for zstd (filter 32015). blosc_*: Zarr only."),
       key("shuffle", &F::chunks, shuffle_codec(),
           "netCDF-4, and Zarr with Blosc: whether bytes are shuffled before they are compressed."),
       key("quantize", &F::chunks, quantize_codec(),
           "netCDF-4, Zarr: mantissa bits (float 23, double 52), significant decimal digits (7, 15) or share of "
           "information to keep, or the largest error. HDF5's plug-ins sz3 and zfp: netCDF-4. Coordinates keep all."),
       key("checksum", &F::chunks, checksum_codec(), "netCDF-4, Zarr: whether each chunk has a checksum (fletcher32)."),
       key("threads", &Settings::server_threads, number_codec(1, 256, "1 to 256"),
           "Number of threads with which a server, or the thread of async: threads, compresses."),
       key("zstd_plugin", &F::chunks, zstd_plugin_codec(),
           "netCDF-4: required: Sverdrup must find HDF5's plug-in for zstd when it makes a file; assumed: only readers "
           "need it, elsewhere.")});
}

std::vector<Key> chunk_keys() {
  using F = FileSettings;
  return group("chunks", "shape",
               {key("shape", &F::chunks, chunks_codec(), "netCDF-4, Zarr: sets how variables are divided into chunks."),
                key("records", &F::chunks, chunk_records_codec(),
                    "netCDF-4, Zarr: number of records in a chunk, for variables with records. 0: as the shape says."),
                key("layout", &F::chunks, chunk_layout_codec(),
                    "netCDF-4: numbers of segments of the global x and y axes. A chunk is one segment of each axis, "
                    "with all levels of one record."),
                key("shards", &F::chunks, shards_codec(),
                    "Zarr: number of chunks in a file. none: one. auto: as many as make 64 MiB. Cells: the chunks of "
                    "at least that many cells of the last axes.")});
}

/// Output while the model computes.
std::vector<Key> async_keys() {
  using S = Settings;
  Codec<std::string> names = path_codec();
  names.type = "name";
  names.allowed = "a name, or nothing";
  return group(
      "async", "mode",
      {key("mode", &S::servers, async_mode_codec(),
           "Sets how output overlaps with computing. none: the calls write; threads: a thread of one rank on "
           "each node writes; servers: ranks of their own write, 1 per node without a number; auto: a run chooses "
           "threads or its calls, by the cost of its steps. With a number, it may also choose standby servers."),
       key("memory", &S::server_memory_bytes, size_codec(least_server_bytes, Zero::refused),
           "Shared memory of a node for data on their way to threads or servers, and in servers."),
       key("placement", &S::servers, server_placement_codec(),
           "Sets which ranks are servers. spread: the last ranks of every node in turn; last: the last ranks of all."),
       key("groups", &S::servers, server_groups_codec(), "Number of groups of servers. One group writes a file."),
       key("group", &FileSettings::server_group, server_group_codec(),
           "Sets which group of servers writes the file. auto: the groups in turn; none: the ranks of the model."),
       whole_key("forwarding", forwarding_codec(),
                 "Sets when data are sent to servers on other nodes. synchronous: within the puts and the end of the "
                 "step; asynchronous: while the model computes; paced: the same, but not while the model communicates, "
                 "and at most so many bytes of a node in a second."),
       key("component", &S::component, names, "Name of this model. Models with different names share the servers.")});
}

std::vector<Key> reading_keys() {
  using F = FileSettings;
  const auto readings = word_codec<Reading>({{"auto", Reading::automatic},
                                             {"self", Reading::self},
                                             {"collective", Reading::collective},
                                             {"writers", Reading::writers},
                                             {"servers", Reading::servers}});
  return group(
      "reading", "ranks",
      {key("ranks", &F::reading, readings,
           "Sets which ranks read distributed fields. self: each its own part; collective: all together; "
           "writers or servers: these read and distribute."),
       key("ahead", &F::read_ahead, switch_codec(),
           "cdf, netcdf4, zarr: whether a read of a record asks the file system to fetch the same cells of the "
           "next record meanwhile."),
       key("missing_pieces", &F::fills_missing_pieces, word_codec<bool>({{"error", false}, {"fill", true}}),
           "Sets of files with missing pieces. error: they are rejected; fill: cells without a piece read as "
           "the fill value."),
       key("untrusted", &F::untrusted, switch_codec(),
           "Whether a netCDF-4 file may be damaged or hostile. true: HDF5 reads it in a separate process.")});
}

/// How large writes reach the file system.
std::vector<Key> file_system_keys() {
  using F = FileSettings;
  const auto visibilities = word_codec<Visibility>(
      {{"auto", Visibility::automatic}, {"at_once", Visibility::at_once}, {"late", Visibility::late}});
  return group(
      "file_system", "",
      {key("stripe", &F::stripe_bytes, size_codec(page_bytes, Zero::valid),
           "Unit of ownership in the file, in bytes. 0: the stripe of the file system, or 1 MiB if it has none. With "
           "stripe_count, also the size of a stripe of a new file."),
       key("stripe_count", &F::stripes, stripe_count_codec(),
           "Number of stripes of a new file, where the file system takes it: Lustre, BeeGFS, and hints of MPI-IO. "
           "directory: as its directory says; auto: by the size of a step and the number of writers; all: one on each "
           "target."),
       key("overstriping", &F::stripes, member_codec(&StripeRequest::overstriping, switch_codec()),
           "Lustre: whether a storage target may have several stripes of a file, so that it has more than targets."),
       key("visibility", &F::visibility, visibilities,
           "Sets when other hosts see written data. auto: by the type of the file system; at_once: immediately; late: "
           "after synchronisation, so each commit synchronises."),
       key("write_depth", &F::write_depth, write_depth_codec(),
           "cdf, netcdf4: number of pieces of a large write that a writer writes concurrently, with threads. auto: "
           "from the machine profile, 1 without one."),
       key("direct_io", &F::direct_io,
           word_codec<DirectIo>({{"auto", DirectIo::automatic}, {"off", DirectIo::off}, {"on", DirectIo::on}}),
           "cdf, netcdf4: whether large writes bypass the page cache. auto: from the machine profile, off without "
           "one."),
       key("profile", &Settings::machine, path_codec(),
           "Path of the machine profile that sv-probe wrote, for write_depth and direct_io. Empty: none.")});
}

/// Data on their way within a node.
std::vector<Key> transport_keys() {
  using S = Settings;
  const auto transports =
      word_codec<Transport>({{"auto", Transport::automatic}, {"place", Transport::place}, {"send", Transport::send}});
  return group("transport", "mode",
               {key("mode", &S::transport, transports,
                    "Sets how data move inside a node. place: through shared memory; send: by messages only."),
                key("window", &S::window_bytes, size_codec(least_window_bytes, Zero::refused),
                    "Shared memory of a node for data on their way to the writers.")});
}

std::vector<Key> point_keys() {
  using F = FileSettings;
  const auto partitions = word_codec<Partition>(
      {{"ranges", Partition::ranges}, {"cells", Partition::cells}, {"levels", Partition::levels}});
  return group("points", "",
               {key("partition", &F::points, member_codec(&PointRequest::partition, partitions),
                    "Sets the part of the grid that a writer owns. ranges: ranges of the file; cells: parts of the "
                    "grid's first dimension; levels: parts of the slowest other dimension."),
                key("primaries", &F::points, member_codec(&PointRequest::primaries, count_codec()),
                    "Number of writers that collect the points, order them and pass them on to all writers. 0: each "
                    "rank sends its points to the writers.")});
}

std::vector<Key> mpi_io_keys() {
  using F = FileSettings;
  const auto libraries = word_codec<MpiIo>({{"romio", MpiIo::romio}, {"library", MpiIo::library}});
  const auto hint = [](const std::string &name, const std::string &meaning) {
    return key(name, &F::hints, hint_codec(name), meaning);
  };
  return group(
      "mpi_io", "implementation",
      {key("implementation", &F::mpi_io, libraries,
           "Sets which MPI-IO the stores pnetcdf and netcdf4_library use: ROMIO, or the MPI library's choice."),
       hint("cb_nodes", "Hint: number of aggregators."), hint("cb_config_list", "Hint: which ranks aggregate."),
       hint("cb_buffer_size", "Hint: size of the buffer of an aggregator, in bytes.")});
}

/// Reports of a run, and its time limit.
std::vector<Key> report_keys() {
  using S = Settings;
  std::vector<Key> all =
      group("summary", "file",
            {key("file", &S::summary, path_codec(),
                 "Path of the JSON summary that is written at the end. Empty: no summary."),
             key("table", &S::table, switch_codec(),
                 "Whether the table of metrics is printed at the end. Without this key, a summary and a trace, three "
                 "lines on stderr report the written files, their time, and a change that would help.")});
  const std::vector<Key> trace =
      group("trace", "folder",
            {key("folder", &S::trace, path_codec(),
                 "Folder in which every rank records its work, step by step, for the report. Empty: no recording."),
             key("memory", &S::trace_bytes, size_codec(least_trace_bytes, Zero::refused),
                 "Memory of each rank for its latest events. The totals are always complete.")});
  const std::vector<Key> watchdog =
      group("watchdog", "time",
            {key("time", &S::watchdog_seconds, duration_codec(),
                 "How long ranks wait for another rank before this is an error. 0: no limit."),
             key("abort", &S::watchdog_abort, switch_codec(),
                 "Whether the job ends if ranks are stuck inside another library for this time.")});
  all.insert(all.end(), trace.begin(), trace.end());
  all.insert(all.end(), watchdog.begin(), watchdog.end());
  return all;
}

/// Settings of tests and measurements.
std::vector<Key> testing_keys() {
  using S = Settings;
  return group("testing", "",
               {key("ranks_per_node", &S::ranks_per_node, count_codec(),
                    "Sverdrup assumes that this many ranks share a node. 0: MPI reports which ranks share a node."),
                key("turns", &S::server_turns, turns_codec(),
                    "With async: auto, the steps that threads write. auto: by the cost of steps; 3,2: threads write "
                    "three steps, the calls the next two, and so on. Standby servers write the files that begin in "
                    "every third turn."),
                key("deflate_library", &FileSettings::chunks, deflate_library_codec(),
                    "The library that deflates. auto: the fastest built-in one for the level.")});
}

/// In the order of docs/configuration.md.
std::vector<Key> make_keys() {
  std::vector<Key> all;
  for (std::vector<Key> some :
       {file_keys(), writing_keys(), combine_keys(), compression_keys(), chunk_keys(), async_keys(), reading_keys(),
        file_system_keys(), transport_keys(), point_keys(), mpi_io_keys(), report_keys(), testing_keys()})
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  return all;
}

}  // namespace

std::string variable_of(const std::string &key) {
  std::string variable = "SV_" + key;
  std::ranges::transform(variable, variable.begin(),
                         [](unsigned char c) { return c == '.' ? '_' : static_cast<char>(std::toupper(c)); });
  return variable;
}

std::string Key::group() const { return name.substr(0, std::min(name.find('.'), name.size())); }

std::vector<std::string> Key::names() const {
  return stands_for_group ? std::vector<std::string>{name, group()} : std::vector<std::string>{name};
}

const std::vector<Key> &keys() {
  static const auto &table = *new std::vector<Key>(make_keys());  // needed until the very end
  return table;
}

const Key *find_key(const std::string &name) {
  const auto at = std::ranges::find_if(
      keys(), [&](const Key &key) { return key.name == name || (key.stands_for_group && key.group() == name); });
  return at == keys().end() ? nullptr : &*at;
}

std::string nearest_key(const std::string &name, const std::vector<std::string> &valid) {
  std::string whole = nearest(name, valid);
  if (edit_distance(name, whole) <= 1) return whole;
  std::vector<std::string> candidates = valid, shown = valid;
  for (const std::string &each : valid) {
    const size_t dot = each.rfind('.');
    if (dot == std::string::npos) continue;
    candidates.push_back(each.substr(dot + 1));
    shown.push_back(each);
  }
  const auto at = std::ranges::find(candidates, nearest(name, candidates));
  return at == candidates.end() ? "" : shown[static_cast<size_t>(at - candidates.begin())];
}

}  // namespace sv
