/* Files for each period. */
#include "binding.h"

void svf_select_record(const svf_file *file, const int *date, double time, const CFI_cdesc_t *record,
                       _Bool *wants_fixed, int *ierr) {
  int64_t number = -1;
  int wanted = 0;
  int status = sv_select_record(file->handle, date, time, &number, &wanted);
  if (status == SV_OK && !svf_store(record, number + 1))
    status = svf_fail(SV_ERANGE, "sv_select_record: the record needs integer(int64)");
  *wants_fixed = wanted != 0;
  svf_end(status, file->comm, ierr);
}
