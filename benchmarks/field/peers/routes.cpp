// Sverdrup by every route, and over every store. Each has a context of its own.
#include <algorithm>

#include "field.hpp"
#include "methods/methods.hpp"

namespace sv_bench {

namespace {

std::vector<std::string> options_of(const std::string &route, const Block &block,
                                    const std::vector<std::string> &settings) {
  std::vector<std::string> options{"route=" + route};
  // A quarter of the ranks of a square layout collect.
  const auto half = [](int n) { return std::to_string(std::max(1, n / 2)); };
  if (route == "domains" || route == "per_domain")
    options.push_back("io_layout=" + half(block.field.px) + "," + half(block.field.py));
  options.insert(options.end(), settings.begin(), settings.end());
  return options;
}

}  // namespace

void add_sverdrup_routes(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings) {
  for (const char *route : {"auto", "serial", "shared", "domains", "row", "column", "ranges", "per_pe", "per_domain"}) {
    peers.push_back(sverdrup_peer(std::string("sverdrup.") + route, block.workload(), false, Way::each,
                                  options_of(route, block, settings)));
  }
}

void add_sverdrup_stores(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings,
                         const std::vector<std::string> &stores, const Compression &compression) {
  std::vector<std::string> deflated{"compression=deflate:" + std::to_string(compression.level)};
  std::string chunk;
  for (const int64_t cells : compression.chunk) chunk += (chunk.empty() ? "chunks=" : ",") + std::to_string(cells);
  if (!chunk.empty()) deflated.push_back(chunk);
  const auto add = [&](const std::string &store, const std::string &variant, const std::string &route,
                       const std::vector<std::string> &own) {
    std::vector<std::string> options = options_of(route, block, settings);
    options.insert(options.end(), own.begin(), own.end());
    peers.push_back(sverdrup_peer("sverdrup." + store + variant, block.workload(), false, Way::each, options));
    peers.back().store = store;
  };
  for (const std::string &store : stores) {
    const std::string chosen = "store=" + store;
    if (store == "netcdf4" || store == "netcdf4_library") {
      add(store, "", "auto", {chosen});
      add(store, ".domains", "domains", {chosen});
      add(store, ".chunks", "auto", {chosen, "chunks=writers"});
      add(store, ".default", "auto", {chosen, "chunks=default"});
      deflated.push_back(chosen);
      add(store, ".deflate", "auto", deflated);
      deflated.pop_back();
      continue;
    }
    for (const char *route : {"auto", "domains", "shared"})
      add(store, std::string(route) == "auto" ? "" : std::string(".") + route, route, {chosen});
  }
}

}  // namespace sv_bench
