#include "file/range_errors.hpp"

#include <map>

#include "base/warning.hpp"
#include "mpi/packets.hpp"

namespace sv {

namespace {

constexpr size_t shown_bytes = 40;  // a number in words is shorter

/// A rank's report about a variable.
struct Reported {
  int64_t values = 0;
  int variable = 0;
  char first[shown_bytes] = "";
};

std::vector<Reported> own_counts(const RangeErrors &range_errors) {
  std::vector<Reported> all;
  int variable = -1;
  for (const RangeErrors::Count &count : range_errors.of_variables()) {
    ++variable;
    if (count.values == 0) continue;
    all.push_back({count.values, variable, ""});
    count.first.text.copy(all.back().first, shown_bytes - 1);
  }
  return all;
}

}  // namespace

std::vector<RangeErrorReport> gather_range_errors(const Comm &comm, const RangeErrors &mine, const Schema &schema) {
  const std::vector<Reported> own = own_counts(mine);
  std::vector<Packet> outgoing;
  if (!own.empty()) outgoing.push_back(packet_of<Reported>(0, own));
  std::map<int, RangeErrorReport> of_variable;
  for (const Packet &packet : comm.exchange(outgoing))
    for (const Reported &reported : values_in<Reported>(packet)) {
      const auto [at, is_first] = of_variable.try_emplace(reported.variable);
      if (is_first)
        at->second = {schema.variables[static_cast<size_t>(reported.variable)].name, 0, reported.first, packet.rank};
      at->second.values += reported.values;
    }
  std::vector<RangeErrorReport> all;
  for (const auto &[variable, report] : of_variable) all.push_back(report);
  return all;
}

void warn_of(const std::string &path, const std::vector<RangeErrorReport> &range_errors) {
  for (const RangeErrorReport &each : range_errors)
    warn("file '" + path + "', variable '" + each.variable + "': " + std::to_string(each.values) +
         (each.values == 1 ? " value does" : " values do") +
         " not fit the type and became the nearest one that does (of NaN, the fill value): " + each.first +
         ", on rank " + std::to_string(each.first_rank) + (each.values == 1 ? "" : ", is the first") +
         ". Use a wider type, or set 'out_of_range' to error or fill");
}

}  // namespace sv
