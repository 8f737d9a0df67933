#include "methods/sverdrup.hpp"

#include <algorithm>
#include <filesystem>

#include "support/names.hpp"

namespace sv_bench {

namespace {

void put_attributes(sv_file *file, int var, const std::vector<Attribute> &attributes) {
  for (const Attribute &one : attributes)
    check_sverdrup(sv_put_att(file, var, one.name.c_str(), one.type, one.count, one.values.data()), "sv_put_att");
}

/// Where a decomposition's shape may stand in several places, it stands last.
void name_axes(sv_file *file, const Workload &workload) {
  for (const Access &access : workload.accesses()) {
    if (access.grid < 0) continue;
    const size_t dims = workload.variable(access).dims.size();
    const size_t first = dims - workload.grids[static_cast<size_t>(access.grid)].shape.size();
    check_sverdrup(sv_def_var_decomp_dim(file, access.variable, static_cast<int>(first)), "sv_def_var_decomp_dim");
  }
}

sv_file *create(sv_context *io, const Workload &workload, const std::string &path) {
  const Schema &schema = workload.schema;
  sv_file *file = nullptr;
  check_sverdrup(sv_create(io, path.c_str(), SV_CLOBBER, &file), "sv_create");
  int number = 0;  // that of the schema: both count from 0
  for (const Dimension &dim : schema.dims)
    check_sverdrup(sv_def_dim(file, dim.name.c_str(), dim.length, &number), "sv_def_dim");
  for (const Variable &variable : schema.variables)
    check_sverdrup(sv_def_var(file, variable.name.c_str(), variable.type.number, static_cast<int>(variable.dims.size()),
                              variable.dims.data(), &number),
                   "sv_def_var");
  put_attributes(file, SV_GLOBAL, schema.attributes);
  for (size_t v = 0; v < schema.variables.size(); ++v)
    put_attributes(file, static_cast<int>(v), schema.variables[v].attributes);
  name_axes(file, workload);
  check_sverdrup(sv_enddef(file), "sv_enddef");
  return file;
}

sv_file *open_to_read(sv_context *io, const std::string &path) {
  sv_file *file = nullptr;
  check_sverdrup(sv_open(io, path.c_str(), SV_NOWRITE, &file), "sv_open");
  return file;
}

/// Whether the library's writes are system calls, and not calls of another library.
bool writes_itself(const std::vector<std::string> &options) {
  bool itself = true;
  for (const std::string &option : options) {
    if (option.rfind("format=", 0) == 0) itself = option.find("netcdf4") == std::string::npos;
    if (option.rfind("store=", 0) == 0) itself = option == "store=cdf" || option == "store=auto";
  }
  return itself;
}

/// The context lives as long as a model's would: over all runs.
class Sverdrup : public SverdrupFiles {
 public:
  Sverdrup(const Workload &workload, bool reads, Way way, const std::vector<std::string> &options)
      : SverdrupFiles(workload, reads, way),
        context_(workload.team.comm, options, &workload),
        counts_(writes_itself(options)),
        writes_behind_(std::count(options.begin(), options.end(), "async=threads") > 0) {
    use(context_);
  }

  void run(const std::string &path) override {
    SverdrupFiles::run(path);
    path_ = path;
    ++runs_;
  }
  /// Every run moves the same, so the mean of all of them is that of one.
  Traffic traffic() override {
    Traffic traffic = context_.traffic(path_, runs_, counts_);
    return reads_ ? Traffic{{}, {}, traffic.messages} : traffic;
  }
  nlohmann::json more() override {
    nlohmann::json found = context_.point_costs();
    if (found.is_null() && !writes_behind_) return found;
    found["summary"] = context_.summary(path_);
    found["runs"] = runs_;
    return found;
  }
  /// Reads a set or a folder with the library, since netCDF-C does not open it as one file.
  std::optional<bool> check(const std::string &path) override {
    const bool folder = team_.all(std::filesystem::is_directory(path));
    if (reads_ || (!folder && sv_tools::found_pieces(path).empty())) return SverdrupFiles::check(path);
    SverdrupFiles reading(workload_, true, Way::each);
    reading.use(context_);
    reading.run(path);
    return reading.check(path);
  }
  void finish() override { context_.finish(); }
  int64_t pool_bytes() override {
    const nlohmann::json summary = context_.summary(path_);
    if (team_.rank != 0) return 0;
    return summary.at("window_bytes_per_node").get<int64_t>() * summary.at("nodes").get<int64_t>();
  }

 private:
  const SverdrupContext context_;
  const bool counts_, writes_behind_;
  std::string path_;
  int64_t runs_ = 0;
};

/// A context for each file, as in programs that open files on MPI_COMM_SELF.
class SverdrupOnce : public SverdrupFiles {
 public:
  SverdrupOnce(const Workload &workload, bool reads, const std::vector<std::string> &options)
      : SverdrupFiles(workload, reads, Way::each), options_(options) {}

  void open(const std::string &path) override {
    context_.emplace(workload_.team.comm, options_, nullptr);  // no decomposition: sub-arrays
    use(*context_);
    SverdrupFiles::open(path);
  }
  void close() override {
    SverdrupFiles::close();
    context_->finish();
    context_.reset();
  }
  void end_step() override {
    if (context_) SverdrupFiles::end_step();
  }
  void settle() override {}

 private:
  const std::vector<std::string> options_;
  std::optional<SverdrupContext> context_;  // while the file is open
};

}  // namespace

void SverdrupFiles::open(const std::string &path) {
  sv_context *const io = context_->io();
  sv_file *const handle = reads_ ? open_to_read(io, path) : create(io, workload_, path);
  file_.emplace(SverdrupFile{workload_, handle, context_->grid(), reads_ ? nullptr : source(),
                             reads_ ? target() : nullptr, context_->grids()});
}

void SverdrupFiles::move(size_t step) {
  const bool last = step + 1 == workload_.steps();
  if (way_ == Way::together) {
    if (last) transfer_together(*file_);
    return;
  }
  const auto [first, end] = workload_.step(step);
  for (size_t a = first; a < end; ++a) {
    const Access &access = workload_.accesses()[a];
    way_ == Way::all ? record(*file_, access) : transfer(*file_, access);
  }
  if (way_ == Way::all && last) wait(*file_);
}

void SverdrupFiles::close() {
  check_sverdrup(sv_close(file_->file), "sv_close");
  file_.reset();
}

void SverdrupFiles::end_step() {
  // As in a model that computes between the steps.
  if (!reads_ && (way_ == Way::each || way_ == Way::step)) check_sverdrup(sv_end_step(context_->io()), "sv_end_step");
}

void SverdrupFiles::settle() {
  if (context_->writes_behind()) check_sverdrup(sv_flush(context_->io(), SV_WRITTEN), "sv_flush");
}

void SverdrupFiles::remove(const std::string &path) {
  if (reads_ || team_.rank != 0) return;  // counting pieces while another rank removes them gives a wrong number
  const std::vector<std::string> pieces = sv_tools::found_pieces(path);
  if (pieces.empty()) remove_one(path);
  for (const std::string &piece : pieces) remove_one(piece);
}

void SverdrupFiles::communicates(bool begins) {
  check_sverdrup(begins ? sv_pause_forwarding(context_->io()) : sv_resume_forwarding(context_->io()),
                 begins ? "sv_pause_forwarding" : "sv_resume_forwarding");
}

Peer sverdrup_peer(const std::string &name, const Workload &workload, bool reads, Way way,
                   std::vector<std::string> options) {
  if (way == Way::step) options.emplace_back("combine=step");
  return peer_of<Sverdrup>(name, workload, reads, way, options);
}

Peer sverdrup_once_peer(const std::string &name, const Workload &workload, const std::vector<std::string> &options) {
  return peer_of<SverdrupOnce>(name, workload, false, options);
}

}  // namespace sv_bench
