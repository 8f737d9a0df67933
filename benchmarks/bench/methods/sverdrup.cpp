// Sverdrup through its public interface, in all the ways in which a model can write many variables.
#include "methods/methods.hpp"
#include "methods/sverdrup_calls.hpp"
#include "methods/sverdrup_context.hpp"

namespace sv_bench {

namespace {

class Sverdrup : public OneFileMethod {
 public:
  Sverdrup(const Workload &workload, bool reads, Way way, const std::vector<std::string> &options)
      : OneFileMethod(workload, reads), way_(way), context_(workload.team, options, workload.grid) {}

  void run(const std::string &path) override {
    begin();
    sv_file *const handle = reads_ ? open(path) : create(path);
    opened();
    const SverdrupFile file{workload_, handle, context_.grid(), reads_ ? nullptr : source(),
                            reads_ ? target() : nullptr};
    if (way_ == Way::together) transfer_together(file);
    for (size_t s = 0; way_ != Way::together && s < workload_.steps(); ++s) step(file, s);
    if (way_ == Way::all) wait(file);
    moved();
    check_sverdrup(sv_close(handle), "sv_close");
    closed();
    path_ = path;
    ++runs_;
  }

  /// Every run moves the same, so the mean of all of them is that of one.
  Traffic traffic() override {
    Traffic traffic = context_.traffic(path_, runs_, true);
    return reads_ ? Traffic{{}, {}, traffic.messages} : traffic;
  }
  void finish() override { context_.finish(); }

 private:
  void step(const SverdrupFile &file, size_t number) {
    const auto [first, end] = workload_.step(number);
    for (size_t a = first; a < end; ++a) {
      const Access &access = workload_.accesses()[a];
      way_ == Way::all ? record(file, access) : transfer(file, access);
    }
    // As in a model that computes between the steps.
    if (!reads_ && way_ != Way::all && workload_.steps() > 1) check_sverdrup(sv_end_step(context_.io()), "sv_end_step");
  }

  sv_file *create(const std::string &path) const {
    const Schema &schema = workload_.schema;
    sv_file *file = nullptr;
    check_sverdrup(sv_create(context_.io(), path.c_str(), SV_CLOBBER, &file), "sv_create");
    int number = 0;  // that of the schema: both count from 0
    for (const Dimension &dim : schema.dims)
      check_sverdrup(sv_def_dim(file, dim.name.c_str(), dim.length, &number), "sv_def_dim");
    for (const Variable &variable : schema.variables)
      check_sverdrup(sv_def_var(file, variable.name.c_str(), variable.type.number,
                                static_cast<int>(variable.dims.size()), variable.dims.data(), &number),
                     "sv_def_var");
    check_sverdrup(sv_enddef(file), "sv_enddef");
    return file;
  }
  sv_file *open(const std::string &path) const {
    sv_file *file = nullptr;
    check_sverdrup(sv_open(context_.io(), path.c_str(), SV_NOWRITE, &file), "sv_open");
    return file;
  }

  const Way way_;
  const SverdrupContext context_;
  std::string path_;
  int64_t runs_ = 0;
};

}  // namespace

Peer sverdrup_peer(const std::string &name, const Workload &workload, bool reads, Way way,
                   std::vector<std::string> options) {
  if (way == Way::step) options.emplace_back("combine=step");
  return peer_of<Sverdrup>(name, workload, reads, way, options);
}

}  // namespace sv_bench
