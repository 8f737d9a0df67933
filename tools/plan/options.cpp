#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "points.hpp"
#include "support/ending.hpp"
#include "support/usage.hpp"

namespace sv_plan {

namespace {

constexpr int64_t memory_page = 4096;
constexpr int64_t most_ranks = 1000000, longest = int64_t{1} << 40;

const std::map<std::string, int64_t> types{{"double", 8}, {"float", 4}, {"int", 4}, {"int64", 8}, {"short", 2}};
/// The grids of the ocean model (docs/ocean.md).
const std::map<std::string, std::string> presets{
    {"1", "20x180x360"}, {"0.25", "50x1080x1440"}, {"0.1", "50x2700x3600"}};

const std::map<std::string, sv::Partition> partitions{
    {"ranges", sv::Partition::ranges}, {"cells", sv::Partition::cells}, {"levels", sv::Partition::levels}};

/// The texts as CLI11 gets them, before they are read.
struct Texts {
  std::string shape, layout, preset, io_layout, writers = "auto", partition = "ranges";
  bool shared = false, local = false;
};

std::vector<int64_t> numbers_of(const std::string &text, char separator, const std::string &example) {
  std::vector<int64_t> numbers;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    size_t used = 0;
    int64_t number = 0;
    try {
      number = std::stoll(part, &used);
    } catch (const std::logic_error &) {
      used = std::string::npos;  // neither a number nor in range
    }
    if (used != part.size() || number < 1 || number > longest)
      throw CLI::ValidationError("'" + text + "' is not like " + example);
    numbers.push_back(number);
  }
  return numbers;
}

void read_shape(const std::string &text, Options &options) {
  const std::vector<int64_t> numbers = numbers_of(text, 'x', "50x1080x1440");
  if (numbers.size() < 2 || numbers.size() > 3)
    throw CLI::ValidationError("--shape: give levels x rows x columns, or rows x columns, not '" + text + "'");
  options.shape = {numbers.size() == 3 ? numbers[0] : 1, numbers[numbers.size() - 2], numbers.back()};
  if (options.shape[1] > longest / options.shape[2] ||
      options.shape[0] > longest / (options.shape[1] * options.shape[2]))
    throw CLI::ValidationError("--shape: '" + text + "' has more than 2^40 cells");
}

void read_layout(const std::string &text, Options &options) {
  const std::vector<int64_t> numbers = numbers_of(text, 'x', "4x4");
  if (numbers.size() != 2 || std::max(numbers[0], numbers[1]) > most_ranks || numbers[0] * numbers[1] > most_ranks)
    throw CLI::ValidationError("--layout: give px x py, at most 1000000 blocks, not '" + text + "'");
  options.px = static_cast<int>(numbers[0]);
  options.py = static_cast<int>(numbers[1]);
}

void read_io_layout(const std::string &text, Options &options) {
  const std::vector<int64_t> numbers = numbers_of(text, ',', "2,4");
  if (numbers.size() != 2 || std::max(numbers[0], numbers[1]) > most_ranks)
    throw CLI::ValidationError("--io-layout: give nx,ny, x first, not '" + text + "'");
  options.route.io_nx = static_cast<int>(numbers[0]);
  options.route.io_ny = static_cast<int>(numbers[1]);
}

void interpret(const Texts &texts, Options &options) {
  if (!texts.preset.empty()) {
    std::string name = texts.preset;
    if (name.ends_with("deg")) name.resize(name.size() - 3);
    const auto found = presets.find(name);
    if (found == presets.end())
      throw CLI::ValidationError("--preset: there is no '" + texts.preset + "'; the presets are 1, 0.25 and 0.1");
    read_shape(found->second, options);
  }
  if (!texts.shape.empty()) read_shape(texts.shape, options);
  if (!texts.layout.empty()) read_layout(texts.layout, options);
  if (!texts.io_layout.empty()) read_io_layout(texts.io_layout, options);
  options.element_bytes = types.at(options.type);
  options.partition = partitions.at(texts.partition);
  options.route.writers = sv::parse_writers(texts.writers);
  if (options.servers > 0 && !options.serves() && options.route.writers.kind == sv::Writers::Kind::automatic)
    options.route.writers = sv::parse_writers(std::to_string(options.servers));
  if (texts.shared || texts.local) options.shared_fs = texts.shared;
}

void add_field(CLI::App &app, Options &options, Texts &texts) {
  app.add_option("--shape", texts.shape,
                 "lengths of the dimensions, slowest first: levels x rows x columns (50x1080x1440)");
  app.add_option("--preset", texts.preset, "a grid of the ocean model: 1, 0.25 or 0.1 degrees")->excludes("--shape");
  app.add_option("--type", options.type, "type of the values: double, float, int, int64 or short (double)")
      ->check(CLI::IsMember(&types));
  app.add_option("--layout", texts.layout, "blocks in x and in y: px x py (4x4)");
  app.add_option("--ranks", options.ranks, "number of ranks, in a layout as square as possible")
      ->check(CLI::Range(int64_t{1}, most_ranks));
  app.add_option("--mask", options.mask,
                 "mask table of FMS, or a file with a line for each row of blocks, the last row first as on a map: "
                 "0 is a block of land without a rank, 1 a block with a rank");
  CLI::Option *points =
      app.add_option("--points", options.points,
                     "cells as points instead of blocks: 'random', each cell of any rank, or 'strips' of cells that "
                     "follow one another, one for each of --ranks")
          ->check(CLI::IsMember(point_kinds()));
  app.add_option("--partition", texts.partition,
                 "how writers of points divide the field: ranges, cells or levels (ranges)")
      ->check(CLI::IsMember(&partitions))
      ->needs(points);
  app.add_option("--per-node", options.per_node, "ranks on a node (48)")->check(CLI::Range(1, 1000000));
}

void add_route(CLI::App &app, Options &options, Texts &texts) {
  const auto size = CLI::AsSizeValue(true);
  app.add_option("--route", options.route.name, "route, as in the configuration (auto)");
  app.add_option("--io-layout", texts.io_layout, "numbers of I/O domains in x and y: nx,ny");
  app.add_option("--writers", texts.writers, "ranks that write: auto, self, n, or 'n per node' (auto)");
  app.add_option("--window", options.window_bytes,
                 "shared memory of a node for data on their way to the writers (64MiB)")
      ->transform(size)
      ->check(CLI::Range(16 * memory_page, longest));
  app.add_option("--stripe", options.stripe_bytes, "size of a stripe of the file (1MiB)")
      ->transform(size)
      ->check(CLI::Range(memory_page, longest));
  CLI::Option *count =
      app.add_option("--stripe-count", options.stripe_count, "number of storage targets of the file (1)")
          ->check(CLI::Range(1, 1000000));
  app.add_option("--targets", options.targets,
                 "storage targets of a Lustre or BeeGFS file system: the file gets the stripes of "
                 "'file_system.stripe_count: auto'")
      ->check(CLI::Range(1, 1000000))
      ->excludes(count);
  app.add_option("--offset", options.offset_bytes, "offset of the field in the file (8KiB)")
      ->transform(size)
      ->check(CLI::Range(int64_t{4}, longest));
  CLI::Option *shared =
      app.add_flag("--shared-fs", texts.shared, "all nodes share the file system (the default with several nodes)");
  app.add_flag("--local-fs", texts.local, "nodes do not share the file system, as on one machine with emulated nodes")
      ->excludes(shared);
}

void add_output(CLI::App &app, Options &options) {
  app.add_option("--svg", options.svg, "draws the plan into this file");
  app.add_option("--json", options.json, "writes the numbers to this file");
  app.add_option("--rank", options.rank, "prints what this rank owns, and how many bytes it sends to which rank")
      ->check(CLI::Range(0, 999999));
  CLI::Option *chunks =
      app.add_flag("--chunks", options.chunks, "prints how a compressed netCDF-4 file would be divided into chunks");
  app.add_option("--variables", options.variables, "variables of that file, all like the field (1)")
      ->check(CLI::Range(1, 100000))
      ->needs(chunks);
  app.add_flag("--flows", options.flows, "lists how many bytes each rank sends to each rank");
  app.add_option("--most", options.most, "largest number of lines of a list; omitted lines are counted (50)")
      ->check(CLI::Range(1, 100000000));
}

void add_prediction(CLI::App &app, Options &options) {
  CLI::Option *predict =
      app.add_option("--predict", options.machine, "predicts the seconds of each phase on the machine of this profile");
  CLI::Option *what =
      app.add_option("--case", options.case_path, "a description from sv-bench --describe, instead of a field");
  CLI::Option *list = app.add_option("--configurations", options.configurations,
                                     "a JSON array of configurations, each an object of keys; each is predicted");
  app.add_flag("--choose", options.choose,
               "predicts all routes, I/O layouts and numbers of writers, and lists the best")
      ->needs(predict)
      ->excludes(what);
  what->needs(list)->needs(predict);
  list->needs(what);
  app.add_option("--set", options.settings,
                 "settings of the configuration by which the field is stored: store=netcdf4 compression=deflate:1 "
                 "chunks=1,270,360")
      ->needs(predict)
      ->excludes(what);
  app.add_option("--ratio", options.compress_ratio, "bytes that compression leaves of a byte (as the profile says)")
      ->check(sv_tools::between(0.001, 2.0))
      ->needs(predict);
  app.add_option(
         "--servers", options.servers,
         "number of server ranks, in addition to those of the layout; with --predict: servers of the predicted run")
      ->check(CLI::Range(1, 1000000))
      ->excludes(app.get_option("--points"));
  app.add_option("--steps", options.steps, "number of steps of the run with servers; each writes a field (1)")
      ->check(CLI::Range(1, 1000000))
      ->needs(predict);
  app.add_option("--compute", options.compute_seconds, "seconds that the model computes before each step (0)")
      ->check(sv_tools::between(0.0, 1e9))
      ->needs(predict);
  app.add_option("--server-memory", options.server_memory_bytes,
                 "memory of a node for data that the servers have not written (256MiB)")
      ->transform(CLI::AsSizeValue(true))
      ->check(CLI::Range(int64_t{1} << 20, longest));
}

}  // namespace

bool parse(int argc, char **argv, Options &options, int &exit_code) {
  CLI::App app(
      "Prints and draws the plan of one field: which rank sends which data to which rank, and which rank writes which "
      "data. Needs no MPI.");
  app.name("sv-plan");
  sv_tools::print_usage(app);
  app.set_version_flag("--version", "sv-plan " SV_VERSION);
  Texts texts;
  add_field(app, options, texts);
  add_route(app, options, texts);
  add_output(app, options);
  add_prediction(app, options);
  // Options that show or count single blocks.
  for (const char *of_blocks : {"--mask", "--svg", "--rank", "--chunks", "--flows", "--choose", "--case", "--set"})
    app.get_option("--points")->excludes(app.get_option(of_blocks));
  try {
    app.parse(argc, argv);
    interpret(texts, options);
    return true;
  } catch (const CLI::ParseError &error) {
    exit_code = sv_tools::parse_failure(app, error);
    return false;
  }
}

}  // namespace sv_plan
