// sverdrup.h: files for each period.
#include "engine/series.hpp"

#include "engine/file_parts.hpp"
#include "handles.hpp"

using namespace sv;
using namespace sv::c;

extern "C" {

int sv_select_record(sv_file *handle, const int date[6], double time, int64_t *record, int *wants_fixed) {
  return guarded([&] {
    require(handle, "file");
    File *const own = own_file(handle);
    checked(own, -1, "sv_select_record", [&] {
      require(date, "date");
      require(record, "record");
      if (own->engine->series == nullptr)
        throw Error(Status::unsupported, "sv_select_record, but this is no series", "Create the file with SV_SERIES");
    });
    const Series::Begun begun =
        own->engine->series->begin({date[0], date[1], date[2], date[3], date[4], date[5]}, time);
    *record = begun.record;
    if (wants_fixed != nullptr) *wants_fixed = begun.wants_fixed ? 1 : 0;
  });
}
}
