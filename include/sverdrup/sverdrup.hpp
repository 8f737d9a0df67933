// Sverdrup in C++20: parallel netCDF output and input for Earth-system models. SPDX-License-Identifier: Apache-2.0
//
//   sverdrup::Context io(MPI_COMM_WORLD);
//   const sverdrup::Decomposition grid = io.def_decomp({ny, nx}, {js, 0}, {nj, nx});
//   sverdrup::File file = io.create("ocean.nc");
//   const auto time = file.def_dim("time", SV_UNLIMITED), lat = file.def_dim("lat", ny), lon = file.def_dim("lon", nx);
//   const sverdrup::Variable temp = file.def_var<float>("temp", {time, lat, lon});
//   file.enddef();
//   for (int64_t record = 0; record < steps; ++record) {
//     compute(block);                  // std::vector<double>
//     temp.put(grid, block, record);
//     io.end_step();
//   }
//   file.close();
//   io.finalize();
//
// Programs link with the C library; this interface is headers alone. Each function calls the C function of its name:
// docs/languages.md lists both. The comment in the C header is the contract: collective or local, shapes, errors.
// There are these differences.
//
//   - A status other than SV_OK is thrown as Error. A collective call throws the same on every rank.
//   - An array whose shape or length does not fit is an error of the call. A collective call throws it on every rank.
//   - Context, File and Decomposition can be moved, not copied. A destructor is local and never throws.
//   - File::close and Context::finalize are collective, so no destructor calls them. A file that is destroyed while it
//     is open remains with its context: Context::finalize abandons it and throws SV_EORDER.
//   - A context that is destroyed before Context::finalize completes no file. Unless an exception is thrown, it says so
//     on stderr. After an exception of one rank alone, call MPI_Abort.
//   - Use a Variable or a Step while its File or Context exists.
#ifndef SVERDRUP_HPP
#define SVERDRUP_HPP

#include <cstdio>
#include <exception>

#include "file.hpp"

namespace sverdrup {

// Made by sv_init, collectively over `comm`; MPI is initialised before.
class Context {
 public:
  explicit Context(MPI_Comm comm, const std::string &config = "", const std::vector<std::string> &options = {})
      : io_(std::make_shared<detail::SharedContext>()), exceptions_(std::uncaught_exceptions()) {
    const detail::Options list(options);
    detail::check(sv_init(comm, detail::or_null(config), list.count(), list.texts.data(), &io_->io));
  }
  Context(Context &&) noexcept = default;
  Context &operator=(Context &&) = delete;  // it would lose a context
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() {
    if (io_ != nullptr && io_->io != nullptr && std::uncaught_exceptions() <= exceptions_)
      std::fputs("sverdrup: a Context was destroyed before its finalize(), and its open files are incomplete\n",
                 stderr);
  }

  // Collective. Files that are open are abandoned: SV_EORDER. Frees the context, also where it throws.
  void finalize() {
    sv_context *const io = handle();
    io_->io = nullptr;
    detail::check(sv_finalize(io));
  }
  [[nodiscard]] sv_context *handle() const { return io_ == nullptr ? nullptr : io_->io; }

  // ---- steps

  void end_step() { detail::check(sv_end_step(handle())); }
  void flush(sv_level level = SV_WRITTEN) { detail::check(sv_flush(handle(), level)); }
  [[nodiscard]] int64_t durable_step() const {
    int64_t step = 0;
    detail::check(sv_durable_step(handle(), &step));
    return step;
  }
  void request_stop() { detail::check(sv_request_stop(handle())); }
  void stop_on_signal(int signal_number) { detail::check(sv_stop_on_signal(handle(), signal_number)); }
  [[nodiscard]] bool stopping() const { return number<sv_stopping>() != 0; }
  void pause_forwarding() { detail::check(sv_pause_forwarding(handle())); }
  void resume_forwarding() { detail::check(sv_resume_forwarding(handle())); }

  // ---- servers, settings

  [[nodiscard]] bool is_model() const { return number<sv_is_model>() != 0; }
  [[nodiscard]] int servers() const { return number<sv_inq_servers>(); }
  [[nodiscard]] MPI_Comm model_comm() const {
    MPI_Comm comm = MPI_COMM_NULL;
    detail::check(sv_model_comm(handle(), &comm));
    return comm;
  }
  [[nodiscard]] std::string setting(const std::string &path, const std::string &key) const {
    std::size_t length = 0;
    detail::check(sv_inq_setting(handle(), path.c_str(), key.c_str(), &length, nullptr));
    std::string value(length, '\0');
    detail::check(sv_inq_setting(handle(), path.c_str(), key.c_str(), nullptr, value.data()));
    return value;
  }
  void write_summary(const std::string &path) { detail::check(sv_write_summary(handle(), path.c_str())); }
  // The next collective call of this rank throws this error on every rank.
  void refuse(Status status, const std::string &cause, const std::string &remedy = "") {
    detail::check(sv_refuse(handle(), static_cast<int>(status), cause.c_str(), remedy.c_str()));
  }

  // ---- decompositions and files (collective)

  // `halo` and `periodic` may be empty.
  [[nodiscard]] Decomposition def_decomp(const Index &shape, const Index &start, const Index &count,
                                         const Index &halo = {}, const std::vector<int> &periodic = {}, int flags = 0) {
    const std::size_t ndims = shape.size();
    const bool has_halo = !halo.empty() && halo.size() == 2 * ndims;
    const bool has_periodic = !periodic.empty() && periodic.size() == ndims;
    if (start.size() != ndims || count.size() != ndims || has_halo == halo.empty() || has_periodic == periodic.empty())
      refuse(Status::invalid, "start, count, halo and periodic do not fit the shape " + detail::text_of(shape),
             "Pass a start and a count for each dimension, and two widths of the halo or none");
    Index first = start, extent = count;  // as many numbers as C reads, also of a call that fails
    first.resize(ndims);
    extent.resize(ndims);
    const sv_decomp_options options{has_halo ? halo.data() : nullptr, has_periodic ? periodic.data() : nullptr, flags};
    sv_decomp *made = nullptr;
    detail::check(
        sv_def_decomp(handle(), static_cast<int>(ndims), shape.data(), first.data(), extent.data(), &options, &made));
    const bool owns_cells = detail::product(extent) != 0;
    for (std::size_t dim = 0; owns_cells && has_halo && dim < ndims; ++dim)
      extent[dim] += halo[2 * dim] + halo[2 * dim + 1];
    return {io_, made, shape, extent, false};
  }
  [[nodiscard]] Decomposition def_points(const Index &shape, std::span<const int64_t> indices, int flags = 0) {
    const int64_t none = 0, points = static_cast<int64_t>(indices.size());
    sv_decomp *made = nullptr;
    detail::check(sv_def_points(handle(), static_cast<int>(shape.size()), shape.data(), points,
                                indices.empty() ? &none : indices.data(), flags, &made));
    return {io_, made, shape, {points}, true};
  }
  [[nodiscard]] File create(const std::string &path, int flags = SV_CLOBBER) {
    return made_file<sv_create>(path, flags);
  }
  [[nodiscard]] File open(const std::string &path, int flags = SV_NOWRITE) { return made_file<sv_open>(path, flags); }

 private:
  template <auto call>
  [[nodiscard]] int number() const {
    int value = 0;
    detail::check(call(handle(), &value));
    return value;
  }
  template <auto call>
  [[nodiscard]] File made_file(const std::string &path, int flags) {
    sv_file *file = nullptr;
    detail::check(call(handle(), path.c_str(), flags, &file));
    return {io_, file};
  }

  detail::Shared io_;
  int exceptions_;
};

// The puts of one record, and the end of the step.
//
//   sverdrup::Step step(io, record);
//   step.put(temp, grid, block);
//   step.end();
class Step {
 public:
  Step(Context &io, int64_t record) : io_(&io), record_(record) {}
  [[nodiscard]] int64_t record() const { return record_; }
  template <Source Array>
  void put(const Variable &variable, const Decomposition &decomp, const Array &array) const {
    variable.put(decomp, array, record_);
  }
  template <Source Array>
  void put_var(const Variable &variable, const Array &array) const {
    variable.put_var(array, record_);
  }
  void end() { io_->end_step(); }  // collective: no destructor makes this call

 private:
  Context *io_;
  int64_t record_;
};

}  // namespace sverdrup

#endif
