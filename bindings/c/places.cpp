// sverdrup.h: where the values of a CDF file stand. Local.
#include "file/home.hpp"
#include "handles.hpp"

using namespace sv;
using namespace sv::c;

namespace {

const CdfPlaces &places_of(const sv_file *handle) {
  require(handle, "file");
  const File &of = *file(handle);
  if (!has_places(of.schema().format))
    throw Error(Status::format, "a " + name_of(of.schema().format) + " file has no offsets", "Ask of CDF files only")
        .in_file(of.path());
  if (of.mode == Mode::define || !of.schema().places)
    throw Error(Status::order, "nothing has a place in define mode", "Call sv_enddef before").in_file(of.path());
  return *of.schema().places;
}

}  // namespace

extern "C" {

int sv_def_alignment(sv_file *handle, int64_t header_free, int64_t data_align, int64_t variable_align,
                     int64_t fixed_free, int64_t record_align) {
  return guarded([&] {
    require(handle, "file");
    File &of = *file(handle);
    of.defining("sv_def_alignment");
    if (!of.has_home() || !of.home().writes_here())
      throw Error(Status::unsupported, "the file is a series, or servers write it, which place values by themselves",
                  "Set 'header_reserve', or 'async.group' to none for it")
          .in_file(of.path());
    Placement placement = of.placement();
    const auto take = [&](int64_t given, int64_t &kept) {
      if (given > INT64_MAX / 4)
        throw Error(Status::invalid, std::to_string(given) + " free or aligned bytes", "Give less").in_file(of.path());
      if (given >= 0) kept = given;
    };
    take(header_free, placement.header_reserve);
    take(data_align, placement.data_alignment);
    take(variable_align, placement.variable_alignment);
    take(fixed_free, placement.fixed_reserve);
    take(record_align, placement.record_alignment);
    of.place_as(placement);
  });
}

int sv_def_varoffsets(sv_file *handle, int nvars, const int64_t *offsets) {
  return guarded([&] {
    require(handle, "file");
    if (nvars > 0) require(offsets, "offsets");
    File &of = *file(handle);
    const Definitions &defined = of.defining("sv_def_varoffsets");
    if (nvars != static_cast<int>(defined.schema.variables.size()))
      throw Error(Status::invalid,
                  "the places of " + std::to_string(nvars) + " variables were given, of " +
                      std::to_string(defined.schema.variables.size()),
                  "Call it when all are defined")
          .in_file(of.path());
    Placement placement = of.placement();
    placement.begins.assign(offsets, offsets + nvars);
    of.place_as(placement);
  });
}

int sv_inq_file_layout(const sv_file *handle, int64_t *header_bytes, int64_t *data_begin, int64_t *record_bytes) {
  return guarded([&] {
    require(handle, "file");
    if (file(handle)->mode == Mode::define && data_begin == nullptr && record_bytes == nullptr) {
      const PlacedSchema &defined = file(handle)->schema();
      if (header_bytes != nullptr && has_places(defined.format) && defined.format != Format::automatic) {
        *header_bytes = header_length(defined);
        return;
      }
    }
    const CdfPlaces &places = places_of(handle);
    if (header_bytes != nullptr) *header_bytes = places.header_bytes;
    if (data_begin != nullptr) *data_begin = places.data_begin;
    if (record_bytes != nullptr) *record_bytes = places.record_bytes;
  });
}

int sv_inq_range_errors(const sv_file *handle, int64_t *values) {
  return guarded([&] {
    require(handle, "file");
    require(values, "values");
    *values = 0;
    for (const RangeErrors::Count &each : file(handle)->range_errors.of_variables()) *values += each.values;
  });
}

int sv_inq_varoffset(const sv_file *handle, int var, int64_t *offset) {
  return guarded([&] {
    const CdfPlaces &places = places_of(handle);
    file(handle)->variable(var);
    if (offset != nullptr) *offset = places.variables[static_cast<size_t>(var)].begin;
  });
}
}
