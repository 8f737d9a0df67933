// The context: from sv_init to sv_finalize. Communicators cross as the integers of Fortran, which every MPI has.
#include <dlfcn.h>

#include "handles.hpp"

namespace sv::python {

namespace {

/// The configuration and the options as C takes them.
struct Options {
  Options(const std::optional<Text> &path, const std::vector<Text> &options)
      : config(path ? path->c("the name of a configuration") : nullptr) {
    for (const Text &option : options) all.push_back(option.c("an option"));
  }
  int count() const { return static_cast<int>(all.size()); }

  const char *config;
  std::vector<const char *> all;
};

Handle init(MPI_Fint comm, bool alone, const std::optional<Text> &config, const std::vector<Text> &options) {
  const Options given(config, options);
  const MPI_Comm on = MPI_Comm_f2c(comm);
  const Turn turn = new_turn(alone);
  sv_context *io = nullptr;
  const int status = waiting(turn, [&] { return sv_init(on, given.config, given.count(), given.all.data(), &io); });
  check(status, true);
  return keep(io, 0, turn);
}

void serve(MPI_Fint comm, bool alone, const std::optional<Text> &config, const std::vector<Text> &options) {
  const Options given(config, options);
  const MPI_Comm on = MPI_Comm_f2c(comm);
  check(waiting(new_turn(alone), [&] { return sv_serve(on, given.config, given.count(), given.all.data()); }), true);
}

/// Forgets the context and its objects even where that fails: sv_finalize frees them in any case.
void finalize(Handle io) {
  collective(io, [&] {
    auto *const context = as<sv_context>(io);
    forget_context(io);
    return sv_finalize(context);
  });
}

MPI_Fint model_comm(Handle io) {
  MPI_Comm comm = MPI_COMM_NULL;
  local(io, [&] { return sv_model_comm(as<sv_context>(io), &comm); });
  return MPI_Comm_c2f(comm);
}

template <class Number, auto inquire>
Number context_number(Handle io) {
  Number number = 0;
  local(io, [&] { return inquire(as<sv_context>(io), &number); });
  return number;
}

template <auto call>
void call_context(Handle io) {
  collective(io, [&] { return call(as<sv_context>(io)); });
}

template <auto call>
void call_context_here(Handle io) {
  local(io, [&] { return call(as<sv_context>(io)); });
}

/// What the MPI library of this module calls itself, and its file.
std::tuple<Text, Text> mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) length = 0;
  Dl_info found{};
  const bool known = dladdr(reinterpret_cast<void *>(&MPI_Get_library_version), &found) != 0;
  return {Text{std::string(text, static_cast<size_t>(length))}, Text{known ? found.dli_fname : ""}};
}

}  // namespace

void bind_context(nb::module_ &module) {
  using namespace nb::literals;
  module.def("mpi_library", mpi_library);
  // For programs that pass an object on to C.
  module.def("address", [](Handle handle) { return reinterpret_cast<uintptr_t>(object_of(handle)); });
  module.def("version", sv_version);
  module.def("strerror", sv_strerror);
  module.def("init", init, "comm"_a, "alone"_a, "config"_a.none(), "options"_a);
  module.def("serve", serve, "comm"_a, "alone"_a, "config"_a.none(), "options"_a);
  module.def("finalize", finalize);
  module.def("end_step", call_context<sv_end_step>);
  module.def("flush",
             [](Handle io, int level) { collective(io, [&] { return sv_flush(as<sv_context>(io), level); }); });
  module.def("write_summary", [](Handle io, const Text &path) {
    const char *const name = path.c("a path");
    collective(io, [&] { return sv_write_summary(as<sv_context>(io), name); });
  });
  module.def("is_model", context_number<int, sv_is_model>);
  module.def("model_comm", model_comm);
  module.def("servers", context_number<int, sv_inq_servers>);
  module.def("durable_step", context_number<int64_t, sv_durable_step>);
  module.def("stopping", context_number<int, sv_stopping>);
  module.def("request_stop", call_context_here<sv_request_stop>);
  module.def("stop_on_signal",
             [](Handle io, int number) { local(io, [&] { return sv_stop_on_signal(as<sv_context>(io), number); }); });
  module.def("pause_forwarding", call_context_here<sv_pause_forwarding>);
  module.def("resume_forwarding", call_context_here<sv_resume_forwarding>);
  module.def("refuse", [](Handle io, int status, const Text &cause, const Text &remedy) {
    local(io, [&] { return sv_refuse(as<sv_context>(io), status, cause.bytes.c_str(), remedy.bytes.c_str()); });
  });
}

}  // namespace sv::python
