#!/bin/bash
# SV_TYPE_OF gives each C type its number, refuses others, and is absent before C11; so do SV_PUT and the other macros: type_of.sh
# INCLUDE MPICC.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiles() { # STANDARD, C code from stdin
  { echo '#include <sverdrup/sverdrup.h>'; cat; } >"$work/code.c"
  "$mpicc" "-std=$1" -Wall -Wextra -pedantic-errors -Werror "-I$include" -fsyntax-only "$work/code.c" >"$work/log" 2>&1
}
include=$1
mpicc=$2
sed 's/\(.*\): \(.*\)/_Static_assert(SV_TYPE_OF((\1 *)0) == SV_\2, "\1");/' <<'TYPES' | compiles c11 || { cat "$work/log" >&2; exit 1; }
int8_t: BYTE
char: CHAR
const int16_t: SHORT
int32_t: INT
const float: FLOAT
volatile double: DOUBLE
uint8_t: UBYTE
uint16_t: USHORT
uint32_t: UINT
const int64_t: INT64
uint64_t: UINT64
long long: INT64
TYPES
compiles c11 <<<'int of_array(const double values[3]); int of_array(const double values[3]) { return SV_TYPE_OF(values); }'
for type in void 'long double' 'const char *' sv_file; do
  if compiles c11 <<<"int type = SV_TYPE_OF(($type *)0);"; then
    echo "SV_TYPE_OF takes $type" >&2
    exit 1
  fi
done
compiles c11 <<'CODE' || { cat "$work/log" >&2; exit 1; }
int all(sv_file *f, sv_decomp *d, const int64_t *at, const float *from, double *to);
int all(sv_file *f, sv_decomp *d, const int64_t *at, const float *from, double *to) {
  int bad = SV_PUT(f, 0, d, 1, from) + SV_PUT_VAR(f, 0, 1, from);
  bad += SV_PUT_VARA(f, 0, at, at, from++);
  bad += SV_PUT_VARS(f, 0, at, at, at, from) + SV_GET_VARS(f, 0, at, at, at, to);
  bad += sv_iput(f, 0, d, 1, SV_FROM(from), NULL) + sv_iget(f, 0, d, 1, SV_INTO(to), NULL);
  return bad + SV_GET(f, 0, d, 1, to) + SV_GET_VAR(f, 0, 1, to) + SV_GET_VARA(f, 0, at, at, to);
}
CODE
for wrong in 'SV_PUT(f, 0, d, 0, (const void *)d)' 'SV_GET(f, 0, d, 0, (const double *)0)'; do
  if compiles c11 <<<"int call(sv_file *f, sv_decomp *d); int call(sv_file *f, sv_decomp *d) { return $wrong; }"; then
    echo "$wrong compiles" >&2
    exit 1
  fi
done
compiles c99 <<'CODE'
#if defined(SV_TYPE_OF) || defined(SV_PUT)
#error They need C11.
#endif
int type;
CODE
