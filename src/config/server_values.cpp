#include "config/server_values.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace sv {

Codec<ServerRequest> async_mode_codec() {
  const auto read = [](const std::string &text, ServerRequest &value) {
    try {
      const ServerRequest asked = parse_async_mode(text);
      value.kind = asked.kind;
      value.value = asked.value;
      value.of = asked.of;
      value.are_ready = asked.are_ready;
    } catch (const Error &) {
      throw BadValue{nearest(text, {"none", "threads", "auto", "servers", "servers:1", "servers:1/8", "servers:ratio 8",
                                    "servers:1 per node", "auto:1 per node"})};
    }
  };
  return text_codec<ServerRequest>(
      "mode",
      "none, threads, servers or auto; after a colon the number of servers: servers:2, servers:1/8 of the ranks, "
      "servers:ratio 8 (ranks for each), servers:1 per node, auto:1 per node",
      read, async_mode_text);
}

Codec<Settings> forwarding_codec() {
  const auto whens = word_codec<Forwarding>({{"synchronous", Forwarding::synchronous},
                                             {"asynchronous", Forwarding::asynchronous},
                                             {"paced", Forwarding::paced}});
  const auto rates = size_codec(1, Zero::valid);
  const auto read = [whens, rates](const std::string &text, Settings &settings) {
    const Method method = split_method(text);
    Forwarding when = settings.forwarding;
    whens.read(method.name, when);
    if (method.parameter && when != Forwarding::paced) throw BadValue{"paced:" + *method.parameter};
    int64_t rate = 0;
    if (method.parameter) rates.read(*method.parameter, rate);
    settings.forwarding = when;
    settings.pace_bytes = rate;
  };
  const auto shown = [whens, rates](const Settings &settings) {
    return whens.text(settings.forwarding) + (settings.pace_bytes > 0 ? ":" + rates.text(settings.pace_bytes) : "");
  };
  return text_codec<Settings>(
      "word", "synchronous, asynchronous or paced, with bytes per second after a colon (paced:100MB)", read, shown);
}

Codec<ServerRequest> server_placement_codec() {
  using Where = ServerRequest::Placement;
  return member_codec(&ServerRequest::placement, word_codec<Where>({{"spread", Where::spread}, {"last", Where::last}}));
}

Codec<ServerRequest> server_groups_codec() {
  return member_codec(&ServerRequest::groups,
                      number_codec(1, std::numeric_limits<int>::max(), "a whole number from 1 on"));
}

Codec<GroupRequest> server_group_codec() {
  const auto numbers = count_codec();
  const auto text = [](const GroupRequest &value) {
    if (value.group == GroupRequest::none) return std::string("none");
    return value.group == GroupRequest::automatic ? std::string("auto") : std::to_string(value.group);
  };
  const auto read = [numbers](const std::string &given, GroupRequest &value) {
    if (given == "auto") return void(value.group = GroupRequest::automatic);
    if (given == "none") return void(value.group = GroupRequest::none);
    int group = 0;
    numbers.read(given, group);
    if (group < 1) throw BadValue{"auto"};
    value.group = group;
  };
  return text_codec<GroupRequest>("group", "auto, none, or the number of a group, from 1", read, text);
}

Codec<std::vector<int>> turns_codec() {
  const auto number = number_codec(1, std::numeric_limits<int>::max(), "a whole number from 1 on");
  const auto read = [number](const std::string &text, std::vector<int> &value) {
    std::vector<int> turns;
    for (size_t at = 0; text != "auto" && at <= text.size();) {
      const size_t end = std::min(text.find(',', at), text.size());
      number.read(text.substr(at, end - at), turns.emplace_back());
      at = end + 1;
    }
    value = std::move(turns);
  };
  const auto text = [](const std::vector<int> &value) {
    std::string all;
    for (const int turn : value) all.append(all.empty() ? 0 : 1, ',').append(std::to_string(turn));
    return all.empty() ? "auto" : all;
  };
  return text_codec<std::vector<int>>("turns", "auto, or numbers of steps from 1 on, such as 3,2", read, text);
}

}  // namespace sv
