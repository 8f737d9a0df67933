#include "methods/schedule.hpp"
#include "support/copying.hpp"
#include "support/names.hpp"

namespace sv_bench {

namespace {

/// One of several files.
class OfContext : public SverdrupFiles {
 public:
  OfContext(const Workload &workload, bool reads) : SverdrupFiles(workload, reads, Way::each) {}
  std::optional<bool> check_steps(const std::string &path, size_t first, size_t end) override {
    if (reads_ || sv_tools::found_pieces(path).empty()) return SverdrupFiles::check_steps(path, first, end);
    const std::string joined = path + ".joined";
    sv_tools::join(team_.comm, path, joined, sv_tools::copying_settings(team_.comm));
    const std::optional<bool> right = check_with_netcdf(workload_, joined, first, end);
    remove_one(joined);
    return right;
  }
};

/// Files that are read have a context of this method, without servers.
class SverdrupSeveral : public Several {
 public:
  SverdrupSeveral(const Schedule &schedule, Parts parts, std::vector<SverdrupFiles *> files,
                  const std::vector<std::string> &settings)
      : Several(schedule, std::move(parts)), files_(std::move(files)) {
    for (size_t f = 0; f < files_.size(); ++f) {
      const ModelFile &file = schedule.files[f];
      if (file.input.empty()) continue;
      std::vector<std::string> alone = settings;
      alone.emplace_back("async=none");
      if (!reading_) reading_ = std::make_unique<const SverdrupContext>(team_.comm, alone, file.workload);
      files_[f]->use(*reading_);
    }
  }
  void use(const SverdrupContext &context) {
    for (size_t f = 0; f < files_.size(); ++f) {
      if (schedule_.files[f].input.empty()) files_[f]->use(context);
    }
  }
  void finish() override {
    if (reading_) reading_->finish();
  }

 private:
  const std::vector<SverdrupFiles *> files_;  // the parts
  std::unique_ptr<const SverdrupContext> reading_;
};

/// With one context for all runs.
class SverdrupAlone : public SverdrupSeveral {
 public:
  SverdrupAlone(const Schedule &schedule, Parts parts, const std::vector<SverdrupFiles *> &files,
                const std::vector<std::string> &settings, bool counts)
      : SverdrupSeveral(schedule, std::move(parts), files, settings),
        context_(team_.comm, settings, &first_written(schedule)),
        counts_(counts) {
    use(context_);
  }
  void run(const std::string &path) override {
    SverdrupSeveral::run(path);
    path_ = path;
    ++runs_;
  }
  /// Of the files that are written.
  Traffic traffic() override { return context_.traffic(path_, runs_, counts_); }
  nlohmann::json more() override {
    nlohmann::json found = SverdrupSeveral::more();
    found["summary"] = context_.summary(path_);
    found["runs"] = runs_;
    return found;
  }
  void finish() override {
    context_.finish();
    SverdrupSeveral::finish();
  }

 private:
  const SverdrupContext context_;
  const bool counts_;
  std::string path_;
  int64_t runs_ = 0;
};

Parts sverdrup_parts(const Schedule &schedule, std::vector<SverdrupFiles *> &files) {
  Parts parts;
  for (const ModelFile &file : schedule.files) {
    auto part = std::make_unique<OfContext>(*file.workload, !file.input.empty());
    files.push_back(part.get());
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

Peer sverdrup_several_peer(const std::string &name, const Schedule &schedule, const std::vector<std::string> &settings,
                           bool counts) {
  return {name, false, "", [schedule, settings, counts]() -> std::unique_ptr<Method> {
            std::vector<SverdrupFiles *> files;
            Parts parts = sverdrup_parts(schedule, files);
            return std::make_unique<SverdrupAlone>(schedule, std::move(parts), files, settings, counts);
          }};
}

InContext several_in_context(const Schedule &schedule, const std::vector<std::string> &settings) {
  std::vector<SverdrupFiles *> files;
  Parts parts = sverdrup_parts(schedule, files);
  auto method = std::make_unique<SverdrupSeveral>(schedule, std::move(parts), files, settings);
  SverdrupSeveral *const several = method.get();
  return {std::move(method), [several](const SverdrupContext &context) { several->use(context); }};
}

}  // namespace sv_bench
