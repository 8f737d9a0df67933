#include "tracer/sverdrup_files.hpp"

namespace sv::profile {
namespace {

constexpr int longest_name_of_sverdrup = 257;  // SV_MAX_NAME
constexpr int most_dims_of_sverdrup = 16;      // SV_MAX_DIMS

}  // namespace

void SverdrupFiles::learn(const void *function) {
  find_sibling(inquire_, function, "sv_inq");
  find_sibling(inquire_variable_, function, "sv_inq_var");
  find_sibling(inquire_dim_, function, "sv_inq_dim");
}

bool SverdrupFiles::ask(Word file, int var, std::string &name, KnownVariable &known) const {
  char text[longest_name_of_sverdrup];
  int dims[most_dims_of_sverdrup];
  int record_dim = -1;
  if (inquire_ == nullptr || inquire_variable_ == nullptr || inquire_dim_ == nullptr ||
      inquire_(file, nullptr, nullptr, nullptr, &record_dim) != 0 ||
      inquire_variable_(file, var, text, nullptr, &known.ndims, dims, nullptr) != 0) {
    return false;
  }
  name = text;
  known.cells = 1;
  for (int d = 0; d < known.ndims; ++d) {
    int64_t length = 1;
    if (dims[d] != record_dim && inquire_dim_(file, dims[d], nullptr, &length) != 0) {
      return false;
    }
    known.cells *= length;
  }
  return true;
}

void SverdrupFiles::decomposed(Word decomp, SverdrupPart part) {
  const MutexLock lock(mutex_);
  parts_.insert_or_assign(decomp, std::move(part));
}

void SverdrupFiles::freed(Word decomp) {
  const MutexLock lock(mutex_);
  parts_.erase(decomp);
}

SverdrupPart SverdrupFiles::part(Word decomp) {
  const MutexLock lock(mutex_);
  const auto found = parts_.find(decomp);
  return found != parts_.end() ? found->second : SverdrupPart{};
}

// Lives as long as the process: programs close files in destructors of static objects.
SverdrupFiles &sverdrup_files() {
  static SverdrupFiles &files = *new SverdrupFiles;
  return files;
}

}  // namespace sv::profile
