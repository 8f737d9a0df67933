/* Whether the C compiler's ISO_Fortran_binding.h describes what the Fortran compiler passes (cmake/SvFortran.cmake). */
#include <ISO_Fortran_binding.h>

int sv_descriptor_is_known(const CFI_cdesc_t *matrix);

int sv_descriptor_is_known(const CFI_cdesc_t *matrix) {
  const double *first = matrix->base_addr;
  if (matrix->version != CFI_VERSION || matrix->rank != 2 || matrix->elem_len != sizeof *first) return 0;
  if (matrix->type != CFI_type_double || matrix->dim[0].extent != 2 || matrix->dim[1].extent != 3) return 0;
  return matrix->dim[0].sm == 2 * (CFI_index_t)sizeof *first && matrix->dim[1].sm == 4 * (CFI_index_t)sizeof *first &&
         *first == 1.0;
}
