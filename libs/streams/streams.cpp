// streams.h: opaque handles, and exceptions turned into codes.
#include "sverdrup/streams.h"

#include <new>

#include "failure.hpp"
#include "run.hpp"

namespace sv::streams {

namespace {

Run *run_of(sv_streams *handle) { return reinterpret_cast<Run *>(handle); }
const Run *run_of(const sv_streams *handle) { return reinterpret_cast<const Run *>(handle); }

/// The error becomes that of a collective call, so that every rank has it, also
/// those that have not found it.
int report(sv_context *io, int status, const std::string &cause, const std::string &remedy) {
  const int refused = sv_refuse(io, status, cause.c_str(), remedy.c_str());
  return refused != SV_OK ? refused : sv_flush(io, SV_HANDED_OVER);
}

/// Runs `action`; SV_OK, or the code of its error.
template <class Action>
int guarded(sv_context *io, const Action &action) noexcept {
  try {
    action();
    return SV_OK;
  } catch (const ReportedFailure &failure) {
    return failure.status;
  } catch (const Failure &failure) {
    return report(io, failure.status, failure.what(), failure.remedy);
  } catch (const std::bad_alloc &) {
    return report(io, SV_ENOMEM, "no memory for streams", "Use more nodes, or fewer fields with operations over time");
  } catch (const std::exception &error) {
    return report(io, SV_EINTERNAL, std::string("unexpected: ") + error.what(), "Please report it");
  }
}

/// The same for a call on streams, which can only be closed after an error.
template <class Action>
int on_run(sv_streams *handle, const Action &action) noexcept {
  if (handle == nullptr) return sv_refuse(nullptr, SV_EINVAL, "", "");
  Run &run = *run_of(handle);
  const int status = guarded(run.io(), [&] { action(run); });
  if (status != SV_OK) run.fail();
  return status;
}

void require(const void *pointer, const char *call) {
  if (pointer == nullptr) throw Failure(SV_EINVAL, std::string(call) + ": a null pointer", "See streams.h");
}

}  // namespace

}  // namespace sv::streams

using namespace sv::streams;

extern "C" {

int sv_open_streams(sv_context *io, const char *config, sv_streams **streams) {
  return guarded(io, [&] {
    require(streams, "sv_open_streams");
    *streams = nullptr;
    auto made = std::make_unique<Run>(io);
    made->configure(config);
    *streams = reinterpret_cast<sv_streams *>(made.release());
  });
}

int sv_def_stream_field(sv_streams *streams, const sv_stream_field *definition, int *field) {
  return on_run(streams, [&](Run &run) {
    require(definition, "sv_def_stream_field");
    require(field, "sv_def_stream_field");
    *field = run.define(*definition);
  });
}

int sv_def_static_field(sv_streams *streams, const sv_stream_field *definition, const void *values) {
  return on_run(streams, [&](Run &run) {
    require(definition, "sv_def_static_field");
    run.define_static(*definition, values);
  });
}

int sv_def_stream(sv_streams *streams, const char *name, const char *keys) {
  return on_run(streams, [&](Run &run) {
    require(name, "sv_def_stream");
    require(keys, "sv_def_stream");
    run.define_stream(name, keys);
  });
}

int sv_begin_streams(sv_streams *streams, const sv_stream_start *start) {
  return on_run(streams, [&](Run &run) {
    require(start, "sv_begin_streams");
    run.begin(*start);
  });
}

int sv_inq_field_wanted(const sv_streams *streams, int field, const int date[6], int *wanted) {
  if (streams == nullptr || wanted == nullptr) return sv_refuse(nullptr, SV_EINVAL, "", "");
  const Run &run = *run_of(streams);
  return guarded(run.io(), [&] { *wanted = run.is_wanted(field, date) ? 1 : 0; });
}

int sv_send_field(sv_streams *streams, int field, const int date[6], const void *values) {
  return on_run(streams, [&](Run &run) { run.send(field, date, values); });
}

int sv_save_streams(sv_streams *streams, const int date[6]) {
  return on_run(streams, [&](Run &run) { run.save(date); });
}

int sv_close_streams(sv_streams *streams) {
  const int status = on_run(streams, [](Run &run) { run.close(); });
  delete run_of(streams);
  return status;
}
}
