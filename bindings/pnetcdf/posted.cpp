#include "posted.hpp"

namespace sv::pnetcdf {

int submit(sv_file *file, const Wanted &w, sv_request *request) {
  if (w.number >= 0) {
    if (!w.is_put)
      return sv_iget_varn(file, w.variable, w.number, w.starts, w.counts, {w.type, w.data, nullptr}, request);
    const auto put = w.is_copied ? sv_bput_varn : sv_iput_varn;
    return put(file, w.variable, w.number, w.starts, w.counts, {w.type, w.data, nullptr}, request);
  }
  if (!w.is_put)
    return sv_iget_vars(file, w.variable, w.start, w.count, w.stride, {w.type, w.data, w.memory_strides}, request);
  const auto put = w.is_copied ? sv_bput_vars : sv_iput_vars;
  return put(file, w.variable, w.start, w.count, w.stride, {w.type, w.data, w.memory_strides}, request);
}

KeptWanted::KeptWanted(const Wanted &wanted, int dims) : wanted_(wanted) {
  const auto length = static_cast<size_t>(dims);
  std::vector<size_t> at;  // of each array in numbers_; then addresses stand fast
  const auto keep = [&](const int64_t *array) {
    at.push_back(numbers_.size());
    if (array != nullptr) numbers_.insert(numbers_.end(), array, array + length);
  };
  const int64_t *const arrays[] = {wanted.start, wanted.count, wanted.stride, wanted.memory_strides};
  for (const int64_t *array : arrays) keep(array);
  for (int i = 0; i < wanted.number; ++i) {
    keep(wanted.starts[i]);
    keep(wanted.counts[i]);
  }
  const auto kept = [&](size_t i) { return numbers_.data() + at[i]; };
  const int64_t **const own[] = {&wanted_.start, &wanted_.count, &wanted_.stride, &wanted_.memory_strides};
  for (size_t i = 0; i < 4; ++i)
    if (arrays[i] != nullptr) *own[i] = kept(i);
  for (size_t i = 4; i < at.size(); i += 2) rows_.push_back(kept(i));
  for (size_t i = 5; i < at.size(); i += 2) rows_.push_back(kept(i));
  wanted_.starts = rows_.data();
  wanted_.counts = rows_.data() + rows_.size() / 2;
}

int Requests::add(Posted posted) {
  if (posted_.empty()) first_ = 0;
  const int number = 2 * (first_ + static_cast<int>(posted_.size())) + (posted.is_put ? 0 : 1);
  posted_.emplace_back(std::move(posted));
  ++count_;
  return number;
}

Posted *Requests::find(int number) {
  const int place = number / 2 - first_;
  if (number < 0 || place < 0 || place >= static_cast<int>(posted_.size())) return nullptr;
  auto &found = posted_[static_cast<size_t>(place)];
  return found && found->is_put == (number % 2 == 0) ? &*found : nullptr;
}

std::vector<int> Requests::numbers(bool of_puts, bool of_gets) const {
  std::vector<int> all;
  for (size_t i = 0; i < posted_.size(); ++i)
    if (posted_[i] && (posted_[i]->is_put ? of_puts : of_gets))
      all.push_back(2 * (first_ + static_cast<int>(i)) + (posted_[i]->is_put ? 0 : 1));
  return all;
}

void Requests::carried_out() {
  for (auto &each : posted_)
    if (each && each->request != SV_NO_REQUEST) each->request = SV_NO_REQUEST;
}

void Requests::remove(int number) {
  posted_[static_cast<size_t>(number / 2 - first_)].reset();
  --count_;
  while (!posted_.empty() && !posted_.front()) {
    posted_.pop_front();
    ++first_;
  }
}

}  // namespace sv::pnetcdf
