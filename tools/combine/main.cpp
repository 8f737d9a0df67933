// sv-combine: joins the pieces of a set of files (routes per_pe and per_domain, and the sets of FMS) into the file that
// a one-file route would have written.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "linked_pieces.hpp"
#include "support/names.hpp"
#include "support/program.hpp"

namespace {

struct Options {
  std::vector<std::string> names;  // as given: a set and perhaps OUT, or pieces
  std::string in, out, format;
  bool force = false, quiet = false, fills = false;
  std::vector<std::string> settings;
};

/// The set that a piece is of, by its name: "ocean.nc" of "ocean.nc.0003"; empty: the name has no number.
std::string set_of(const std::string &name) {
  constexpr size_t fewest_digits = 4;
  const size_t dot = name.find_last_of('.');
  const bool has_number = dot != std::string::npos && name.size() - dot > fewest_digits &&
                          name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  return has_number ? name.substr(0, dot) : "";
}

/// Which sets are joined, each into which file: of "ocean.nc [OUT]" one; of pieces, as a shell lists them, all sets
/// that they are of, or with OUT one.
std::vector<Options> tasks_of(const Options &given) {
  std::vector<std::string> sets, others;
  for (const std::string &name : given.names) {
    const std::string set = set_of(name);
    if (std::find(sets.begin(), sets.end(), set) != sets.end()) continue;
    const bool is_set = set.empty() || !sv_tools::found_pieces(name).empty();
    (is_set ? others : sets).push_back(is_set ? name : set);
  }
  const bool has_pieces = !sets.empty();
  if (!has_pieces) {
    sets.push_back(others.front());
    others.erase(others.begin());
  }
  if (others.size() > 1 || (sets.size() > 1 && !others.empty()))
    throw std::runtime_error("'" + others.back() + "': give one set and perhaps OUT, or pieces of sets and no OUT");
  std::vector<Options> tasks;
  for (const std::string &set : sets) {
    tasks.push_back(given);
    tasks.back().in = set;
    tasks.back().out = others.empty() ? set : others.front();
  }
  return tasks;
}

/// Whether the joined file is to take the place of an older one under the name of the set.
bool replaces(const Options &options) { return options.force && options.in == options.out; }

void check_names(const Options &options) {
  const std::vector<std::string> pieces = sv_tools::found_pieces(options.in);
  if (std::filesystem::exists(options.in) && pieces.empty())
    throw std::runtime_error("'" + options.in + "' is one file, not a set of pieces: there is no '" + options.in +
                             ".0000'");
  if (pieces.empty() && replaces(options))
    throw std::runtime_error("'" + options.in + "': there is no set of this name, and no '" + options.in +
                             ".0000'. Give the name that its pieces have, without numbers");
  if (!options.force) sv_tools::check_free(options.out);
  if (std::filesystem::exists(options.in) && !replaces(options))
    throw std::runtime_error("'" + options.in + "' is one file, not a set of pieces. Rename it if '" + pieces.front() +
                             "' and those that follow are meant, or replace it: --force without OUT");
  sv_tools::check_apart(pieces, options.out);
  for (const std::string &piece : pieces)
    if (!std::filesystem::is_regular_file(piece))
      throw std::runtime_error("'" + piece + "' is a pipe or a device, no file. Give the name of a set of files");
}

/// Cells that no piece has are filled: of a grid that a piece wrongly claims, for hours.
void check_claim(const Options &options, double claimed_bytes) {
  constexpr double always_bytes = 1 << 30, most_growth = 1000;
  double have = 0;
  std::error_code none;
  for (const std::string &piece : sv_tools::found_pieces(options.in))
    if (const auto bytes = std::filesystem::file_size(piece, none); !none) have += static_cast<double>(bytes);
  if (claimed_bytes <= always_bytes || claimed_bytes <= most_growth * have) return;
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), "the pieces have %.0f bytes, and claim to be parts of a grid of %.0f", have,
                claimed_bytes);
  throw std::runtime_error("'" + options.in + "': " + text.data() +
                           ". See to the attribute domain_decomposition of their axes");
}

void join_set(const Options &options, const std::string &set) {
  std::vector<std::string> settings;
  if (options.fills) settings.emplace_back("reading.missing_pieces=fill");
  if (!options.format.empty()) settings.push_back("format=" + options.format);
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  sv_tools::copy_file({.program = "sv-combine",
                       .in = set,
                       .out = options.out,
                       .create_flags = SV_PUBLISHED | (options.force ? SV_CLOBBER : SV_NOCLOBBER),
                       .settings = settings,
                       .quiet = options.quiet,
                       .accept = [&](double bytes) { check_claim(options, bytes); }});
}

void join(const Options &options) {
  sv_tools::together(MPI_COMM_WORLD, [&] { check_names(options); });
  if (!replaces(options)) return join_set(options, options.in);
  const sv_combine::LinkedPieces links(MPI_COMM_WORLD, options.in);
  join_set(options, links.set());
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{
      "Joins the pieces of a set, IN.0000, IN.0001 ..., as the routes per_pe and per_domain or FMS write them, into "
      "the file that a one-file route would have written, of the format of the pieces. Under mpiexec all ranks work.",
      "sv-combine"};
  app.add_option(
         "IN", options.names,
         "the name of the set without numbers, such as ocean.nc, and perhaps OUT, the joined file to write (IN); "
         "or pieces, such as *.nc.0*: each set that they are of is joined under its own name")
      ->required();
  app.add_option("--format", options.format,
                 "format of OUT: auto, cdf1, cdf2, cdf5, netcdf4, netcdf4_classic or zarr (that of the pieces)");
  app.add_flag("-m,--missing", options.fills, "join a set that lacks pieces: their cells get the fill value");
  app.add_flag("-f,--force", options.force, "replace OUT if it exists");
  app.add_flag("-q,--quiet", options.quiet, "print no progress bar");
  app.add_option("--set", options.settings, "key=value: a setting of Sverdrup, such as writers=4")
      ->allow_extra_args(false);
  return sv_tools::run(app, argc, argv, [&options] {
    for (const Options &task : tasks_of(options)) join(task);
  });
}
