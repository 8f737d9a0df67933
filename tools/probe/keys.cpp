#include <algorithm>

#include "profile.hpp"

namespace sv_probe {

namespace {

std::string text(int64_t number) { return std::to_string(number); }
std::string megabytes(int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

Key median_of(const char *name, const char *unit, std::string how, const Samples &samples) {
  return {name, unit, median(samples), std::move(how), samples};
}

void add_memory(std::vector<Key> &keys, const Team &team, const Measured &m) {
  keys.push_back(
      {"cores_per_node", "", static_cast<double>(team.cores_per_node()), "that the ranks of a node may use", {}});
  keys.push_back(median_of("pack_bytes_per_second", "bytes/s",
                           "one core that leaves the halo out and swaps doubles into shared memory", m.pack_one));
  keys.push_back(median_of("memory_bytes_per_second", "bytes/s",
                           "the same, " + text(m.packers) + " ranks of a node together", m.pack_node));
  keys.back().value = std::max(keys.back().value, median(m.pack_one));
  if (!m.core_turn.empty())
    keys.push_back(median_of("core_turn_seconds", "s",
                             "for which a core works for one of " + text(team.ranks_on_first_node()) +
                                 " ranks of a node before it turns to the next",
                             m.core_turn));
}

void add_messages(std::vector<Key> &keys, const Team &team, const Measured &m) {
  const std::string between = team.pair_crosses_nodes() ? "between nodes" : "between two ranks of the only node";
  if (team.size() < 2) {
    keys.push_back({"message_seconds", "s", 0, "not measured: one rank", {}});
    keys.push_back(
        {"message_bytes_per_second", "bytes/s", median(m.pack_one), "not measured: one rank; that of packing", {}});
    return;
  }
  keys.push_back(median_of("message_seconds", "s", "8 bytes " + between + ", one way", m.message_seconds));
  keys.push_back(median_of("message_bytes_per_second", "bytes/s",
                           "messages of 1 MiB " + between + ", " + text(m.message_pairs) + " at a time",
                           m.message_rate));
  const Line line = line_through(m.agreement);
  const std::string how = "MPI_Allreduce of 1 to " + text(team.size()) + " ranks, the line through its medians";
  keys.push_back({"agreement_seconds", "s", line.first, how, {}});
  keys.push_back({"agreement_seconds_per_rank", "s", line.more, how, {}});
}

void add_writing(std::vector<Key> &keys, const Measured &m) {
  keys.push_back(median_of("writer_bytes_per_second", "bytes/s",
                           "one writer, calls of " + megabytes(call_bytes) + ", without what a call costs",
                           m.writer_rate));
  keys.push_back(median_of("writer_core_part", "", "of that writer's time, for which it has a core", m.writer_core));
  const Samples *best = nullptr;
  int best_writers = 1;
  for (const auto &[writers, rates] : m.writers) {
    if (best != nullptr && median(rates) <= median(*best)) continue;
    best = &rates;
    best_writers = writers;
  }
  keys.push_back(median_of(
      "storage_bytes_per_second", "bytes/s",
      "into one file, the most of 1 to " + text(m.writers.rbegin()->first) + " writers: " + text(best_writers), *best));
  keys.push_back(median_of(
      "write_seconds", "s",
      "one writer, calls of 4 KiB against those of " + (m.stripes.targets > 0 ? "a stripe" : megabytes(call_bytes)),
      m.write_seconds));
  if (!m.hand_over.empty()) {
    const bool clear = quantile(m.hand_over, 0.25) > 0;
    keys.push_back({"lock_seconds", "s", clear ? median(m.hand_over) : 0,
                    std::string("two ranks that write in turn into one stripe, against each into its own") +
                        (clear ? "" : ": no difference"),
                    m.hand_over});
  }
  keys.push_back({"stripe_bytes",
                  "bytes",
                  static_cast<double>(m.stripes.bytes),
                  m.stripes.targets > 1 ? m.stripes.how : "preferred size of a transfer, at least 1 MiB, or as given",
                  {}});
  if (m.stripes.targets < 1) return;
  keys.push_back({"targets", "", static_cast<double>(m.stripes.targets), m.stripes.how, {}});
  keys.push_back(median_of("target_bytes_per_second", "bytes/s",
                           "one writer, stripes that lie on one target, without what a call costs", m.target_rate));
}

void add_opening(std::vector<Key> &keys, const Team &team, const Measured &m) {
  const Line line = line_through(m.open);
  const std::string how = "1 to " + text(team.size()) + " ranks open a file, the line through its medians";
  keys.push_back({"open_seconds", "s", line.first, how, {}});
  keys.push_back({"open_seconds_per_rank", "s", line.more, how, {}});
}

// Without the bytes, and without the one write of each put.
void add_puts(std::vector<Key> &keys, const Team &team, const Measured &m) {
  const Line line = line_through(m.put);
  const std::string how = "sv_put of 64 bytes of each of 1 to " + text(team.size()) +
                          " ranks, without the write call: the line through its medians";
  keys.push_back({"put_seconds", "s", std::max(line.first - median(m.write_seconds), 0.0), how, {}});
  keys.push_back({"put_seconds_per_rank", "s", line.more, how, {}});
}

void add_burst(std::vector<Key> &keys, const Burst &burst) {
  if (!burst.fall.found) return;
  keys.push_back({"burst_bytes",
                  "bytes",
                  static_cast<double>(burst.fall.blocks_before * burst.block_bytes),
                  text(burst.writers) + " writers, until the rate fell below half",
                  {}});
  const Samples after(burst.rates.begin() + burst.fall.blocks_before, burst.rates.end());
  keys.push_back(median_of("sustained_bytes_per_second", "bytes/s", "the rate after that", after));
}

void add_others(std::vector<Key> &keys, const Team &team, const Measured &m) {
  keys.push_back(
      median_of("read_bytes_per_second", "bytes/s", "one reader, of bytes that other ranks wrote", m.read_one));
  keys.push_back(
      median_of("storage_read_bytes_per_second", "bytes/s", text(team.size()) + " readers together", m.read_all));
  keys.push_back(median_of("read_seconds", "s", "one reader, calls of 4 KiB, one after the other", m.read_seconds));
  if (!m.read_row.empty())
    keys.push_back(median_of("read_row_seconds", "s",
                             "one reader through netCDF-C, 15 of 16 columns against all of them", m.read_row));
}

/// Keys of a codec: codec_LIBRARY_LEVEL_…
void add_codecs(std::vector<Key> &keys, const Team &team, const Measured &m, const std::string &sample) {
  if (!m.netcdf4_file.empty()) {
    keys.push_back(
        median_of("netcdf4_file_seconds", "s", "a netCDF-4 file without values, by the store netcdf4", m.netcdf4_file));
    keys.push_back(median_of("netcdf4_variable_seconds", "s", "each variable of it, 33 against 1", m.netcdf4_variable));
  }
  const std::string together =
      ", " + text(std::min(team.cores_per_node(), team.ranks_on_first_node())) + " ranks of a node together";
  for (const auto &[codec, rates] : m.codecs) {
    const std::string prefix = "codec_" + codec.first + "_" + text(codec.second) + "_";
    const std::string out = "shuffle and " + codec.first + ", level " + text(codec.second) + ": values of " + sample;
    const auto add = [&](const char *name, const char *unit, const std::string &how, const Samples &samples) {
      keys.push_back(median_of("", unit, how, samples));
      keys.back().name = prefix + name;
    };
    add("bytes_per_second", "bytes/s", out + " that one core compresses", rates.out);
    add("node_bytes_per_second", "bytes/s", "the same" + together, rates.out_node);
    add("read_bytes_per_second", "bytes/s", "the same that one core reads from such chunks", rates.in);
    add("node_read_bytes_per_second", "bytes/s", "the same" + together, rates.in_node);
    add("ratio", "", "bytes left of a byte of these values", rates.ratio);
  }
}

void add_policies(std::vector<Key> &keys, const Measured &m) {
  const auto add = [&](const std::string &prefix, const std::string &what, const PolicyRates &rates) {
    const Choice choice = best_policy(rates);
    const std::string refused = m.refuses_direct ? "; the file system refuses to write past the page cache" : "";
    const std::string how = "large writes of one writer, " + what + ": " + choice.why + refused;
    keys.push_back({prefix + "write_depth", "", static_cast<double>(choice.policy.depth), how, {}});
    keys.push_back(
        {prefix + "direct_io", "", choice.policy.direct ? 1.0 : 0.0, "the same; 1: past the page cache", {}});
  };
  add("", "until the system has taken them", m.written_policies);
  add("synced_", "until they are on the disk", m.synced_policies);
}

// How far the rates that decide most went apart.
double band_of(const Measured &m) {
  constexpr double least = 1.1;
  double band = least;
  for (const Samples *samples : {&m.pack_one, &m.pack_node, &m.message_rate, &m.writer_rate, &m.target_rate})
    band = std::max(band, spread(*samples));
  for (const auto &[writers, rates] : m.writers) band = std::max(band, spread(rates));
  return band;
}

}  // namespace

std::vector<Key> keys_of(const Team &team, const Run &run) {
  const Measured &m = run.measured;
  std::vector<Key> keys;
  add_memory(keys, team, m);
  add_messages(keys, team, m);
  add_writing(keys, m);
  add_opening(keys, team, m);
  add_puts(keys, team, m);
  add_burst(keys, m.burst);
  add_others(keys, team, m);
  add_codecs(keys, team, m, run.sample);
  add_policies(keys, m);
  keys.push_back({"band",
                  "",
                  band_of(m),
                  "the largest spread of a rate above: its upper quartile over its lower one, at least 1.1",
                  {}});
  return keys;
}

}  // namespace sv_probe
