// Writes states in which kills leave the files of a recorded run: crash_states LOG DIRECTORY COUNT SEED. Each of at
// most COUNT states is a folder in DIRECTORY, whose name is its number.
#include <filesystem>
#include <string>

#include "log.hpp"
#include "states.hpp"

int main(int argc, char **argv) {
  using namespace svcrash;
  if (argc != 5) give_up("crash_states LOG DIRECTORY COUNT SEED");
  const Log log = read_log(argv[1]);
  const std::filesystem::path directory = argv[2];
  Disk disk(log);
  int number = 0;
  for (const State &state : kill_states(log, std::stoull(argv[3]), std::stoull(argv[4]))) {
    while (disk.done() < state.operations) disk.advance();
    const std::filesystem::path folder = directory / std::to_string(number++);
    std::filesystem::create_directories(folder);
    for (const auto &[name, content] : disk.image(state)) write_file(folder / name, *content);
  }
  return 0;
}
