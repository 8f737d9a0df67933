// A file's life: it is taken over or left to netCDF when it is made or opened, and never later.
#include <algorithm>
#include <array>
#include <atomic>

#include "base/error.hpp"
#include "calls.hpp"
#include "config/configuration.hpp"
#include "led.hpp"

namespace sv::netcdf {

namespace {

std::atomic<int> default_format = NC_FORMAT_CLASSIC;
constexpr const char *is_netcdf4 = "netCDF-4";  // a reason
constexpr int64_t default_chunk = 8192;  // of netCDF on most file systems; only reported, and asked for as an alignment

/// The format of a new file; automatic: none of ours.
Format format_of(int mode) {
  const int formats = mode & (NC_64BIT_OFFSET | NC_64BIT_DATA);
  if (formats == NC_64BIT_OFFSET) return Format::cdf2;
  if (formats == NC_64BIT_DATA) return Format::cdf5;
  if (formats != 0) return Format::automatic;
  if (default_format == NC_FORMAT_64BIT_OFFSET) return Format::cdf2;
  if (default_format == NC_FORMAT_CDF5) return Format::cdf5;
  return default_format == NC_FORMAT_CLASSIC ? Format::cdf1 : Format::automatic;
}

/// With the flags of the default format, if that is netCDF-4 and the mode names no format.
int mode_of(const Call &call) {
  if (!call.is_new || (call.mode & (NC_64BIT_OFFSET | NC_64BIT_DATA | NC_NETCDF4)) != 0) return call.mode;
  if (default_format == NC_FORMAT_NETCDF4) return call.mode | NC_NETCDF4;
  if (default_format == NC_FORMAT_NETCDF4_CLASSIC) return call.mode | NC_NETCDF4 | NC_CLASSIC_MODEL;
  return call.mode;
}

std::string reason_in_mode(const Call &call) {
  if ((mode_of(call) & NC_NETCDF4) != 0) return is_netcdf4;
  if ((call.mode & NC_DISKLESS) != 0) return "NC_DISKLESS: it is a file in memory";
  if ((call.mode & NC_SHARE) != 0) return "NC_SHARE asks that nothing waits";
  const int known =
      call.is_new ? NC_NOCLOBBER | NC_64BIT_OFFSET | NC_64BIT_DATA | NC_CLASSIC_MODEL | NC_WRITE : NC_WRITE;
  if ((call.mode & ~known) != 0) return "its mode has flags that are not known";
  if (call.is_new && format_of(call.mode) == Format::automatic) return "its format is none of CDF-1, CDF-2 and CDF-5";
  return "";
}

/// What the file is by its first bytes; empty: CDF-1, CDF-2 or CDF-5.
std::string reason_in_file(const std::string &path) {
  if (presence_of(path) != Presence::file) return "there is no such file";
  PositionalFile file(path, PositionalFile::Mode::read);
  std::array<std::byte, 8> magic{};
  StoreCounters counters;
  file.read(0, magic, counters);
  const auto letters = reinterpret_cast<const char *>(magic.data());
  if (std::string_view(letters, 4) == "\x89HDF") return is_netcdf4;
  if (std::string_view(letters, 3) != "CDF" || (letters[3] != 1 && letters[3] != 2 && letters[3] != 5))
    return "its format is none of CDF-1, CDF-2 and CDF-5";
  if (std::all_of(magic.begin() + 4, magic.end(), [](std::byte each) { return each == std::byte{0xff}; }))
    return "its records are not counted";
  return "";
}

/// Why files of this call are left to netCDF; nullptr: they are not.
const char *reason_of_caller(const Call &call) {
  if (is_inside(call.caller)) return "netCDF or Sverdrup itself opened it";
  if (call.is_by_handle) return "the program calls functions that it has looked up in the netCDF library (dlsym)";
  return nullptr;
}

/// Why the file would be left to netCDF; empty: it would not.
std::string reason_to_leave(const Call &call) {
  if (const char *const reason = reason_of_caller(call)) return reason;
  if (call.path == nullptr || *call.path == '\0') return "it has no name";
  const std::string path = call.path;
  const auto first = static_cast<unsigned char>(path.front());
  if (path.find("://") != std::string::npos || first == '[' || first <= ' ' || path.find('#') != std::string::npos)
    return "its name is a URL";
  const std::string reason = reason_in_mode(call);
  return reason.empty() && !call.is_new ? reason_in_file(path) : reason;
}

/// Read when the first file is made or opened, and never destroyed: destructors of the program may still open files.
/// Throws its error, each time.
const FileSettings &settings_of(const char *path) {
  static const auto *const settings = new Settings(load_settings("", environment(), {}));
  return settings->for_file(path);
}

/// nullptr with a `reason`: it is left to netCDF.
Dataset *taken_over(const Call &call, std::string &reason) {
  try {
    reason = reason_to_leave(call);
    if (!reason.empty()) return nullptr;
    const FileSettings &settings = settings_of(call.path);
    if (!settings.take_over) {
      reason = "the configuration says take_over: false";
      return nullptr;
    }
    auto made = std::make_unique<Dataset>();
    made->path = call.path;
    made->file = call.is_new ? SerialFile::make(call.path, format_of(call.mode), (call.mode & NC_NOCLOBBER) != 0)
                             : SerialFile::open(call.path, (call.mode & NC_WRITE) != 0);
    made->file->be_durable(settings.durability != Durability::written);
    const Format format = made->schema().format;
    made->mode = call.mode | (format == Format::cdf2 ? NC_64BIT_OFFSET : format == Format::cdf5 ? NC_64BIT_DATA : 0);
    return &keep(std::move(made));
  } catch (const std::exception &error) {
    reason = std::string("Sverdrup says: ") + error.what();
    return nullptr;
  }
}

}  // namespace

int begin(const Call &call, size_t *chunk, int *ncid, const std::function<int()> &real) {
  std::string reason;
  if (!call.is_new) {
    settle_files_at(call.path);
    settle_led_files_at(call.path);
  }
  if (const int mode = mode_of(call); call.is_new && (mode & NC_NETCDF4) != 0 && reason_of_caller(call) == nullptr)
    return begin_serial({call.caller, call.path, mode, 0, nullptr, nullptr}, ncid, real);
  if (Dataset *const own = taken_over(call, reason)) {
    if (chunk != nullptr && (*chunk == NC_SIZEHINT_DEFAULT || *chunk > (size_t{1} << 30))) *chunk = default_chunk;
    if (chunk != nullptr) *chunk = std::max<size_t>(*chunk, 256) / 8 * 8;
    if (ncid != nullptr) *ncid = own->ncid;
    return NC_NOERR;
  }
  if (reason == is_netcdf4 && (call.mode & NC_WRITE) != 0)
    return begin_serial({call.caller, call.path, call.mode, 0, nullptr, nullptr}, ncid, real, "sv_netcdf4_open");
  const int code = real();
  if (code != NC_NOERR || call.path == nullptr) return code;
  if (!is_inside(call.caller))
    list_left(call.path, reason, 1);
  else if (libraries().contain(call.caller) && (call.mode & NC_DISKLESS) == 0)
    list_left(call.path, "netCDF's own calls opened it (version 2)", 1);
  return code;
}

int leave(const char *path, const char *reason, const std::function<int()> &real) {
  settle_files_at(path);
  settle_led_files_at(path);
  const int code = real();
  if (code == NC_NOERR && path != nullptr) list_left(path, reason, 1);
  return code;
}

int set_default_format(int format, const std::function<int()> &real) {
  const int code = real();
  if (code == NC_NOERR) default_format = format;
  return code;
}

int redef(Dataset &own) {
  refuse_if(!own.file->is_writable(), NC_EPERM);
  refuse_if(own.file->is_defining(), NC_EINDEFINE);
  own.file->define();
  return NC_NOERR;
}

int _enddef(Dataset &own, size_t header_free, size_t data_align, size_t fixed_free, size_t record_align) {
  refuse_if(!own.file->is_defining(), NC_ENOTINDEFINE);
  const auto alignment = [](size_t given) {
    return given == NC_ALIGN_CHUNK ? int64_t{default_chunk} : std::max<int64_t>(1, static_cast<int64_t>(given));
  };
  const PlacedSchema *const before = own.file->schema_before();
  own.check_fill(before == nullptr ? 0 : before->variables.size(), false);
  own.file->end_definitions({static_cast<int64_t>(header_free), alignment(data_align), static_cast<int64_t>(fixed_free),
                             alignment(record_align)});
  return NC_NOERR;
}

int enddef(Dataset &own) { return _enddef(own, 0, 1, 0, 1); }

int sync(Dataset &own) {
  refuse_if(own.file->is_defining(), NC_EINDEFINE);
  own.file->sync();
  if (own.file->is_writable()) return NC_NOERR;
  own.dims.forget();  // they have been read again
  own.variables.forget();
  own.attributes.clear();
  return NC_NOERR;
}

int abort(Dataset &own) {
  const std::unique_ptr<Dataset> last = take_away(own);
  const int code = answered([&] {
    last->file->abort();
    return NC_NOERR;
  });
  list_handled(last->path, last->account, 1, code);
  return code;
}

int close(Dataset &own) {
  const std::unique_ptr<Dataset> last = take_away(own);
  int code = NC_NOERR;
  if (last->file->is_defining()) code = answered([&] { return enddef(*last); });
  const int closed = answered([&] {
    code == NC_NOERR ? last->file->close() : last->file->abort();
    return NC_NOERR;
  });
  if (code == NC_NOERR) code = closed;
  list_handled(last->path, last->account, 1, code);
  return code;
}

/// `info` is of files in memory, and stays as it is.
int close_memio(Dataset &own, void *) { return close(own); }

int set_base_pe(Dataset &, int) { return NC_NOERR; }

int inq_base_pe(Dataset &, int *pe) { return assign(pe, 0); }

}  // namespace sv::netcdf
