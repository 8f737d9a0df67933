#include <cstdarg>
#include <cstdio>

#include "report/amounts.hpp"
#include "report/metrics.hpp"

namespace sv {

namespace {

constexpr size_t columns = 100;

__attribute__((format(printf, 1, 2))) std::string formatted(const char *format, ...) {
  char line[columns + 1];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return length < 0 ? std::string() : std::string(line);
}

/// Where to cut a line of at most `width` columns (code points of UTF-8): at a blank if there is one, else in the word.
size_t cut_of(const std::string &text, size_t width) {
  const size_t word = text.find_first_not_of(' ');
  size_t at = 0, blank = 0;
  for (size_t column = 0; at < text.size(); ++column) {
    if (text[at] == ' ' && at > word) blank = at;
    if (column == width) return blank > 0 ? blank : at;
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  return at;
}

/// The text in lines of at most `columns`; all but the first begin with `indent` blanks. Its own line ends become
/// blanks.
std::string wrapped(std::string text, size_t indent) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  std::string lines;
  while (true) {
    const std::string margin(lines.empty() ? 0 : indent, ' ');
    const size_t cut = cut_of(text, columns - margin.size());
    const size_t end = text.find_last_not_of(' ', cut - 1);
    lines += margin + text.substr(0, end + 1) + '\n';
    const size_t rest = text.find_first_not_of(' ', cut);
    if (rest == std::string::npos) return lines;
    text = text.substr(rest);
  }
}

std::string phase_line(std::string_view name, const Spread &spread) {
  return formatted("  %-10.*s %12.4f %12.4f %12d\n", static_cast<int>(name.size()), name.data(), spread.max,
                   spread.mean, spread.max_rank);
}

std::string phases_table(const std::vector<Metrics> &per_rank) {
  std::string table = formatted("  %-10s %12s %12s %12s\n", "phase", "max s", "mean s", "slowest PE");
  for (int phase = 0; phase < phases; ++phase) {
    const auto which = static_cast<Phase>(phase);
    table += phase_line(name_of(which), spread_of(which, per_rank));
  }
  return table + phase_line("total", spread_of_total(per_rank));
}

std::string traffic_table(const std::vector<Metrics> &per_rank) {
  const auto sum = [&per_rank](int64_t Metrics::*count) { return sum_of(count, per_rank); };
  const auto line = [](const char *name, int64_t bytes, const std::string &how) {
    return formatted("  %-10s %12s  %s\n", name, amount_of(bytes).c_str(), how.c_str());
  };
  std::string table = line("written", sum(&Metrics::written_bytes), "in " + counted(sum(&Metrics::writes), "write"));
  table += line("read", sum(&Metrics::read_bytes), "in " + counted(sum(&Metrics::reads), "read"));
  table += line("placed", sum(&Metrics::placed_bytes), "into shared windows");
  table += line("sent", sum(&Metrics::message_bytes), "in " + counted(sum(&Metrics::messages), "message"));
  const int64_t buffered = most_of(&Metrics::buffered_bytes, per_rank), requests = sum(&Metrics::requests);
  if (requests > 0)
    table += wrapped("  " + counted(requests, "request") + " combined in " +
                         counted(most_of(&Metrics::combined_calls, per_rank), "call") +
                         (buffered > 0 ? "; copies of values took at most " + amount_of(buffered) + " of a rank" : ""),
                     4);
  const int64_t clamped = sum(&Metrics::out_of_range);
  if (clamped > 0)
    table += wrapped("  " + counted(clamped, "value") + " did not fit their type and were clamped or filled", 4);
  return table;
}

/// How puts were written and gets were read, and why: the strategies that were chosen.
std::string strategies_table(const std::vector<Metrics> &per_rank) {
  const StrategyCounts most = most_strategies(per_rank);
  std::string table;
  const auto add = [&table](int64_t calls, const char *what, Strategy strategy, std::string_view reason) {
    if (calls > 0)
      table += wrapped(
          "  " + counted(calls, what) + " by " + std::string(name_of(strategy)) + ": " + std::string(reason), 4);
  };
  for (size_t s = 0; s < strategies; ++s) {
    const auto strategy = static_cast<Strategy>(s);
    add(most.writing[s], "write", strategy, reason_of_writing(strategy));
    add(most.reading[s], "read", strategy, reason_of_reading(strategy));
  }
  return table;
}

std::string servers_table(const Summary &summary) {
  const OverlapTimes times = overlap_of(summary);
  const SpeedUp gain = speed_up(times);
  const double waited = most_of(&Metrics::waited_seconds, summary.per_rank);
  const auto seconds = [](double value) { return formatted("%.3f s", value); };
  std::string table = wrapped("  " + counted(times.servers, "server") + ", " + summary.servers.forwarding, 4);
  table += wrapped("  computing " + seconds(times.compute) + ", inside the library " + seconds(times.send) +
                       " (waiting for the servers' memory " + seconds(waited) + "); servers unpacked for " +
                       seconds(times.receive) + ", wrote for " + seconds(times.write) + ", and held at most " +
                       amount_of(most_of(&Metrics::served_memory_bytes, summary.per_rank)) + " each",
                   4);
  if (summary.mode) return table;  // not all was written so
  return table +
         wrapped("  speed-up " + formatted("%.2f", gain.achieved) + " against writing in between; predicted " +
                     formatted("%.2f", gain.predicted) + ", at most " + formatted("%.2f", gain.bound) +
                     " (Huang et al. 2013, equations 1-4); " + counted(gain.enough, "server") + " would be enough",
                 4);
}

std::string behind_table(const Summary &summary) {
  const auto most = [&summary](double Metrics::*value) {
    return formatted("%.3f s", most_of(value, summary.per_rank));
  };
  return wrapped("  " + counted(summary.behind, "thread") + " wrote while the ranks computed, for " +
                     most(&Metrics::behind_seconds) + " (" + most(&Metrics::behind_processor_seconds) +
                     " of a processor); calls waited " + most(&Metrics::behind_waited_seconds) + " for their memory",
                 4);
}

std::string mode_table(const ModeReport &mode) {
  const std::string changed = mode.changes == 0 ? "" : ", after " + counted(mode.changes, "change");
  return wrapped("  async: auto has chosen " + mode.mode + changed + ": " + mode.why, 4);
}

std::string file_lines(const FileReport &file) {
  std::string route = "route " + file.route;
  if (file.io_nx > 0) route += ", io_layout " + std::to_string(file.io_nx) + "," + std::to_string(file.io_ny);
  route += ", " + counted(file.writers, "writer");
  std::string lines = wrapped("  " + file.path + ": " + file.outcome, 6);
  lines += wrapped("    " + file.format + ", " + file.kind + ", " + amount_of(file.bytes) + ", " +
                       counted(file.records, "record") + ", " + route,
                   6);
  if (file.redefinitions > 0)
    lines += wrapped("    redefined " + counted(file.redefinitions, "time") + ", for which " +
                         amount_of(file.moved_bytes) + " were moved" +
                         (file.moved_bytes > 0 ? "; a larger 'header_reserve', or all variables defined at first, "
                                                 "would have left them where they were"
                                               : ""),
                     6);
  if (!file.reason.empty()) lines += wrapped("    because " + file.reason, 6);
  if (!file.store.empty() && file.store != "cdf") lines += wrapped("    written through " + file.store, 6);
  for (const std::string &remark : file.remarks) lines += wrapped("    " + remark, 6);
  for (const RangeErrorReport &each : file.range_errors)
    lines += wrapped("    " + counted(each.values, "value") + " of '" + each.variable +
                         "' did not fit the type and were clamped or filled; the first is " + each.first +
                         ", on rank " + std::to_string(each.first_rank),
                     6);
  return lines;
}

std::string line_of(const OtherFiles &others) {
  const std::string incomplete =
      others.incomplete == 0 ? "" : ", " + std::to_string(others.incomplete) + " of them not complete";
  return wrapped("  and " + counted(others.files, "more file") + ", closed in between" + incomplete + ": " +
                     amount_of(others.bytes) + ", " + counted(others.records, "record"),
                 6);
}

}  // namespace

std::string to_table(const Summary &summary) {
  std::string head = "Sverdrup " + summary.version + ": " + counted(summary.ranks, "rank") + " on " +
                     counted(summary.nodes, "node") + " (" + summary.host + "), " + summary.mpi;
  std::string table = wrapped(head, 2);
  std::string transport =
      "transport " + summary.transport + ", window of " + amount_of(summary.window_bytes_per_node) + " per node";
  if (!summary.transport_reason.empty()) transport += "; because " + summary.transport_reason;
  table += wrapped("  " + transport, 4);
  for (const std::string &block :
       {phases_table(summary.per_rank), traffic_table(summary.per_rank) + strategies_table(summary.per_rank)})
    table.append(1, '\n').append(block);
  if (summary.servers.servers > 0) table.append(1, '\n').append(servers_table(summary));
  if (summary.behind > 0) table.append(1, '\n').append(behind_table(summary));
  if (summary.mode) table.append(1, '\n').append(mode_table(*summary.mode));
  if (!summary.files.empty()) table += '\n';
  for (const FileReport &file : summary.files) table += file_lines(file);
  if (summary.others.files > 0) table += line_of(summary.others);
  if (!summary.error.empty()) table.append(1, '\n').append(wrapped("  ERROR " + summary.error, 4));
  return table;
}

}  // namespace sv
