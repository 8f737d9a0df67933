// sv-bench small: many small things, of which each should cost what one rank alone would need for it: files, variables
// with attributes, appended records, and opening a file of many variables for one of them.
#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <memory>
#include <string>

#include "command.hpp"
#include "methods/collected.hpp"
#include "methods/serial_netcdf.hpp"
#include "methods/several.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

/// 0: the default of the kind.
struct SmallOptions {
  std::string kind = "variables";
  int64_t files = 0, variables = 0, records = 0;
  int64_t attributes = 5;  // of each variable
  std::vector<int64_t> shape{25, 40};
  int px = 0, py = 0;
};

struct Sizes {
  int64_t files, variables, records;  // records 0: variables without them
};

Sizes usual(const std::string &kind) {
  if (kind == "files") return {100, 10, 0};
  if (kind == "appends") return {1, 1, 1000};
  if (kind == "open") return {1, 1000, 0};
  return {1, 500, 0};
}

void complete(SmallOptions &mine) {
  const Sizes sizes = usual(mine.kind);
  if (mine.files == 0) mine.files = sizes.files;
  if (mine.variables == 0) mine.variables = sizes.variables;
  if (mine.records == 0) mine.records = sizes.records;
  complete_layout(mine.px, mine.py);
  if (mine.shape[0] < mine.py || mine.shape[1] < mine.px)
    throw std::invalid_argument("--shape has fewer rows or columns than --layout has ranks");
  if (mine.kind == "open" && mine.files > 1)
    throw std::invalid_argument("--kind open reads one file: leave out --files");
}

std::vector<Attribute> attributes_of(int64_t count) {
  std::vector<Attribute> attributes;
  const std::string value = "what a user reads of it";
  std::vector<std::byte> bytes(value.size());
  std::transform(value.begin(), value.end(), bytes.begin(), [](char one) { return static_cast<std::byte>(one); });
  for (int64_t a = 0; a < count; ++a)
    attributes.push_back({"attribute" + std::to_string(a), SV_CHAR, std::ssize(value), bytes});
  return attributes;
}

Schema schema_of(const SmallOptions &mine) {
  Schema schema;
  schema.records = mine.records;
  if (mine.records > 0) schema.dims.push_back({"time", 0});
  schema.dims.push_back({"y", mine.shape[0]});
  schema.dims.push_back({"x", mine.shape[1]});
  std::vector<int> dims;
  for (int d = 0; d < static_cast<int>(schema.dims.size()); ++d) dims.push_back(d);
  for (int64_t v = 0; v < mine.variables; ++v)
    schema.variables.push_back({"v" + std::to_string(v), element_type("double"), dims, attributes_of(mine.attributes)});
  return schema;
}

/// One file of this kind: all of its variables, or the one that is read of a file of many.
std::unique_ptr<Workload> small_file(const SmallOptions &mine) {
  auto workload = std::make_unique<Workload>(MPI_COMM_WORLD, schema_of(mine));
  const Schema &schema = workload->schema;
  workload->grid = block_grid(mine.shape[0], mine.shape[1], {mine.px, mine.py}, workload->team.rank, 0);
  const int first = mine.kind == "open" ? static_cast<int>(mine.variables) - 1 : 0;
  for (int64_t record = 0; record < std::max<int64_t>(1, mine.records); ++record) {
    for (int v = first; v < mine.variables; ++v) workload->add(block_access(schema, v, *workload->grid, record));
    workload->end_step();
  }
  workload->fill();
  return workload;
}

std::vector<Peer> file_peers(const Workload &workload, const SmallOptions &mine,
                             const std::vector<std::string> &settings) {
  if (mine.kind == "open")
    return {sverdrup_peer("sverdrup", workload, true, Way::each, settings),
            pnetcdf_peer("pnetcdf", workload, true, Way::each), netcdf_read_peer(workload)};
  return {sverdrup_peer("sverdrup.per_variable", workload, false, Way::each, settings),
          sverdrup_peer("sverdrup.step", workload, false, Way::step, settings),
          pnetcdf_peer("pnetcdf.per_variable", workload, false, Way::each),
          pnetcdf_peer("pnetcdf.iput_record", workload, false, Way::step),
          gather_netcdf_peer("gather", workload, {mine.px, mine.py}),
          gather_and_send_to_peer("gather.confirmed", workload, {mine.px, mine.py}),
          gather_peer("floor", workload)};
}

/// The same methods, each of which writes one file after the other.
std::vector<Peer> files_peers(const Workload &workload, const SmallOptions &mine,
                              const std::vector<std::string> &settings) {
  Schedule schedule{workload.team, {}, {}};
  for (int64_t f = 0; f < mine.files; ++f) schedule.files.push_back({&workload, std::to_string(f)});
  schedule.moments = one_after_the_other(schedule.files, "");
  std::vector<std::string> combined = settings;
  combined.emplace_back("combine=step");
  const auto by = [&](const std::string &name, const std::function<Peer(const Workload &)> &writer) {
    return several_peer(name, schedule, [=](const ModelFile &file) { return writer(*file.workload); });
  };
  const Ranks ranks{mine.px, mine.py};
  return {sverdrup_several_peer("sverdrup.per_variable", schedule, settings, true),
          sverdrup_several_peer("sverdrup.step", schedule, combined, true),
          by("sverdrup.context_each", [settings](const Workload &w) { return sverdrup_once_peer("", w, settings); }),
          by("pnetcdf.per_variable", [](const Workload &w) { return pnetcdf_peer("", w, false, Way::each); }),
          by("pnetcdf.iput_record", [](const Workload &w) { return pnetcdf_peer("", w, false, Way::step); }),
          by("gather", [ranks](const Workload &w) { return gather_netcdf_peer("", w, ranks); }),
          by("gather.confirmed", [ranks](const Workload &w) { return gather_and_send_to_peer("", w, ranks); })};
}

std::string title_of(const SmallOptions &mine) {
  const std::string cells = std::to_string(mine.shape[0]) + "x" + std::to_string(mine.shape[1]) + " doubles",
                    variables = std::to_string(mine.variables) + " variables with " + std::to_string(mine.attributes) +
                                " attributes, " + cells;
  if (mine.kind == "open") return "one of " + variables;
  if (mine.records > 0) return std::to_string(mine.records) + " records of " + variables;
  return std::to_string(mine.files) + " file" + (mine.files > 1 ? "s" : "") + " of " + variables;
}

void run(SmallOptions mine, const Options &options) {
  complete(mine);
  const std::unique_ptr<Workload> workload = small_file(mine);
  const std::vector<Peer> peers =
      mine.files > 1 ? files_peers(*workload, mine, options.settings) : file_peers(*workload, mine, options.settings);
  Case what{"small",
            title_of(mine),
            {{"kind", mine.kind},
             {"files", mine.files},
             {"variables", mine.variables},
             {"attributes", mine.attributes},
             {"records", mine.records},
             {"shape", mine.shape},
             {"layout", {mine.px, mine.py}}}};
  what.bytes = mine.files * workload->schema.bytes();
  measure(what, *workload, peers, options);
}

void add_options(CLI::App &app, SmallOptions &mine) {
  app.add_option(
         "--kind", mine.kind,
         "variables: a file of 500; files: 100 of 10 variables; appends: 1000 records of one variable; open: opens "
         "a file of 1000 variables and reads one (variables)")
      ->check(CLI::IsMember({"variables", "files", "appends", "open"}));
  app.add_option("--files", mine.files, "number of files (of the kind)")->check(CLI::Range(1, 100000));
  app.add_option("--vars", mine.variables, "number of variables of a file (of the kind)")->check(CLI::Range(1, 100000));
  app.add_option("--records", mine.records, "number of records (of the kind)")->check(CLI::Range(1, 1000000));
  app.add_option("--attributes", mine.attributes, "number of attributes of a variable (5)")->check(CLI::Range(0, 1000));
  add_cells(app, "--shape", "cells of a variable: rows x columns (25x40)", mine.shape);
  add_layout(app, mine.px, mine.py);
}

}  // namespace

Command small_command() {
  const auto mine = std::make_shared<SmallOptions>();
  return {"small", "writes many small things: files, variables, records; or opens a file of many variables",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
