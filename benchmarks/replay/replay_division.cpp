#include "replay_division.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace sv_bench {

namespace {

constexpr int64_t least_values_per_rank = 1024;  // of a variable of one dimension, for it to be divided

std::vector<std::string> names_in(const std::string &over) {
  std::vector<std::string> names;
  std::istringstream stream(over);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

/// How many dimensions are larger than this one, or as large and faster.
int larger(const std::vector<int64_t> &shape, size_t dim) {
  int count = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    count += shape[d] > shape[dim] || (shape[d] == shape[dim] && d > dim) ? 1 : 0;
  return count;
}

/// Positions among the variable's dimensions, records left out, that are divided: ascending, at most two. `shape`:
/// Schema::shape.
std::vector<size_t> divided_dims(const Schema &schema, const Variable &variable, const std::string &over) {
  const std::vector<int64_t> shape = schema.shape(variable);
  const size_t first = variable.dims.size() - shape.size();
  const std::vector<std::string> names = names_in(over);
  const auto is_wished = [&](size_t d) {
    if (over.empty()) return d + 2 >= shape.size();
    if (over == "largest") return larger(shape, d) < 2;
    const std::string &name = schema.dims[static_cast<size_t>(variable.dims[first + d])].name;
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<size_t> chosen;
  for (size_t d = shape.size(); d-- > 0 && chosen.size() < 2;) {
    if (is_wished(d)) chosen.push_back(d);
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

void require_replayable(const Schema &schema, const ReplayWish &wish) {
  if (schema.variables.empty()) throw std::invalid_argument("the header has no variables: there is nothing to write");
  for (const Variable &variable : schema.variables) {
    for (size_t d = 1; d < variable.dims.size(); ++d) {
      if (schema.dims[static_cast<size_t>(variable.dims[d])].length == 0)
        throw std::invalid_argument("variable '" + variable.name +
                                    "': its record dimension is not the first, which only netCDF-4 has");
    }
  }
  if (wish.over == "largest") return;
  for (const std::string &name : names_in(wish.over)) {
    const auto same = [&name](const Dimension &dim) { return dim.name == name && dim.length > 0; };
    if (std::none_of(schema.dims.begin(), schema.dims.end(), same))
      throw std::invalid_argument("--over: the file has no dimension '" + name + "' that could be divided");
  }
}

/// The block of this rank of a variable; `divided` as divided_dims.
Region share_of(const std::vector<int64_t> &shape, const std::vector<size_t> &divided, const ReplayWish &wish,
                const Team &team) {
  Region share{std::vector<int64_t>(shape.size()), shape};
  const auto divide = [&](size_t d, int parts, int part) {
    if (sv_block(shape[d], parts, part, &share.start[d], &share.count[d]) != SV_OK)
      throw std::runtime_error(std::string("sv_block: ") + sv_message());
  };
  int64_t elements = 1;
  for (const int64_t length : shape) elements *= length;
  if (divided.size() == 2) {
    divide(divided[0], wish.py, team.rank / wish.px);
    divide(divided[1], wish.px, team.rank % wish.px);
  } else if (divided.size() == 1 && elements >= least_values_per_rank * team.ranks) {
    divide(divided[0], team.ranks, team.rank);
  } else if (team.rank > 0) {
    share.count.assign(shape.size(), 0);
  }
  return share;
}

/// The number of the grid whose block this is, in the workload's list, which it may join. Grids are the dimensions from
/// the first divided one on, and so shared by variables that differ in those before.
int grid_of(Workload &workload, const std::vector<int64_t> &shape, const std::vector<size_t> &divided,
            const Region &share) {
  if (shape.empty()) return -1;
  const auto first = static_cast<std::ptrdiff_t>(divided.empty() ? 0 : divided.front());
  const Grid grid{{shape.begin() + first, shape.end()},
                  {share.start.begin() + first, share.start.end()},
                  {share.count.begin() + first, share.count.end()}};
  const auto same = [&grid](const Grid &other) {
    return other.shape == grid.shape && other.start == grid.start && other.count == grid.count;
  };
  for (size_t g = 0; g < workload.grids.size(); ++g) {
    if (workload.team.all(same(workload.grids[g]))) return static_cast<int>(g);
  }
  workload.grids.push_back(grid);
  return static_cast<int>(workload.grids.size()) - 1;
}

Access access_of(Workload &workload, int number, const ReplayWish &wish) {
  const Schema &schema = workload.schema;
  const Variable &variable = schema.variables[static_cast<size_t>(number)];
  const std::vector<int64_t> shape = schema.shape(variable);
  const std::vector<size_t> divided = divided_dims(schema, variable, wish.over);
  const Region share = share_of(shape, divided, wish, workload.team);
  Access access{number, {{share.start, share.count}}, {}};
  access.grid = grid_of(workload, shape, divided, share);
  if (!schema.is_record(variable)) return access;
  Region &region = access.regions.front();
  region.start.insert(region.start.begin(), 0);
  region.count.insert(region.count.begin(), shape.empty() && workload.team.rank > 0 ? 0 : 1);
  return access;
}

}  // namespace

Schema replayed_schema(Schema schema, const ReplayWish &wish) {
  require_replayable(schema, wish);
  const bool any = std::any_of(schema.variables.begin(), schema.variables.end(),
                               [&schema](const Variable &variable) { return schema.is_record(variable); });
  schema.records = any ? std::max<int64_t>(1, wish.records >= 0 ? wish.records : schema.records) : 0;
  std::set<int> smaller;
  for (const Variable &variable : schema.variables) {
    const std::vector<size_t> divided = divided_dims(schema, variable, wish.over);
    const size_t first = variable.dims.size() - schema.shape(variable).size();
    for (const size_t d : divided) {
      if (divided.size() == 2 || !wish.over.empty()) smaller.insert(variable.dims[first + d]);
    }
  }
  for (const int d : smaller) {
    int64_t &length = schema.dims[static_cast<size_t>(d)].length;
    length = std::max<int64_t>(1, length / wish.scale);
  }
  return schema;
}

int64_t workload_bytes(const Schema &schema, int ranks) {
  double record = 0, fixed = 0, variables = 0;
  for (const Variable &variable : schema.variables) {
    double bytes = static_cast<double>(variable.type.bytes);
    for (const int64_t length : schema.shape(variable)) bytes *= static_cast<double>(length);
    (schema.is_record(variable) ? record : fixed) += bytes;
    variables += schema.is_record(variable) ? static_cast<double>(schema.records) : 1;
  }
  // The first rank of the serial gather has the tables of all, and packs and orders a variable.
  constexpr double most = 9e18, table = 4 * sizeof(Box);
  const double values = (record + fixed) / ranks + variables * table * 2;
  return static_cast<int64_t>(std::min(values, most));
}

std::unique_ptr<Workload> divided_workload(MPI_Comm comm, const Schema &schema, const ReplayWish &wish) {
  auto workload = std::make_unique<Workload>(comm, schema);
  workload->reuse_memory();
  workload->piece_bytes = 1;  // a slab at a time: of one step
  std::vector<Access> accesses;
  for (int v = 0; v < static_cast<int>(schema.variables.size()); ++v) accesses.push_back(access_of(*workload, v, wish));
  const auto is_record = [&workload](const Access &access) {
    return workload->schema.is_record(workload->variable(access));
  };
  // Records first, so that they stand where they do in later steps.
  for (int64_t step = 0; step < std::max<int64_t>(1, schema.records); ++step) {
    for (const bool records : {true, false}) {
      for (Access access : accesses) {
        if (is_record(access) != records || (step > 0 && !records)) continue;
        if (records) access.regions.front().start[0] = step;
        workload->add(access);
      }
    }
    workload->end_step();
  }
  workload->fill();
  return workload;
}

}  // namespace sv_bench
