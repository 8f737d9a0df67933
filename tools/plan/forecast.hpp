// How long a case takes with a configuration: the plans of its fields, summed over variables, steps and files.
#pragma once

#include <string>
#include <vector>

#include "case.hpp"
#include "config/settings.hpp"
#include "prediction/prediction.hpp"

namespace sv_plan {

/// By whom the output of a run is written: by the calls, by a thread of each node behind them, or by ranks that serve.
enum class Writing { calls, threads, servers };
/// The alternatives among which a run with these settings chooses; one, unless `servers` begins with auto.
std::vector<Writing> writings_of(const sv::ServerRequest &asked);

/// Seconds of a whole run. `total` = open + compute + blocked + read + close: pack, send and write are parts of
/// `blocked`, what the model spends inside output calls, as far as they are not hidden.
struct Forecast {
  double open = 0, pack = 0, compress = 0, send = 0, write = 0, read = 0, close = 0, blocked = 0, total = 0;
  std::string limit;
  int writers = 0, cores = 0;  // cores: all ranks, servers included
  Writing writing = Writing::calls;
};

/// A configuration and, of the storage and not of the library, the targets of a file (0: all).
struct Configuration {
  sv::Settings settings;
  int stripes = 0;
};

/// Of netCDF-C, which fills it from the file for any part that is read.
constexpr double read_buffer_bytes = 8192;

/// Some of the fields of a file that are alike: `number` of them take what this one does.
struct FieldCounts {
  sv::PlanCounts counts;
  double number = 1;
};

struct FileCounts {
  bool reads = false;
  double times = 1;
  int64_t steps = 1;
  std::vector<int64_t> after;   // of its outputs, see CaseFile
  double bytes = 0;             // of all values
  double collective_calls = 0;  // of a step
  int readers = 1;
  bool is_netcdf4 = false;
  int64_t commits = 1;              // each of them writes the data that were compressed last
  bool by_itself = false;           // the workload reads it, each rank its part
  double most_node_reads = 0;       // such reads on a node, of all steps
  double most_node_rows = 0;        // and the rows of which they take a part
  std::vector<FieldCounts> fields;  // of all steps, written one after the other
  sv::PlanCounts step;              // where servers or threads write: all fields of a step
};

/// The counts do not depend on how fast the machine is, only on its targets.
struct CaseCounts {
  Writing writing = Writing::calls;
  std::vector<FileCounts> files;
  int computing = 1, computing_on_node = 1, servers = 0, writers = 0;
  int64_t steps = 1, server_memory_bytes = 0;
  double compute_seconds = 0;
};

/// Throws sv::Error where the prediction does not know what these settings cost.
void require_known(const sv::Settings &settings);
/// Throws sv::Error with the reason where the library would refuse the configuration, or the prediction does not know
/// what it costs.
CaseCounts counts_of(const Case &what, const Configuration &configuration, const sv::Machine &machine, Writing writing);
/// Of the quickest of these alternatives, as a run that chooses finds it.
Forecast forecast(const std::vector<CaseCounts> &alternatives, const sv::Machine &machine);

}  // namespace sv_plan
