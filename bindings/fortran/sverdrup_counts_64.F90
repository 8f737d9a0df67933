! The calls with lengths, starts, counts and records as integer(int64). See sverdrup_counts.inc.
module sverdrup_counts_64
  use, intrinsic :: iso_c_binding, only: count_kind => c_int64_t
#define OPTIONAL_64 , optional
#include "sverdrup_counts.inc"
end module sverdrup_counts_64
