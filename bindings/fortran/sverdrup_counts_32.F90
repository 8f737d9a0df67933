! The calls with lengths, starts, counts and records as default integers. See sverdrup_counts.inc.
module sverdrup_counts_32
  use, intrinsic :: iso_c_binding, only: count_kind => c_int32_t
#define OPTIONAL_64
#include "sverdrup_counts.inc"
end module sverdrup_counts_32
