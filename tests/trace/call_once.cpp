// A program in C++ for the tests of the tracer: uses functions of the C++ library that hand a function to the C library
// (std::call_once, std::async) while the tracer, with a C++ library of its own, is preloaded. Writes the file "once".
#include <cstdio>
#include <future>
#include <mutex>
#include <stdexcept>

int main() {
  static std::once_flag flag;
  int calls = 0;
  for (int i = 0; i < 3; ++i) std::call_once(flag, [&] { ++calls; });
  const int answer = std::async(std::launch::async, [] { return 42; }).get();
  bool caught = false;
  try {
    std::async(std::launch::deferred, [] { throw std::runtime_error("thrown on purpose"); }).get();
  } catch (const std::runtime_error &) {
    caught = true;
  }
  std::FILE *file = std::fopen("once", "w");
  if (file == nullptr || std::fputs("0123456789", file) < 0 || std::fclose(file) != 0) return 2;
  return calls == 1 && answer == 42 && caught ? 0 : 1;
}
