#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>

namespace sv_plan {

namespace {

std::string format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char *pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string left_out(int64_t all, int64_t shown, const std::string &noun) {
  if (all <= shown) return {};
  return format("  ... and %s more, left out; --most %lld shows them\n", plural(all - shown, noun).c_str(),
                static_cast<long long>(all));
}

/// "row 3", "rows 3 to 7": [first, last)
std::string span_text(const char *noun, int64_t first, int64_t last) {
  if (last - first == 1) return format("%s %lld", noun, static_cast<long long>(first));
  return format("%ss %lld to %lld", noun, static_cast<long long>(first), static_cast<long long>(last - 1));
}

const char *role_of(const Scene &scene, const Receiver &receiver) {
  const bool collecting = scene.collects() && receiver.stage == 0 && scene.has_ranges();
  return collecting ? "I/O PE" : "writer";
}

std::string receivers_text(const Scene &scene, const Study &study) {
  std::string text = format("\n%-7s %7s %6s %12s %14s %14s %9s %12s %8s\n", "", "rank", "node", "in", "from its node",
                            "from others", "messages", "writes bytes", "writes");
  int shown = 0;
  for (const Receiver &receiver : study.receivers) {
    if (++shown > scene.options.most) break;
    const sv::Traffic &traffic = study.by_rank[static_cast<size_t>(receiver.rank)];
    const bool last = receiver.stage + 1 == static_cast<int>(scene.plan.stages.size());
    text +=
        format("%-7s %7d %6d %12s %14s %14s %9s %12s %8s\n", role_of(scene, receiver), receiver.rank,
               scene.topology.node_of[static_cast<size_t>(receiver.rank)], bytes_text(receiver.bytes).c_str(),
               bytes_text(receiver.own_node_bytes).c_str(),
               bytes_text(receiver.bytes - receiver.own_node_bytes).c_str(), number_text(receiver.messages).c_str(),
               last ? bytes_text(traffic.written_bytes).c_str() : "", last ? number_text(traffic.writes).c_str() : "");
  }
  return text + left_out(static_cast<int64_t>(study.receivers.size()), scene.options.most, "line");
}

std::string ranges_text(const Scene &scene) {
  if (!scene.has_ranges()) return {};
  const sv::Field &field = scene.plan.field;
  const int64_t unit = scene.options.stripe_bytes;
  std::string text = format("\n%7s %15s %15s %19s  %s\n", "rank", "from byte", "to byte", "stripes", "of the field");
  int shown = 0;
  const sv::Sinks &sinks = scene.plan.stages.back().sinks;
  for (const sv::Sink &sink : sinks) {
    if (++shown > scene.options.most) break;
    const int64_t begin = field.offset_bytes + sink.territory.first * field.element_bytes;
    const int64_t end = field.offset_bytes + sink.territory.last * field.element_bytes;
    const std::string stripes =
        format("%lld-%lld", static_cast<long long>(begin / unit), static_cast<long long>((end - 1) / unit));
    text += format("%7d %15s %15s %19s  %s\n", sink.rank, number_text(begin).c_str(), number_text(end).c_str(),
                   stripes.c_str(), place_text(scene, sink.territory.first, sink.territory.last).c_str());
  }
  return text + left_out(static_cast<int64_t>(sinks.size()), scene.options.most, "range");
}

/// Who sends how much to whom, node by receiver, where that fits a screen.
std::string matrix_text(const Scene &scene, const Study &study) {
  constexpr size_t most_receivers = 10, most_nodes = 32;
  const size_t nodes = study.nodes.size(), receivers = study.matrix.size();
  if (receivers == 0 || receivers > most_receivers || nodes > most_nodes || nodes * receivers == 1) return {};
  std::string text = "\nfrom \\ to ";
  for (const Receiver &receiver : study.receivers)
    text += format(
        "%11s",
        format("%s %d", role_of(scene, receiver) == std::string("writer") ? "rank" : "I/O PE", receiver.rank).c_str());
  for (size_t node = 0; node < nodes; ++node) {
    text += format("\nnode %-5zu", node);
    for (size_t r = 0; r < receivers; ++r) text += format("%11s", bytes_text(study.matrix[r][node]).c_str());
  }
  return text + "\n";
}

std::string messages_text(const Scene &scene, const Study &study) {
  if (scene.plan.at_home) return "none: every rank writes what it owns";
  if (scene.has_points())
    return scene.topology.nodes() == 1
               ? "none: ranks of a node share memory"
               : number_text(study.total.messages_sent) + " between nodes, " + bytes_text(study.total.sent_bytes) +
                     " in them (one per node, receiver and round)";
  if (scene.topology.nodes() == 1)
    return "none: ranks of a node share memory; " + plural(study.copies, "copy") + " into it";
  return number_text(study.messages_before) + " between nodes before combining (one per rank, receiver and round), " +
         number_text(study.total.messages_sent) + " after (one per node, receiver and round)\n           " +
         bytes_text(study.total.sent_bytes) + " in them; " + plural(study.copies, "copy") +
         " inside nodes need no message";
}

std::string points_text(const PointMemory &memory) {
  std::string text = plural(memory.runs, "run") + " of cells, at most " + number_text(memory.most_runs) +
                     " of a rank\n           lists of them take at most " + bytes_text(memory.rank_bytes) +
                     " of a rank";
  if (memory.node_bytes > 0) text += ", and " + bytes_text(memory.node_bytes) + " that a node shares";
  return text;
}

std::string writing_text(const Scene &scene, const Study &study) {
  std::string text = plural(study.writers(), "writer") + ", " + bytes_text(study.total.written_bytes) + " in " +
                     plural(study.total.writes, "write");
  const int64_t owned = scene.layout->owned_cells(), all = scene.layout->cells();
  if (owned < all)
    text += format(" (%.1f %% of the cells are land and get the fill value)",
                   100 * static_cast<double>(all - owned) / static_cast<double>(all));
  return text;
}

std::string window_text(const Scene &scene, const Study &study) {
  return "a window of " + size_text(study.pool_bytes) + " on each node, of which at most " +
         bytes_text(study.peak_bytes()) + " in use" +
         (scene.topology.nodes() > 1 ? " (node " + std::to_string(study.peak_node()) + ")" : "");
}

std::string rings_text(const Scene &scene, const Study &study) {
  const int64_t most = study.most_received();
  const std::string sending = scene.topology.nodes() > 1 ? ", and one for outgoing data" : "";
  return "a ring of " + bytes_text(scene.ring_bytes) + " for each server" + sending + "; a field takes at most " +
         bytes_text(most) +
         format(": room for %.1f fields", static_cast<double>(scene.ring_bytes) / static_cast<double>(most));
}

}  // namespace

std::string bytes_text(int64_t bytes) {
  constexpr std::array<const char *, 6> units{"B", "KB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return format("%lld B", static_cast<long long>(bytes));
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < units.size(); ++unit) value /= 1000;
  return format("%.1f %s", value, units[unit]);
}

std::string size_text(int64_t bytes) {
  constexpr std::array<const char *, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; bytes % 1024 == 0 && bytes > 0 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return format("%lld %s", static_cast<long long>(bytes), units[unit]);
}

std::string number_text(int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string plural(int64_t n, const std::string &noun) {
  const bool copies = noun == "copy";
  return number_text(n) + " " + (n == 1 ? noun : copies ? "copies" : noun + "s");
}

std::string case_text(const Scene &scene) {
  const sv::Field &field = scene.plan.field;
  const std::string name = scene.options.type;
  if (scene.has_points())
    return format("%lld x %lld cells, %s, %s; %s, %s on %s", static_cast<long long>(field.shape[0]),
                  static_cast<long long>(scene.layout->cells()), name.c_str(), bytes_text(scene.field_bytes()).c_str(),
                  scene.options.points == "random" ? "points dealt at random" : "points in strips of the mesh",
                  plural(scene.layout->ranks(), "rank").c_str(), plural(scene.topology.nodes(), "node").c_str());
  std::string text = format("%lld x %lld x %lld %s, %s; %d x %d blocks, %s %s", static_cast<long long>(field.shape[0]),
                            static_cast<long long>(field.shape[1]), static_cast<long long>(field.shape[2]),
                            name.c_str(), bytes_text(scene.field_bytes()).c_str(), scene.mask.px, scene.mask.py,
                            plural(scene.mask.ranks(), "rank").c_str(),
                            ((scene.serves() ? "and " + plural(std::ssize(scene.servers), "server") + " " : "") +
                             "on " + plural(scene.topology.nodes(), "node"))
                                .c_str());
  return text;
}

std::string land_text(const Scene &scene) {
  const int blocks = scene.mask.px * scene.mask.py, land = blocks - scene.mask.ranks();
  if (land == 0) return {};
  return number_text(land) + " of " + plural(blocks, "block") +
         (land == 1 ? " is land and has" : " are land and have") + " no rank";
}

std::string place_text(const Scene &scene, int64_t first, int64_t last) {
  const sv::Index &shape = scene.plan.field.shape;
  const int64_t row = shape[2], level = shape[1] * row, end = last - 1;
  const auto begins = [&](int64_t unit) { return first % unit == 0; };
  const auto ends = [&](int64_t unit) { return last % unit == 0; };
  if (begins(level) && ends(level)) return span_text("level", first / level, last / level);
  if (first / level == end / level) {
    return format("level %lld, ", static_cast<long long>(first / level)) +
           span_text("row", first % level / row, end % level / row + 1);
  }
  return format("level %lld, row %lld to level %lld, row %lld", static_cast<long long>(first / level),
                static_cast<long long>(first % level / row), static_cast<long long>(end / level),
                static_cast<long long>(end % level / row));
}

std::string stripes_text(const Scene &scene, const Study &study) {
  if (scene.own_files()) return plural(static_cast<int64_t>(scene.plan.stages.back().sinks.size()), "file");
  const Stripes &stripes = study.stripes;
  std::string text = plural(stripes.all, "stripe") + " of " + size_text(scene.options.stripe_bytes);
  if (scene.options.targets > 0) text += " on " + plural(scene.options.stripe_count, "target");
  if (stripes.shared == 0) return text + (stripes.all == 1 ? ", with one writer" : ", each with one writer");
  text += format(", with %.1f writers on average and %d at most", stripes.mean, stripes.most);
  if (stripes.examined < stripes.all) text += " (of the first " + number_text(stripes.examined) + ")";
  return text;
}

std::string summary_text(const Scene &scene, const Study &study) {
  const sv::Plan &plan = scene.plan;
  std::string text = case_text(scene) + "\n";
  if (scene.layout->has_holes()) text += "land       " + land_text(scene) + "\n";
  text += "route      " + plan.route.name + ": " + plan.route.reason + "\n";
  const sv::StrategyChoice choice = strategy_of(scene);
  text += "strategy   " + std::string(sv::name_of(choice.strategy)) + ": " + std::string(choice.reason) + "\n";
  text += "rounds     " + plural(plan.rounds, "round") + " of at most " +
          bytes_text(plan.round_elements * plan.field.element_bytes) + " for each writer\n";
  text += "messages   " + messages_text(scene, study) + "\n";
  text += "writing    " + writing_text(scene, study) + "\n";
  text += "file       " + stripes_text(scene, study) + "\n";
  text += "memory     " + (scene.serves() ? rings_text(scene, study) : window_text(scene, study)) + "\n";
  if (scene.has_points()) text += "points     " + points_text(study.points) + "\n";
  return text + receivers_text(scene, study) + matrix_text(scene, study) + ranges_text(scene);
}

std::string flows_text(const Scene &scene, const FlowList &list) {
  std::string text = "\nbytes from each rank to each receiver\n";
  for (const Flow &flow : list.flows) {
    const char *how = flow.from == flow.to                           ? "itself"
                      : scene.topology.same_node(flow.from, flow.to) ? "inside the node"
                                                                     : "in messages of its node";
    const std::string stage = scene.plan.stages.size() > 1 ? (flow.stage == 0 ? "collecting: " : "writing: ") : "";
    text += format("  %srank %d to rank %d: %s (%s)\n", stage.c_str(), flow.from, flow.to,
                   bytes_text(flow.elements * scene.plan.field.element_bytes).c_str(), how);
  }
  return text + left_out(list.all, static_cast<int64_t>(list.flows.size()), "flow");
}

}  // namespace sv_plan
