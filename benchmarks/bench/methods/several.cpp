#include "methods/several.hpp"

#include "combine/pieces.hpp"
#include "field.hpp"
#include "join.hpp"
#include "methods/sverdrup.hpp"

namespace sv_bench {

namespace {

struct Part {
  ModelFile file;
  std::unique_ptr<Method> method;
};

class Several : public Method {
 public:
  Several(const Team &team, std::vector<Part> parts) : Method(team), parts_(std::move(parts)) {}

  void run(const std::string &path) override {
    for (const Part &part : parts_) part.method->run(path_of(part, path));
  }
  std::optional<Phases> phases() override {
    Phases all;
    for (const Part &part : parts_) {
      const std::optional<Phases> one = part.method->phases();
      if (!one) return {};
      all.open += one->open;
      all.close += one->close;
      all.compute += one->compute;
      all.communication += one->communication;
      (part.file.input.empty() ? all.transfer : all.read) += one->transfer;
    }
    return all;
  }
  Traffic traffic() override {
    Traffic all{{}, {}, 0};
    for (const Part &part : parts_) {
      const Traffic one = part.method->traffic();
      if (!part.file.input.empty()) continue;
      all.messages = all.messages && one.messages ? std::optional(*all.messages + *one.messages) : std::nullopt;
    }
    return all;
  }
  std::optional<bool> check(const std::string &path) override {
    std::optional<bool> right = true;
    for (const Part &part : parts_) {
      const std::optional<bool> one = part.method->check(path_of(part, path));
      if (!one) return {};
      right = *right && *one;
    }
    return right;
  }
  void remove(const std::string &path) override {
    for (const Part &part : parts_) part.method->remove(path_of(part, path));
  }
  void finish() override {
    for (const Part &part : parts_) part.method->finish();
  }

 protected:
  static std::string path_of(const Part &part, const std::string &path) {
    if (!part.file.input.empty()) return part.file.input;
    return path.substr(0, path.rfind(".nc")) + "." + part.file.name + ".nc";
  }

 private:
  std::vector<Part> parts_;
};

using Context = std::shared_ptr<const SverdrupContext>;

/// One of several files.
class OfContext : public SverdrupFiles {
 public:
  OfContext(const Workload &workload, bool reads, Context context)
      : SverdrupFiles(workload, reads, Way::each), context_(std::move(context)) {}
  void run(const std::string &path) override { run_in(*context_, path); }
  std::optional<bool> check(const std::string &path) override {
    if (reads_ || pieces_of(path) == 0) return SverdrupFiles::check(path);
    const std::string joined = path + ".joined";
    join(team_.comm, path, joined);
    const std::optional<bool> right = check_with_netcdf(workload_, joined);
    remove_one(joined);
    return right;
  }
  void remove(const std::string &path) override {
    int pieces = team_.rank == 0 ? pieces_of(path) : 0;
    MPI_Bcast(&pieces, 1, MPI_INT, 0, team_.comm);
    if (pieces == 0) SverdrupFiles::remove(path);
    for (int piece = 0; piece < pieces; ++piece) remove_one(sv_combine::piece_path(path, piece));
  }

 private:
  const Context context_;
};

class SverdrupSeveral : public Several {
 public:
  SverdrupSeveral(const Team &team, std::vector<Part> parts, std::vector<Context> contexts, bool counts)
      : Several(team, std::move(parts)), contexts_(std::move(contexts)), counts_(counts) {}

  void run(const std::string &path) override {
    Several::run(path);
    path_ = path;
    ++runs_;
  }
  /// Of the files that are written.
  Traffic traffic() override { return contexts_.front()->traffic(path_, runs_, counts_); }
  nlohmann::json more() override { return {{"summary", contexts_.front()->summary(path_)}, {"runs", runs_}}; }
  void finish() override {
    for (const Context &context : contexts_) {
      if (context) context->finish();
    }
  }

 private:
  const std::vector<Context> contexts_;  // of files that are written, and of those that are read; or null
  const bool counts_;
  std::string path_;
  int64_t runs_ = 0;
};

}  // namespace

Peer several_peer(const std::string &name, const Team &team, const std::vector<ModelFile> &files,
                  const std::function<Peer(const ModelFile &file)> &peer_of_file) {
  std::vector<Peer> peers;
  Peer all{name, false, "", {}};
  for (const ModelFile &file : files) {
    peers.push_back(peer_of_file(file));
    if (all.missing.empty()) all.missing = peers.back().missing;
  }
  all.make = [team, files, peers] {
    std::vector<Part> parts;
    for (size_t f = 0; f < files.size(); ++f) parts.push_back({files[f], peers[f].make()});
    return std::make_unique<Several>(team, std::move(parts));
  };
  return all;
}

Peer sverdrup_several_peer(const std::string &name, const Team &team, const std::vector<ModelFile> &files,
                           const std::vector<std::string> &settings, bool counts) {
  return {name, false, "", [team, files, settings, counts]() -> std::unique_ptr<Method> {
            std::vector<Context> contexts(2);
            std::vector<Part> parts;
            for (const ModelFile &file : files) {
              const bool reads = !file.input.empty();
              Context &context = contexts[reads ? 1 : 0];
              if (!context) context = std::make_shared<const SverdrupContext>(team.comm, settings, file.workload);
              parts.push_back({file, std::make_unique<OfContext>(*file.workload, reads, context)});
            }
            return std::make_unique<SverdrupSeveral>(team, std::move(parts), std::move(contexts), counts);
          }};
}

}  // namespace sv_bench
