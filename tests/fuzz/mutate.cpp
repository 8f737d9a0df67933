// Writes malformed files: fuzz_mutate FOLDER COUNT SEED makes FOLDER/0.nc and so on.
#include <cstdio>
#include <stdexcept>

#include "fuzz/mutations.hpp"

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: fuzz_mutate FOLDER COUNT SEED\n");
    return 2;
  }
  const std::vector<svfuzz::Seed> seeds = svfuzz::read_corpus(SV_CORPUS);
  const uint64_t count = std::stoull(argv[2]), run = std::stoull(argv[3]);
  for (uint64_t n = 0; n < count; ++n) {
    const svfuzz::Bytes bytes = svfuzz::Mutation(seeds, run, n).bytes();
    std::ofstream out(std::string(argv[1]) + "/" + std::to_string(n) + ".nc", std::ios::binary);
    out.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write number " + std::to_string(n));
  }
  return 0;
}
