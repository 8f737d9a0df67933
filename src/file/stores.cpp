#include "file/stores.hpp"

#include "backend/backend.hpp"
#include "base/error.hpp"

namespace sv {

Schema read_definitions(const std::string &path) {
  if (!is_hdf5(path)) return read_schema(path);
  Schema schema = backend("netcdf4").read_schema(path);
  const int64_t records = schema.records;
  try {
    place_variables(schema, Placement());
  } catch (Error &error) {
    throw error.in_file(path);
  }
  schema.records = records;
  return schema;
}

Format format_of(const FileSettings &settings) {
  return settings.format == Format::automatic && settings.store == StoreName::netcdf4 ? Format::netcdf4
                                                                                      : settings.format;
}

StoreMaker::StoreMaker(const FileSettings &settings, const WatchSettings &watch, Format format) {
  const bool hdf5 = is_netcdf4(format);
  if (settings.store != StoreName::automatic && hdf5 != (settings.store == StoreName::netcdf4))
    throw Error(Status::config,
                "the store '" + std::string(name_of(settings.store)) + "' for a file of format " + name_of(format),
                "Leave 'store' out, or choose a format that it has");
  name_ = hdf5 ? "netcdf4" : settings.store == StoreName::pnetcdf ? "pnetcdf" : "cdf";
  access_.hints = {settings.hints.begin(), settings.hints.end()};
  access_.chunks = settings.chunks;
  access_.library_io = settings.mpi_io == MpiIo::library;
  access_.watch = watch;
}

std::unique_ptr<Store> StoreMaker::make(const std::string &path, Kind kind, const Access &access) const {
  return name_ == "cdf" ? make_cdf_store(path, kind) : backend(name_).make_store(path, kind, access);
}

Access StoreMaker::writing_access(const Comm &comm, int writers) const {
  Access made = access_;
  made.comm = comm.get();
  made.writers = writers;
  return made;
}

Access StoreMaker::reading_access(const Comm &comm) const {
  Access made = access_;
  made.comm = comm.get();
  made.collective = true;
  return made;
}

}  // namespace sv
