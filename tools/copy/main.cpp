// sv-copy: copies a netCDF file, or a set of files, through the library into any store, kind, chunking and compression,
// in parallel and in bounded memory; or writes the streams of a configuration from existing files.
#include <sverdrup/sverdrup.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "streaming.hpp"
#include "support/names.hpp"
#include "support/program.hpp"

namespace {

struct Options {
  std::string in, streams, format, store, chunk_layout, chunks, deflate, quantize;
  std::vector<std::string> out;
  std::optional<int> chunk_records;
  uint64_t memory = sv_tools::usual_hold_bytes;
  std::vector<std::string> variables;
  bool shuffle = false, force = false, published = true, rescue = false, quiet = false;
  std::vector<std::string> settings;
  std::string times = "end";
};

void check_names(const Options &options) {
  if (options.out.size() != 1)
    throw std::runtime_error("give one OUT, or --streams CONFIG with files of input. --help lists the options");
  const std::string &out = options.out.front();
  if (options.in == out)  // also of a set, which would be found before its copy
    throw std::runtime_error("'" + options.in + "' would be copied onto itself. Give another name for OUT");
  sv_tools::check_apart(options.in, out);
  if (!options.force) sv_tools::check_free(out);
}

/// The library looks at the name once more, when the copy gets it.
int create_flags(const Options &options) {
  return (options.published ? SV_PUBLISHED : SV_GROWING) | (options.force ? SV_CLOBBER : SV_NOCLOBBER);
}

std::vector<std::string> settings_of(const Options &options) {
  std::vector<std::string> settings;
  const auto set = [&settings](const char *key, const std::string &value) {
    if (!value.empty()) settings.push_back(std::string(key) + "=" + value);
  };
  set("format", options.format);
  const bool is_group = options.streams.empty() && options.format.empty() && options.out.front().ends_with(".zarr");
  set("store", options.store.empty() && is_group ? "zarr" : options.store);
  set("chunks.layout", options.chunk_layout);
  set("chunks.shape", options.chunks);
  if (options.chunk_records) set("chunks.records", std::to_string(*options.chunk_records));
  if (!options.deflate.empty()) set("compression.codec", "deflate:" + options.deflate);
  if (!options.quantize.empty()) set("compression.quantize", "bitround:" + options.quantize);
  if (options.shuffle) set("compression.shuffle", "true");
  std::string variables;
  for (const std::string &each : options.variables) variables += (variables.empty() ? "{" : ", ") + each;
  set("variables", variables.empty() ? "" : variables + "}");
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  return settings;
}

void add_options(CLI::App &app, Options &options) {
  app.add_option("IN", options.in, "a netCDF file, or the name without numbers of a set of files")->required();
  app.add_option("OUT", options.out, "the copy; with --streams, later files of input");
  app.add_option("--format", options.format,
                 "format of OUT: auto, cdf1, cdf2, cdf5, netcdf4, netcdf4_classic or zarr (that of IN)");
  app.add_option(
      "--store", options.store,
      "store that writes OUT: cdf, pnetcdf, netcdf4, netcdf4_library or zarr (the store of the format; of NAME.zarr, "
      "zarr)");
  app.add_option("--chunk-layout", options.chunk_layout,
                 "cx,cy: numbers of segments of the global x and y axes; a chunk is one segment of each axis");
  app.add_option("--chunks", options.chunks,
                 "how variables are divided into chunks: auto, writers, default or contiguous, or cells of the last "
                 "axes without the records (270,360)");
  app.add_option("--chunk-records", options.chunk_records, "records in a chunk");
  app.add_option(
         "--memory", options.memory,
         "most bytes of values that a rank holds at a time where chunks span records (64MB; 256MiB if not said)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(uint64_t{1} << 10, uint64_t{1} << 40));
  app.add_option("--deflate", options.deflate, "level of compression, 0 (none) to 9");
  app.add_flag("--shuffle", options.shuffle, "shuffle bytes before compression");
  app.add_option("--quantize", options.quantize, "number of bits of the mantissa that are kept");
  app.add_option("--variable", options.variables,
                 "PATTERN: {KEY: VALUE, ...}: how the variables that match are stored, such as 'temp: {compression: "
                 "deflate:4}'")
      ->allow_extra_args(false);
  app.add_option("--set", options.settings, "key=value: any setting of Sverdrup, such as writers=4")
      ->allow_extra_args(false);
  app.add_flag("-f,--force,!--no-clobber", options.force, "write OUT even if it exists");
  app.add_flag("--published,!--growing", options.published, "OUT appears when it is complete (the default)");
  app.add_flag("--rescue", options.rescue,
               "copy the data that an incomplete file such as NAME.part holds, and report missing data");
  CLI::Option *const streams =
      app.add_option("--streams", options.streams,
                     "CONFIG: write the streams of this configuration from the variables of the files")
          ->check(CLI::ExistingFile);
  for (const char *const other : {"--force", "--published", "--rescue", "--memory"})
    streams->excludes(app.get_option(other));
  app.add_option("--times", options.times,
                 "with --streams: the part of its step that a time without bounds is: begin, middle or end (end)")
      ->check(CLI::IsMember({"begin", "middle", "end"}))
      ->needs(streams);
  app.add_flag("-q,--quiet", options.quiet, "print no progress bar and no last line");
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{
      "Copies a netCDF file through Sverdrup: any kind into any other, chunked and compressed, in bounded memory. "
      "Under "
      "mpiexec all ranks work.",
      "sv-copy"};
  add_options(app, options);
  return sv_tools::run(app, argc, argv, [&options] {
    if (!options.streams.empty()) {
      std::vector<std::string> in{options.in};
      in.insert(in.end(), options.out.begin(), options.out.end());
      return sv_tools::write_streams(
          {options.streams, std::move(in), settings_of(options), options.quiet, options.times});
    }
    sv_tools::together(MPI_COMM_WORLD, [&] { check_names(options); });
    sv_tools::copy_file({"sv-copy", options.in, options.out.front(), create_flags(options), settings_of(options),
                         options.quiet, options.rescue, static_cast<int64_t>(options.memory)});
  });
}
