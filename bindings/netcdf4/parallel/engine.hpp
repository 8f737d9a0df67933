// The engine of files that several ranks make with nc_create_par, or open with nc_open_par: over Sverdrup's C
// interface. A collective call is the request of this rank and a wait, so that an error in the arguments of one rank is
// its own. Where some variable is independent, which is netCDF's default, ranks stand between sv_begin_indep and
// sv_end_indep in between calls.
#pragma once

#include <mpi.h>
#include <sverdrup/binding.h>

#include <string>
#include <vector>

#include "../../face/mpi/contexts.hpp"
#include "../dataset.hpp"
#include "reading.hpp"

namespace sv::netcdf4 {

/// The arguments of nc_create_par or nc_open_par. Values.
struct ParallelCall {
  const void *caller;
  std::string path;
  int mode;
  MPI_Comm comm;
  MPI_Info info;
};

/// Collective. The context in which Sverdrup would make files of these ranks; nullptr with a `reason`: there is none.
/// `fills`: whether unput cells get fill values.
const Context *context_for(MPI_Comm comm, bool fills, std::string &reason);

class ParallelEngine final : public Engine {
 public:
  /// Collective. Copies `call.info`.
  ParallelEngine(const ParallelCall &call, int rank, int ranks);
  ParallelEngine(const ParallelEngine &) = delete;
  ~ParallelEngine() override;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  void add_up(Account &account) const override;
  /// Collective, before the real library reads a file that is opened to write: if a writer was killed in the middle of
  /// a commit, completes that. Where it cannot, open() will say so.
  void complete_commit();
  /// Collective. Opens the file to write, whose definitions the real library keeps as `there`. False with a reason:
  /// Sverdrup cannot have it, or some of it. Throws the code of a system that cannot read it. `shapes`: of the
  /// variables. `mode`: of a file that would take its place.
  bool open(int there, int mode, const std::vector<Shape> &shapes, std::string &reason);
  /// Local. The file is only read. Throws the code of a system that cannot read it.
  void open_to_read() { reading_.begin(call_.path); }
  bool reads(double bytes, int there, std::vector<Shape> &shapes) override {
    return reading_.reads(bytes, there, shapes);
  }
  bool begin(const Definitions &definitions, std::string &reason) override;
  bool redefine(const Definitions &definitions, std::string &reason) override;
  int64_t length(int dim) const override;
  bool may_extend(int variable) const override { return is_collective(variable); }
  int transfer(int variable, bool is_put, Request *request) override;
  void sync() override;
  int close() override;
  int make_by_library() override;
  int hand_over(const Definitions &definitions) override;
  void set_access_of_library(const std::vector<Shape> &shapes, int there) override;
  void set_access(const std::vector<Shape> &shapes, int variable, int access) override;

 private:
  bool is_collective(int variable) const {
    const auto v = static_cast<size_t>(variable);
    return v < collective_.size() && collective_[v];
  }
  [[nodiscard]] int bring_new(const Definitions &definitions);
  int end_definitions();
  void put_together();
  [[nodiscard]] int put_by_themselves();
  void take_shapes(const std::vector<Shape> &shapes);
  int carry_out(Request *request, bool alone);
  int get_by_library(const Request &request) const;
  bool has_growing_lengths(const Shape &shape) const;
  int put_growing(int variable, const Request *request);
  int move_together(int variable, bool is_put, Request *request);
  void copy_values(const std::string &from, int to);

  ParallelCall call_;  // with a copy of its info
  int rank_, ranks_;
  std::string note_;                   // for the summary
  sv_context *io_ = nullptr;           // of `file_`
  sv_file *file_ = nullptr;            // of Sverdrup
  bool is_marked_ = false;             // on rank 0: the end of the file was marked before it was opened
  bool is_independent_ = false;        // alike: ranks put and get by themselves (sv_begin_indep)
  bool may_have_new_records_ = false;  // alike: puts since the last sv_sync, which no get sees yet
  std::vector<bool> collective_;       // of each variable: ranks put and get it together
  std::vector<Shape> shapes_;
  std::vector<bool> is_put_;  // of each variable: some rank may have put it
  LoneReading reading_;       // instead of file_, where the file is only read
};

}  // namespace sv::netcdf4
