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

void add_sverdrup_stores(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings) {
  struct Variant {
    const char *store, *name, *route;
    std::vector<std::string> options;
  };
  const std::vector<Variant> variants{{"pnetcdf", "", "auto", {"store=pnetcdf"}},
                                      {"pnetcdf", ".domains", "domains", {"store=pnetcdf"}},
                                      {"pnetcdf", ".shared", "shared", {"store=pnetcdf"}},
                                      {"netcdf4", "", "auto", {"format=netcdf4"}},
                                      {"netcdf4", ".domains", "domains", {"format=netcdf4"}},
                                      {"netcdf4", ".chunks", "auto", {"format=netcdf4", "chunks=writers"}},
                                      {"netcdf4", ".default", "auto", {"format=netcdf4", "chunks=default"}},
                                      {"netcdf4", ".deflate", "auto", {"format=netcdf4", "deflate=1"}}};
  for (const Variant &variant : variants) {
    std::vector<std::string> options = options_of(variant.route, block, settings);
    options.insert(options.end(), variant.options.begin(), variant.options.end());
    const std::string name = std::string("sverdrup.") + variant.store + variant.name;
    peers.push_back(sverdrup_peer(name, block.workload(), false, Way::each, options));
    peers.back().store = variant.store;
  }
}

}  // namespace sv_bench
