// Sverdrup itself, every route, through its public interface. Each route has a context, which lives as long as a
// model's would: over all runs.
#include <sverdrup/sverdrup.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "combine/pieces.hpp"
#include "peer.hpp"

namespace sv_bench {

namespace {

void check_status(int status, const char *call) {
  if (status != SV_OK) throw std::runtime_error(std::string(call) + ": " + sv_message());
}

class Context {
 public:
  Context(const Block &block, const std::vector<std::string> &options) : block_(block) {
    std::vector<const char *> texts;
    for (const std::string &option : options) texts.push_back(option.c_str());
    check_status(sv_init(block.comm, nullptr, static_cast<int>(texts.size()), texts.data(), &io_), "sv_init");
    check_status(
        sv_def_decomp(io_, 2, &block.field.shape[1], &block.start[1], &block.count[1], nullptr, nullptr, 0, &grid_),
        "sv_def_decomp");
  }
  void finish() const { check_status(sv_finalize(io_), "sv_finalize"); }
  sv_context *io() const { return io_; }
  sv_decomp *grid() const { return grid_; }

  /// What the context has counted so far, on rank 0; the summary goes through a file. Collective.
  nlohmann::json summary(const std::string &beside) const {
    const std::string path = beside + ".summary.json";
    check_status(sv_write_summary(io_, path.c_str()), "sv_write_summary");
    nlohmann::json summary;
    if (block_.rank == 0) {
      std::ifstream(path) >> summary;
      unlink(path.c_str());
    }
    return summary;
  }

 private:
  const Block &block_;
  sv_context *io_ = nullptr;
  sv_decomp *grid_ = nullptr;
};

struct Counts {
  int64_t bytes = 0, writes = 0, messages = 0;
};

class Writing : public Method {
 public:
  /// `counts`: whether the library's writes are system calls, and not calls of another library.
  Writing(const Block &block, const std::vector<std::string> &options, bool counts = true)
      : Method(block), context_(block, options), counts_(counts) {}

  void run(const std::string &path) override {
    sv_file *file = nullptr;
    const int64_t *shape = block_.field.shape.data();
    const int type = block_.field.type.number;
    int dims[3], var = 0;
    check_status(sv_create(context_.io(), path.c_str(), SV_CLOBBER, &file), "sv_create");
    check_status(sv_def_dim(file, "lev", shape[0], &dims[0]), "sv_def_dim");
    check_status(sv_def_dim(file, "lat", shape[1], &dims[1]), "sv_def_dim");
    check_status(sv_def_dim(file, "lon", shape[2], &dims[2]), "sv_def_dim");
    check_status(sv_def_var(file, "field", type, 3, dims, &var), "sv_def_var");
    // The levels stand before the decomposed dimensions.
    check_status(sv_def_axes(file, var, 1), "sv_def_axes");
    check_status(sv_enddef(file), "sv_enddef");
    check_status(sv_put(file, var, context_.grid(), SV_NO_RECORD, type, block_.data(), nullptr), "sv_put");
    check_status(sv_close(file), "sv_close");
    path_ = path;
    ++runs_;
  }

  /// Every run moves the same, so the mean of all of them is that of one.
  Traffic traffic() override {
    const nlohmann::json summary = context_.summary(path_);
    Traffic traffic;
    if (block_.rank == 0 && runs_ > 0) {
      traffic.bytes = summary.at("bytes").at("written").get<int64_t>() / runs_;
      if (counts_) traffic.writes = summary.at("writes").get<int64_t>() / runs_;
      traffic.messages = summary.at("messages").get<int64_t>() / runs_;
    }
    return traffic;
  }
  std::optional<bool> check(const std::string &path) override {
    return pieces_of(path) == 0 ? check_with_netcdf(block_, path) : all_ranks(block_, block_.matches(read(path)));
  }
  void remove(const std::string &path) override {
    if (block_.rank != 0) return;  // who counts pieces while another removes them counts wrong
    const int pieces = pieces_of(path);
    if (pieces == 0) remove_one(path);
    for (int piece = 0; piece < pieces; ++piece) remove_one(sv_combine::piece_path(path, piece));
  }
  void finish() override { context_.finish(); }
  int64_t pool_bytes() override {
    const nlohmann::json summary = context_.summary(path_);
    if (block_.rank != 0) return 0;
    return summary.at("window_bytes_per_node").get<int64_t>() * summary.at("nodes").get<int64_t>();
  }

 private:
  /// What the library finds in a set, which netCDF-C does not know as one file.
  std::vector<std::byte> read(const std::string &path) const {
    std::vector<std::byte> values(static_cast<size_t>(block_.bytes()));
    sv_file *file = nullptr;
    check_status(sv_open(context_.io(), path.c_str(), SV_NOWRITE, &file), "sv_open");
    check_status(sv_get(file, 0, context_.grid(), SV_NO_RECORD, block_.field.type.number, values.data(), nullptr),
                 "sv_get");
    check_status(sv_close(file), "sv_close");
    return values;
  }

  Context context_;
  std::string path_;
  int64_t runs_ = 0;
  bool counts_;
};

class Reading : public Method {
 public:
  Reading(const Block &block, const std::vector<std::string> &options)
      : Method(block), context_(block, options), values_(static_cast<size_t>(block.bytes())) {}

  void run(const std::string &path) override {
    sv_file *file = nullptr;
    int var = 0;
    check_status(sv_open(context_.io(), path.c_str(), SV_NOWRITE, &file), "sv_open");
    check_status(sv_inq_varid(file, "field", &var), "sv_inq_varid");
    check_status(sv_get(file, var, context_.grid(), SV_NO_RECORD, block_.field.type.number, values_.data(), nullptr),
                 "sv_get");
    check_status(sv_close(file), "sv_close");
    path_ = path;
    ++runs_;
  }
  Traffic traffic() override {
    const nlohmann::json summary = context_.summary(path_);
    Traffic traffic;
    if (block_.rank == 0 && runs_ > 0) traffic.messages = summary.at("messages").get<int64_t>() / runs_;
    return traffic;
  }
  std::optional<bool> check(const std::string &) override { return all_ranks(block_, block_.matches(values_)); }
  void remove(const std::string &) override {}
  void finish() override { context_.finish(); }

 private:
  Context context_;
  std::string path_;
  int64_t runs_ = 0;
  std::vector<std::byte> values_;
};

std::vector<std::string> options_of(const std::string &route, const Block &block, const PeerSettings &settings) {
  std::vector<std::string> options{"route=" + route};
  // A quarter of the ranks of a square layout collect.
  const auto half = [](int n) { return std::to_string(std::max(1, n / 2)); };
  if (route == "domains" || route == "per_domain")
    options.push_back("io_layout=" + half(block.field.px) + "," + half(block.field.py));
  options.insert(options.end(), settings.sverdrup.begin(), settings.sverdrup.end());
  return options;
}

}  // namespace

int pieces_of(const std::string &path) {
  int pieces = 0;
  while (access(sv_combine::piece_path(path, pieces).c_str(), F_OK) == 0) ++pieces;
  return pieces;
}

void add_sverdrup(std::vector<Peer> &peers) {
  for (const char *route : {"auto", "serial", "shared", "domains", "row", "column", "ranges", "per_pe", "per_domain"}) {
    const std::string name = route;
    peers.push_back({"sverdrup." + name, false, "", [name](const Block &block, const PeerSettings &settings) {
                       return std::make_unique<Writing>(block, options_of(name, block, settings));
                     }});
  }
}

void add_sverdrup_stores(std::vector<Peer> &peers) {
  struct Way {
    const char *store, *name, *route;
    std::vector<std::string> options;
  };
  const std::vector<Way> ways{{"pnetcdf", "", "auto", {"store=pnetcdf"}},
                              {"pnetcdf", ".domains", "domains", {"store=pnetcdf"}},
                              {"pnetcdf", ".shared", "shared", {"store=pnetcdf"}},
                              {"netcdf4", "", "auto", {"format=netcdf4"}},
                              {"netcdf4", ".domains", "domains", {"format=netcdf4"}},
                              {"netcdf4", ".chunks", "auto", {"format=netcdf4", "chunks=writers"}},
                              {"netcdf4", ".default", "auto", {"format=netcdf4", "chunks=default"}},
                              {"netcdf4", ".deflate", "auto", {"format=netcdf4", "deflate=1"}}};
  for (const Way &way : ways)
    peers.push_back({std::string("sverdrup.") + way.store + way.name, false, "",
                     [way](const Block &block, const PeerSettings &settings) {
                       std::vector<std::string> options = options_of(way.route, block, settings);
                       options.insert(options.end(), way.options.begin(), way.options.end());
                       return std::make_unique<Writing>(block, options, false);
                     },
                     way.store});
}

void add_sverdrup_reading(std::vector<Peer> &peers) {
  peers.push_back({"read.sverdrup", true, "", [](const Block &block, const PeerSettings &settings) {
                     return std::make_unique<Reading>(block, settings.sverdrup);
                   }});
}

}  // namespace sv_bench
