#include <algorithm>
#include <vector>

#include "file/file_trace.hpp"
#include "file/steps.hpp"
#include "transfer/combined_transfer.hpp"
#include "transfer/own_stretches.hpp"
#include "transfer/run_values.hpp"

namespace sv {

namespace {

/// Packs this rank's runs, one after the other in the order of the file.
class RunPacker {
 public:
  RunPacker(const OwnRuns &own, RequestRows<PackRow> &rows) : own_(own), rows_(rows) {}

  /// The next elements.
  void pack(int64_t elements, std::byte *to) {
    while (elements > 0) {
      const OwnRun &run = own_.runs[next_];
      const RunsOfRequest &of = own_.of[static_cast<size_t>(run.request)];
      const int64_t count = std::min(elements, run.elements - done_);
      const OwnRun part{run.offset_bytes + done_ * of.element_bytes, run.memory + done_ * of.stride_bytes,
                        static_cast<int32_t>(count), run.request};
      pack_run(own_, part, rows_, to);
      to += own_.bytes_of(part);
      elements -= count;
      done_ += count;
      if (done_ == run.elements) ++next_, done_ = 0;
    }
  }

 private:
  const OwnRuns &own_;
  RequestRows<PackRow> &rows_;
  size_t next_ = 0;   // run
  int64_t done_ = 0;  // of its elements
};

/// This rank's parts, one stretch of each field.
void write_lines(const AskedFields &fields, RequestRows<PackRow> &rows, StretchWriter &writer) {
  File &file = fields.file();
  const OwnRuns &own = fields.table->own;
  StepTimer timer(file.context().metrics, subject_of(file));
  RunPacker packer(own, rows);
  std::vector<std::byte> packed;
  const auto write = [&](const FieldLine &line, int64_t record) {
    const Variable &variable = file.variable(static_cast<int>(line.variable));
    const Box whole = Box::whole(file.schema().slab_shape(variable));
    const int64_t bytes = size_of(variable.type);
    for (int64_t first = line.first, last = first; first < line.last; first = last) {
      last = std::min(line.last, first + writer.part_bytes(false) / bytes);
      const Share share{whole, first, last};
      timer.begin(Step::pack);
      packed.resize(static_cast<size_t>(share.elements() * bytes));
      packer.pack(share.elements(), packed.data());
      timer.begin(Step::output);
      writer.write(slab_of(static_cast<int>(line.variable), variable.has_records ? record : -1, share), packed);
    }
  };
  for (const FieldLine &line : fields.table->long_lines->mine)
    for (int64_t i = 0; i < line.records; ++i) write(line, line.first_record + i);
}

}  // namespace

void write_own_lines(const AskedFields &fields, RequestRows<PackRow> &rows) {
  File &file = fields.file();
  Context &context = file.context();
  StretchWriter writer(file, fields.table->long_lines->first_rank);
  auto error = caught(context.rank(), [&] { write_lines(fields, rows, writer); });
  if (error) error->in_file(file.path());
  rows.count_range_errors();
  or_fail(file, [&] { learn_calls(file, context.agree("end of " + fields.list.call, error, Min(writer.price()))); });
}

}  // namespace sv
