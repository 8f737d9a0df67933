// What this rank asked for, read by itself.
#pragma once

#include "requests/fields_job.hpp"
#include "requests/request_rows.hpp"

namespace sv {

/// In the order of the file, in bounded memory. Local; where all ranks read together, collective.
void read_own(const FieldsJob &job, RequestRows<UnpackRow> &rows);

}  // namespace sv
