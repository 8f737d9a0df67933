// Sverdrup itself, every route, through its public interface. Each route has a context of its own.
#include <sverdrup/sverdrup.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "combine/pieces.hpp"
#include "field.hpp"
#include "methods/sverdrup_context.hpp"

namespace sv_bench {

namespace {

class Writing : public Method {
 public:
  /// `counts`: whether the library's writes are system calls, and not calls of another library.
  Writing(const Block &block, const std::vector<std::string> &options, bool counts = true)
      : Method(block.team), block_(block), context_(block.team.comm, options, &block.workload()), counts_(counts) {}

  void run(const std::string &path) override {
    sv_file *file = nullptr;
    const int64_t *shape = block_.field.shape.data();
    const int type = block_.field.type.number;
    int dims[3], var = 0;
    check_sverdrup(sv_create(context_.io(), path.c_str(), SV_CLOBBER, &file), "sv_create");
    check_sverdrup(sv_def_dim(file, "lev", shape[0], &dims[0]), "sv_def_dim");
    check_sverdrup(sv_def_dim(file, "lat", shape[1], &dims[1]), "sv_def_dim");
    check_sverdrup(sv_def_dim(file, "lon", shape[2], &dims[2]), "sv_def_dim");
    check_sverdrup(sv_def_var(file, "field", type, 3, dims, &var), "sv_def_var");
    // The levels stand before the decomposed dimensions.
    check_sverdrup(sv_def_axes(file, var, 1), "sv_def_axes");
    check_sverdrup(sv_enddef(file), "sv_enddef");
    check_sverdrup(sv_put(file, var, context_.grid(), SV_NO_RECORD, type, block_.data(), nullptr), "sv_put");
    check_sverdrup(sv_close(file), "sv_close");
    path_ = path;
    ++runs_;
  }

  /// Every run moves the same, so the mean of all of them is that of one.
  Traffic traffic() override { return context_.traffic(path_, runs_, counts_); }
  std::optional<bool> check(const std::string &path) override {
    return pieces_of(path) == 0 ? check_with_netcdf(block_.workload(), path) : team_.all(block_.matches(read(path)));
  }
  void remove(const std::string &path) override {
    if (team_.rank != 0) return;  // who counts pieces while another removes them counts wrong
    const int pieces = pieces_of(path);
    if (pieces == 0) remove_one(path);
    for (int piece = 0; piece < pieces; ++piece) remove_one(sv_combine::piece_path(path, piece));
  }
  void finish() override { context_.finish(); }
  int64_t pool_bytes() override {
    const nlohmann::json summary = context_.summary(path_);
    if (team_.rank != 0) return 0;
    return summary.at("window_bytes_per_node").get<int64_t>() * summary.at("nodes").get<int64_t>();
  }

 private:
  /// What the library finds in a set, which netCDF-C does not know as one file.
  std::vector<std::byte> read(const std::string &path) const {
    std::vector<std::byte> values(static_cast<size_t>(block_.workload().memory_bytes()));
    sv_file *file = nullptr;
    check_sverdrup(sv_open(context_.io(), path.c_str(), SV_NOWRITE, &file), "sv_open");
    check_sverdrup(sv_get(file, 0, context_.grid(), SV_NO_RECORD, block_.field.type.number, values.data(), nullptr),
                   "sv_get");
    check_sverdrup(sv_close(file), "sv_close");
    return values;
  }

  const Block &block_;
  SverdrupContext context_;
  std::string path_;
  int64_t runs_ = 0;
  bool counts_;
};

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

int pieces_of(const std::string &path) {
  int pieces = 0;
  while (access(sv_combine::piece_path(path, pieces).c_str(), F_OK) == 0) ++pieces;
  return pieces;
}

void add_sverdrup_routes(std::vector<Peer> &peers, const Block &block, const std::vector<std::string> &settings) {
  for (const char *route : {"auto", "serial", "shared", "domains", "row", "column", "ranges", "per_pe", "per_domain"}) {
    const std::string name = route;
    peers.push_back({"sverdrup." + name, false, "", [name, &block, settings] {
                       return std::make_unique<Writing>(block, options_of(name, block, settings));
                     }});
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
  for (const Variant &variant : variants)
    peers.push_back({std::string("sverdrup.") + variant.store + variant.name, false, "",
                     [variant, &block, settings] {
                       std::vector<std::string> options = options_of(variant.route, block, settings);
                       options.insert(options.end(), variant.options.begin(), variant.options.end());
                       return std::make_unique<Writing>(block, options, false);
                     },
                     variant.store});
}

}  // namespace sv_bench
