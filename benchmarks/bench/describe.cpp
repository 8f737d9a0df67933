#include "describe.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace sv_bench {

namespace {

using nlohmann::json;

bool alike(const Schema &schema, const Variable &a, const Variable &b) {
  return a.type.number == b.type.number && schema.is_record(a) == schema.is_record(b) &&
         schema.shape(a) == schema.shape(b);
}

/// Neighbours that are alike are one entry with a count.
json variables_of(const Schema &schema) {
  json variables = json::array();
  const Variable *before = nullptr;
  for (const Variable &variable : schema.variables) {
    if (before != nullptr && alike(schema, *before, variable)) {
      variables.back()["count"] = variables.back()["count"].get<int64_t>() + 1;
      continue;
    }
    before = &variable;
    variables.push_back({{"shape", schema.shape(variable)},
                         {"type", variable.type.name},
                         {"count", 1},
                         {"records", schema.is_record(variable) ? schema.records : 0}});
  }
  return variables;
}

/// The largest number of ranks on a node, or the number that the settings pretend.
int ranks_per_node(const Team &all, const Options &options) {
  int pretended = 0;
  if (const char *text = std::getenv("SV_TESTING_RANKS_PER_NODE")) pretended = std::atoi(text);
  for (const std::string &setting : options.settings)
    if (setting.rfind("testing.ranks_per_node=", 0) == 0)
      pretended = std::atoi(setting.c_str() + setting.find('=') + 1);
  MPI_Comm node = MPI_COMM_NULL;
  if (MPI_Comm_split_type(all.comm, MPI_COMM_TYPE_SHARED, all.rank, MPI_INFO_NULL, &node) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot tell which ranks share a node");
  int most = 0;
  MPI_Comm_size(node, &most);
  MPI_Comm_free(&node);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, all.comm);
  return pretended > 0 ? pretended : most;
}

}  // namespace

void describe(const Description &what, const Options &options) {
  const Team all(MPI_COMM_WORLD);
  const int per_node = ranks_per_node(all, options);
  if (all.rank != 0) return;
  json files = json::array();
  for (const DescribedFile &file : what.files) {
    files.push_back(
        {{"name", file.name}, {"reads", file.reads}, {"times", file.times}, {"variables", variables_of(file.schema)}});
    if (!file.reading.empty()) files.back()["reading"] = file.reading;
    if (!file.after.empty()) files.back()["after"] = file.after;
  }
  const json document{{"workload", what.workload},
                      {"ranks", all.ranks},
                      {"layout", {what.layout.x, what.layout.y}},
                      {"ranks_per_node", per_node},
                      {"steps", what.steps},
                      {"compute_seconds", what.compute_seconds},
                      {"files", files}};
  std::ofstream file(options.describe);
  file << document.dump(2) << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + options.describe + "'");
}

}  // namespace sv_bench
