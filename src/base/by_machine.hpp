// A function that the loader chooses by the machine: the baseline of x86-64 has neither a byte shuffle nor wide
// vectors. Sanitizers instrument the chooser before their run time is ready, so their builds have one variant.
#pragma once

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SV_BY_MACHINE __attribute__((target_clones("arch=x86-64-v4", "avx2", "ssse3", "default")))
#else
#define SV_BY_MACHINE
#endif
