// What all ranks asked for, moved one field after the other: for files whose data a library places, and sets of files.
// Collective, all of it.
#pragma once

#include "requests/fields_job.hpp"
#include "requests/request_rows.hpp"

namespace sv {

/// An error of any rank fails the file, and is thrown on every rank.
void write_each(const FieldsJob &job, RequestRows<PackRow> &rows);
/// Returns what this rank fails with.
std::optional<Error> read_each(const FieldsJob &job, RequestRows<UnpackRow> &rows);

}  // namespace sv
