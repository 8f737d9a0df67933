#include "profile/sverdrup_files.hpp"

namespace sv::profile {
namespace {

constexpr int longest_name_of_sverdrup = 256;  // SV_MAX_NAME
constexpr int most_dims_of_sverdrup = 16;      // SV_MAX_DIMS

}  // namespace

void SverdrupFiles::learn(const void *function) {
  inquire_ = reinterpret_cast<decltype(inquire_)>(sibling_of(function, "sv_inq"));
  inquire_variable_ = reinterpret_cast<decltype(inquire_variable_)>(sibling_of(function, "sv_inq_var"));
  inquire_dim_ = reinterpret_cast<decltype(inquire_dim_)>(sibling_of(function, "sv_inq_dim"));
}

void SverdrupFiles::opened(Word file, std::string path, const void *function) {
  std::call_once(learnt_, [&] { learn(function); });
  File opened{NumberedPath(std::move(path)), {}};
  const std::lock_guard lock(mutex_);
  files_.insert_or_assign(file, std::move(opened));
}

void SverdrupFiles::closed(Word file) {
  const std::lock_guard lock(mutex_);
  files_.erase(file);
}

void SverdrupFiles::redefined(Word file) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(file);
  if (found != files_.end()) {
    found->second.variables.clear();
  }
}

SverdrupVariable SverdrupFiles::file(trace::Recorder &recorder, Word file) {
  const std::lock_guard lock(mutex_);
  SverdrupVariable known;
  const auto found = files_.find(file);
  if (found != files_.end()) {
    known.file = found->second.path.number(recorder);
    known.traced = !found->second.path.path().empty();
  }
  return known;
}

SverdrupVariable SverdrupFiles::variable(trace::Recorder &recorder, Word file, int var) {
  SverdrupVariable known = this->file(recorder, file);
  const std::lock_guard lock(mutex_);
  const auto of_file = files_.find(file);
  if (of_file == files_.end() || !known.traced) {
    return known;
  }
  auto found = of_file->second.variables.find(var);
  if (found == of_file->second.variables.end()) {
    Variable answer;
    if (!ask(file, var, answer)) {
      return known;
    }
    found = of_file->second.variables.emplace(var, std::move(answer)).first;
  }
  Variable &variable = found->second;
  if (variable.process != recorder.header().pid) {
    variable.number = recorder.variable(known.file, var, variable.name);
    variable.process = recorder.header().pid;
  }
  known.variable = variable.number;
  known.ndims = variable.ndims;
  known.cells = variable.cells;
  return known;
}

bool SverdrupFiles::ask(Word file, int var, Variable &variable) const {
  char name[longest_name_of_sverdrup];
  int dims[most_dims_of_sverdrup];
  int record_dim = -1;
  if (inquire_ == nullptr || inquire_variable_ == nullptr || inquire_dim_ == nullptr ||
      inquire_(file, nullptr, nullptr, nullptr, &record_dim) != 0 ||
      inquire_variable_(file, var, name, nullptr, &variable.ndims, dims, nullptr) != 0) {
    return false;
  }
  variable.name = name;
  variable.cells = 1;
  for (int d = 0; d < variable.ndims; ++d) {
    int64_t length = 1;
    if (dims[d] != record_dim && inquire_dim_(file, dims[d], nullptr, &length) != 0) {
      return false;
    }
    variable.cells *= length;
  }
  return true;
}

void SverdrupFiles::decomposed(Word decomp, SverdrupPart part) {
  const std::lock_guard lock(mutex_);
  parts_.insert_or_assign(decomp, std::move(part));
}

void SverdrupFiles::freed(Word decomp) {
  const std::lock_guard lock(mutex_);
  parts_.erase(decomp);
}

SverdrupPart SverdrupFiles::part(Word decomp) {
  const std::lock_guard lock(mutex_);
  const auto found = parts_.find(decomp);
  return found != parts_.end() ? found->second : SverdrupPart{};
}

// Lives as long as the process: programs close files in destructors of static objects.
SverdrupFiles &sverdrup_files() {
  static SverdrupFiles &files = *new SverdrupFiles;
  return files;
}

}  // namespace sv::profile
