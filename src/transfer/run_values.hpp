// Values of this rank's runs, on their way to the slices of a plan and back. They move the requests of run_table.hpp.
#pragma once

#include "packing/source.hpp"
#include "transfer/request_rows.hpp"
#include "transfer/run_table.hpp"

namespace sv {

/// Callers' arrays, packed straight into place. Borrows.
class RunSource final : public Source {
 public:
  RunSource(const RunTable &table, RequestRows<PackRow> &rows) : table_(table), rows_(rows) {}
  int64_t put(int sink, int round, Form form, std::byte *to) override;

 private:
  const RunTable &table_;
  RequestRows<PackRow> &rows_;
};

/// The way back.
class RunTarget final : public Target {
 public:
  RunTarget(const RunTable &table, RequestRows<UnpackRow> &rows) : table_(table), rows_(rows) {}
  void take(int sink, int round, Form form, const std::byte *from) override;

 private:
  const RunTable &table_;
  RequestRows<UnpackRow> &rows_;
};

/// Packs one run; `to`: its bytes.
void pack_run(const OwnRuns &own, const OwnRun &run, RequestRows<PackRow> &rows, std::byte *to);
/// Unpacks one run; `from`: its bytes.
void unpack_run(const OwnRuns &own, const OwnRun &run, RequestRows<UnpackRow> &rows, const std::byte *from);

}  // namespace sv
