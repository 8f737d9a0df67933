#include "store/striping.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "store/shared_storage.hpp"
#include "store/stripe_calls.hpp"
#include "store/whole_writes.hpp"

namespace sv {

namespace {

/// Returns ask(calls, descriptor) of a file or directory whose file system takes stripes; otherwise nothing.
template <class Ask>
auto asked(const std::string &path, const Ask &ask) -> decltype(ask(lustre_stripes, 0)) {
  const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); });
  if (descriptor < 0) return {};
  const SharedStorage *const storage = shared_storage_of(descriptor);
  decltype(ask(lustre_stripes, 0)) answer{};
  if (storage != nullptr && storage->stripes != nullptr) answer = ask(*storage->stripes, descriptor);
  ::close(descriptor);
  return answer;
}

}  // namespace

int storage_targets_at(const std::string &directory) {
  return asked(directory, [](const StripeCalls &calls, int descriptor) { return calls.targets(descriptor); });
}

std::optional<FileStripes> stripes_at(const std::string &path) {
  return asked(path, [](const StripeCalls &calls, int descriptor) { return calls.stripes(descriptor); });
}

std::string in_words(const FileStripes &stripes) {
  return std::to_string(stripes.count) + (stripes.count == 1 ? " stripe of " : " stripes of ") +
         std::to_string(stripes.unit_bytes) + " bytes" + (stripes.overstriped ? ", overstriped" : "");
}

}  // namespace sv
