// parse FILE...: reads each configuration file as sv_init does; fails with the message of the first that is refused.
#include <cstdio>

#include "base/error.hpp"
#include "config/configuration.hpp"

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    try {
      const sv::Settings settings = sv::load_settings(argv[i], {}, {});
      if (settings.from.empty() && settings.file.from.empty()) {
        std::fprintf(stderr, "%s sets nothing\n", argv[i]);
        return 1;
      }
    } catch (const sv::Error &error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  return 0;
}
