// Whether a program runs with a sanitizer's library, which takes long and other memory than the program's: tests are
// compiled alike for all builds (tests/CMakeLists.txt), so they ask when they run.
#pragma once

extern "C" __attribute__((weak)) void __sanitizer_print_stack_trace();  // every sanitizer's library has it

namespace sv::test {

inline bool is_sanitized() { return &__sanitizer_print_stack_trace != nullptr; }

}  // namespace sv::test
