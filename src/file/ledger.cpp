#include "file/ledger.hpp"

#include <algorithm>

namespace sv {

bool Ledger::touched(int variable, int64_t record) const {
  if (!definitions_.variable(variable).has_records) return touched_fixed_[static_cast<size_t>(variable)];
  if (record < definitions_.schema.records) return true;
  const auto found = touched_records_.find(record);
  return found != touched_records_.end() && found->second[static_cast<size_t>(variable)];
}

int64_t Ledger::next_touched(int64_t record) const {
  const auto found = touched_records_.lower_bound(record);
  return found == touched_records_.end() ? INT64_MAX : found->first;
}

void Ledger::touch(int variable, int64_t record) {
  dirty_ = true;
  if (!definitions_.variable(variable).has_records) {
    touched_fixed_[static_cast<size_t>(variable)] = true;
    return;
  }
  pending_records_ = std::max(pending_records_, record + 1);
  if (record < definitions_.schema.records) return;
  std::vector<bool> &of_record = touched_records_[record];
  of_record.resize(definitions_.schema.variables.size());
  of_record[static_cast<size_t>(variable)] = true;
}

void Ledger::touch_fixed() { touched_fixed_.assign(definitions_.schema.variables.size(), true); }

void Ledger::put_alone(int64_t records) {
  dirty_ = true;
  pending_records_ = std::max(pending_records_, records);
  touch_fixed();
}

void Ledger::find(int64_t records) {
  definitions_.schema.records = pending_records_ = records;
  touch_fixed();
}

void Ledger::end_define() { touched_fixed_.resize(definitions_.schema.variables.size(), false); }

void Ledger::committed() {
  int64_t &records = definitions_.schema.records;
  records = std::max(records, pending_records_);
  touched_records_.erase(touched_records_.begin(), touched_records_.lower_bound(records));
  dirty_ = replaces_committed_ = false;
}

void Ledger::fail(const Error &error) {
  if (failure_ == nullptr) failure_ = std::make_unique<Error>(error);
}

void Ledger::close(const std::string &outcome) {
  closed_ = true;
  outcome_ = outcome;
}

}  // namespace sv
