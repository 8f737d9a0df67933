// sverdrup.h: servers, how far steps have come, stopping.
#include "engine/durability.hpp"
#include "handles.hpp"

using namespace sv;
using namespace sv::c;

extern "C" {

int sv_serve(MPI_Comm comm, const char *config, int n_options, const char *const *options) {
  return guarded([&] {
    check_ready(comm);
    serve(comm, beginning_of(Caller::server, config, n_options, options));
  });
}

int sv_inq_servers(const sv_context *io, int *servers) {
  return guarded([&] {
    require(io, "io");
    require(servers, "servers");
    *servers = session(io)->servers();
  });
}

int sv_flush(sv_context *io, int level) {
  return guarded([&] {
    require(io, "io");
    checked(session(io)->context("sv_flush"), "sv_flush", [&] {
      if (level < SV_HANDED_OVER || level > SV_ON_DISK)
        throw Error(Status::invalid, "there is no level " + std::to_string(level),
                    "Use SV_HANDED_OVER, SV_WRITTEN or SV_ON_DISK");
    });
    session(io)->flush(static_cast<Level>(level));
  });
}

int sv_durable_step(const sv_context *io, int64_t *step) {
  return guarded([&] {
    require(io, "io");
    require(step, "step");
    *step = durable_steps(session(io)->context("sv_durable_step"));
  });
}

int sv_request_stop(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    session(io)->stop().ask();
  });
}

int sv_stop_on_signal(sv_context *io, int signal_number) {
  return guarded([&] {
    require(io, "io");
    session(io)->stop().listen(signal_number);
  });
}

int sv_stopping(const sv_context *io, int *stopping) {
  return guarded([&] {
    require(io, "io");
    require(stopping, "stopping");
    *stopping = session(io)->is_model() && session(io)->context("sv_stopping").stopping ? 1 : 0;
  });
}

int sv_pause_forwarding(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    session(io)->communicate(true);
  });
}

int sv_resume_forwarding(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    session(io)->communicate(false);
  });
}
}
