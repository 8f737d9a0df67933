#include "options.hpp"

#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace sv_bench {

namespace {

/// "50x1080x1440" in numbers.
std::vector<int64_t> lengths(const std::string &text) {
  std::vector<int64_t> numbers;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, 'x');) {
    size_t used = 0;
    int64_t number = 0;
    try {
      number = std::stoll(part, &used);
    } catch (const std::logic_error &) {
      used = std::string::npos;  // neither a number nor in range
    }
    if (used != part.size() || number < 1) throw CLI::ValidationError("'" + text + "' is not like 50x1080x1440");
    numbers.push_back(number);
  }
  return numbers;
}

void read_shape(const std::string &text, Options &options) {
  const std::vector<int64_t> numbers = lengths(text);
  if (numbers.size() < 2 || numbers.size() > 3)
    throw CLI::ValidationError("--shape: give levels x rows x columns, or rows x columns, not '" + text + "'");
  options.shape = {numbers.size() == 3 ? numbers[0] : 1, numbers[numbers.size() - 2], numbers.back()};
}

void read_layout(const std::string &text, Options &options) {
  const std::vector<int64_t> numbers = lengths(text);
  if (numbers.size() != 2 || numbers[0] * numbers[1] > 1000000)
    throw CLI::ValidationError("--layout: give px x py, not '" + text + "'");
  options.px = static_cast<int>(numbers[0]);
  options.py = static_cast<int>(numbers[1]);
}

bool is_first_rank() {
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    const char *rank = std::getenv(name);
    if (rank != nullptr) return std::string(rank) == "0";
  }
  return true;
}

void add_common(CLI::App &app, Options &options, std::string &shape, std::string &layout) {
  app.add_option("--shape", shape, "lengths, slowest first: levels x rows x columns (50x1080x1440)");
  app.add_option("--layout", layout, "ranks in x and in y: px x py (as square as possible)");
  app.add_option("--type", options.type, "double, float or int")->check(CLI::IsMember({"double", "float", "int"}));
  app.add_option("--dir", options.directory, "where the files are written (.)");
  app.add_option("--repeat", options.repeat, "rounds (7)")->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json, "writes the results to this file");
  app.add_option("--device", options.device, "emulated storage: rate and perhaps latency (500MB/s,0.5ms)");
  app.add_option("--set", options.settings, "key=value: a setting of Sverdrup, for every route");
}

}  // namespace

bool Options::selects(const std::string &name, const std::string &store) const {
  const auto wanted = [this](const std::string &one) {
    return std::find(stores.begin(), stores.end(), one) != stores.end();
  };
  if (!store.empty() && !wanted(store)) return false;
  const bool rival = wanted(name.substr(0, name.find('.')));
  if (!stores.empty() && store.empty() && !rival && name != "floor" && name != "sverdrup.auto") return false;
  for (const std::string &pattern : only) {
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
  }
  return false;
}

bool parse(int argc, char **argv, Options &options, int &exit_code) {
  CLI::App app("Sverdrup's benchmarks; run with MPI, for example: mpiexec -n 16 sv-bench field --layout 4x4");
  app.name("sv-bench");
  app.require_subcommand(1);
  CLI::App *field =
      app.add_subcommand("field", "writes and reads a block-decomposed field, by every route and by the peers");
  CLI::App *patterns = app.add_subcommand(
      "patterns", "writes a field in the four patterns of Yang et al. (2020), Table 1, and joins what is in pieces");
  std::string shape, layout;
  for (CLI::App *each : {field, patterns}) add_common(*each, options, shape, layout);
  field->add_option("--only", options.only, "methods, with wildcards (sverdrup.auto,floor,read.*)")->delimiter(',');
  field->add_option("--store", options.stores, "stores, compared with the same libraries called directly")
      ->delimiter(',')
      ->check(CLI::IsMember({"pnetcdf", "netcdf4"}));
  field->add_flag("--memory", options.memory, "measures memory instead of time: PSS of all ranks beyond their field");
  try {
    app.parse(argc, argv);
    options.patterns = patterns->parsed();
    if (!shape.empty()) read_shape(shape, options);
    if (!layout.empty()) read_layout(layout, options);
    return true;
  } catch (const CLI::ParseError &error) {
    std::ostringstream out, err;
    exit_code = app.exit(error, out, err);
    if (is_first_rank()) {
      std::cout << out.str();
      std::cerr << err.str();
    }
    return false;
  }
}

}  // namespace sv_bench
