#include "log.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

namespace svcrash {

void give_up(const std::string &why) {
  std::fprintf(stderr, "crash_check: %s\n", why.c_str());
  std::_Exit(2);
}

Log read_log(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in.good()) give_up("cannot read the log " + path);
  Log log;
  log.bytes.resize(static_cast<size_t>(in.tellg()));
  in.seekg(0);
  in.read(reinterpret_cast<char *>(log.bytes.data()), static_cast<std::streamsize>(log.bytes.size()));
  std::map<uint64_t, int> file_of;
  const std::span<const std::byte> all(log.bytes);
  for (size_t at = 0; at < all.size();) {
    Head head{};
    if (all.size() - at >= sizeof head) std::memcpy(&head, all.data() + at, sizeof head);
    const size_t data_bytes = head.kind == Kind::write ? static_cast<size_t>(head.length) : 0;
    const size_t next = at + sizeof head + head.name_bytes + head.other_bytes + data_bytes;
    if (head.magic != log_magic || next > all.size()) give_up("the log " + path + " is damaged");
    const auto *names = reinterpret_cast<const char *>(all.data() + at + sizeof head);
    Operation one{head.kind,
                  -1,
                  head.offset,
                  head.length,
                  all.subspan(next - data_bytes, data_bytes),
                  std::string(names, head.name_bytes),
                  std::string(names + head.name_bytes, head.other_bytes)};
    if (head.kind == Kind::foreign) give_up(path + ": the run used what cannot be recorded: " + one.name);
    if (head.kind == Kind::create) file_of[head.inode] = log.files++;  // a number may be used again
    const auto found = file_of.find(head.inode);
    if (found != file_of.end()) one.file = found->second;
    if ((one.changes_data() || one.kind == Kind::link) && one.file < 0)
      give_up(path + ": a file is written that was not made in the run");
    log.operations.push_back(std::move(one));
    at = next;
  }
  return log;
}

}  // namespace svcrash
