#include "machine.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "config/profile_lines.hpp"
#include "input.hpp"

namespace sv_plan {

namespace {

struct Key {
  const char *name;
  double *to;
  double least;
  bool needed;
};

[[noreturn]] void refuse_profile(const std::string &path, const std::string &cause, const std::string &remedy) {
  throw sv::Error(sv::Status::config, cause, remedy).in_file(path);
}

std::map<std::string, std::string> read_lines(const std::string &path) {
  return sv::profile_lines(input_text(path, "the machine profile", "Name a machine profile (docs/prediction.md)"),
                           path);
}

void set(const std::string &path, const Key &key, std::map<std::string, std::string> &values) {
  const auto found = values.find(key.name);
  if (found == values.end()) {
    if (key.needed)
      refuse_profile(path, std::string("'") + key.name + "' is missing", "docs/prediction.md explains it");
    return;
  }
  *key.to = sv::profile_number(key.name, found->second, key.least, path);
  values.erase(found);
}

}  // namespace

sv::Machine faster(sv::Machine m, double factor) {
  for (double *rate : {&m.pack_bytes_per_second, &m.memory_bytes_per_second, &m.message_bytes_per_second,
                       &m.writer_bytes_per_second, &m.storage_bytes_per_second, &m.sustained_bytes_per_second,
                       &m.target_bytes_per_second, &m.compress_bytes_per_second, &m.compress_node_bytes_per_second,
                       &m.read_bytes_per_second, &m.storage_read_bytes_per_second})
    *rate *= factor;
  for (double *seconds :
       {&m.message_seconds, &m.write_seconds, &m.lock_seconds, &m.open_seconds, &m.open_seconds_per_rank,
        &m.put_seconds, &m.put_seconds_per_rank, &m.read_seconds, &m.read_row_seconds, &m.netcdf4_file_seconds,
        &m.netcdf4_variable_seconds, &m.agreement_seconds, &m.agreement_seconds_per_rank, &m.core_turn_seconds})
    *seconds /= factor;
  return m;
}

MachineProfile read_machine(const std::string &path) {
  constexpr double slowest = 1, largest_stripe_bytes = 0x1p40;  // byte per second
  MachineProfile profile;
  sv::Machine &m = profile.machine;
  double cores = 1, targets = 0;
  const std::vector<Key> keys{{"cores_per_node", &cores, 1, true},
                              {"pack_bytes_per_second", &m.pack_bytes_per_second, slowest, true},
                              {"memory_bytes_per_second", &m.memory_bytes_per_second, slowest, true},
                              {"core_turn_seconds", &m.core_turn_seconds, 0, false},
                              {"message_seconds", &m.message_seconds, 0, true},
                              {"message_bytes_per_second", &m.message_bytes_per_second, slowest, true},
                              {"writer_bytes_per_second", &m.writer_bytes_per_second, slowest, true},
                              {"storage_bytes_per_second", &m.storage_bytes_per_second, slowest, true},
                              {"write_seconds", &m.write_seconds, 0, true},
                              {"lock_seconds", &m.lock_seconds, 0, false},
                              {"open_seconds", &m.open_seconds, 0, true},
                              {"open_seconds_per_rank", &m.open_seconds_per_rank, 0, false},
                              {"burst_bytes", &m.burst_bytes, 0, false},
                              {"sustained_bytes_per_second", &m.sustained_bytes_per_second, slowest, false},
                              {"targets", &targets, 0, false},
                              {"target_bytes_per_second", &m.target_bytes_per_second, 0, false},
                              {"stripe_bytes", &m.stripe_bytes, 4096, false},
                              {"agreement_seconds", &m.agreement_seconds, 0, false},
                              {"agreement_seconds_per_rank", &m.agreement_seconds_per_rank, 0, false},
                              {"put_seconds", &m.put_seconds, 0, false},
                              {"put_seconds_per_rank", &m.put_seconds_per_rank, 0, false},
                              {"read_seconds", &m.read_seconds, 0, false},
                              {"read_row_seconds", &m.read_row_seconds, 0, false},
                              {"writer_core_part", &m.writer_core_part, 0, false},
                              {"netcdf4_file_seconds", &m.netcdf4_file_seconds, 0, false},
                              {"netcdf4_variable_seconds", &m.netcdf4_variable_seconds, 0, false},
                              {"read_bytes_per_second", &m.read_bytes_per_second, 0, false},
                              {"storage_read_bytes_per_second", &m.storage_read_bytes_per_second, 0, false},
                              {"band", &profile.band, 1, false}};
  std::map<std::string, std::string> values = read_lines(path);
  for (const Key &key : keys) set(path, key, values);
  profile.codecs = take_codecs(values, path);
  // Of writing, and where and when it was measured: for the library.
  for (const char *of_library :
       {"write_depth", "direct_io", "synced_write_depth", "synced_direct_io", "directory", "measured"})
    values.erase(of_library);
  if (!values.empty())
    refuse_profile(path, "'" + values.begin()->first + "' is no key of a profile", "docs/prediction.md lists them");
  if (m.burst_bytes > 0 && m.sustained_bytes_per_second <= 0)
    refuse_profile(path, "'sustained_bytes_per_second' is missing", "burst_bytes requires it");
  if (targets > 0 && m.target_bytes_per_second <= 0)
    refuse_profile(path, "'target_bytes_per_second' is missing", "targets requires it");
  if (m.stripe_bytes > largest_stripe_bytes)
    refuse_profile(path, "'stripe_bytes' is out of range", "Give at most 2^40");
  m.targets = static_cast<int>(std::min(targets, 1e6));
  m.cores_per_node = static_cast<int>(std::min(cores, 1e6));
  return profile;
}

}  // namespace sv_plan
