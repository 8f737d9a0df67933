// The delivery of a file that this rank's thread writes after the calls (background_writer.hpp), while that is on and
// the file is no longer being defined; else the calls write. The service of such contexts gives it to files.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "delivery/background_writer.hpp"
#include "delivery/file_delivery.hpp"

namespace sv {

class BehindDelivery final : public FileDelivery {
 public:
  /// `number`: from 1, of the files of the context. `in_pieces`: of a set, of which every rank writes its own.
  BehindDelivery(File &file, std::shared_ptr<BackgroundWriter> writer, int64_t number, bool in_pieces);
  ~BehindDelivery() override;

  FileDelivery &current() override;
  bool is_asynchronous() const override { return true; }
  bool places_in_calls() const override { return false; }
  bool can_grow() const override { return false; }

  Budget round_budget(int stages) const override { return writer_->limited(FileDelivery::round_budget(stages)); }
  std::unique_ptr<RingSliceMemory> slice_memory(const Schedule &schedule) override { return writer_->rooms(schedule); }
  std::shared_ptr<void> packing() override { return std::make_shared<BackgroundWriter::Packing>(*writer_); }

  /// If other ranks may still be writing one of the slabs, they finish first: of several threads, each keeps only its
  /// own order. Filling does not wait, and throws Error(internal) there.
  void begin(std::span<const WrittenSlab> slabs, WriterAssignment assignment) override;
  std::optional<Error> write(ArrivedRound round) override;
  void write(const ArrivedRun &run, std::shared_ptr<void> memory) override { write_together({run}, std::move(memory)); }
  void write_together(std::vector<ArrivedRun> runs, std::shared_ptr<void> memory) override {
    writing().write_now(async_, std::move(runs), [kept = std::move(memory)] {});
  }
  void write_parts(std::vector<SlabPart> parts, std::shared_ptr<void> memory) override {
    writing().write_parts(async_, std::move(parts), std::move(memory));
  }
  void with_store(std::function<void(Store &)> action) override { writing().post(async_, std::move(action)); }
  void conclude(const std::string &, const std::optional<Error> &) override {}

  void settle() override;
  void rest() override { writer_->rest(); }
  void drain() override;
  std::function<void()> unfinished() override;
  void forget(int64_t done) override;

  std::optional<Error> keep(std::optional<Error> error) override;
  std::optional<Error> error() const override { return async_.error(); }

  /// The trace records the thread's writes when the file is closed.
  void committed() override {}
  bool has_one_thread() const override;
  void end() override { is_over_ = true; }

 private:
  struct InFlight {
    WriterAssignment assignment;
    int64_t number;  // of the request behind which it is written
  };
  SlabWriting &writing() { return writer_->writing(); }

  const std::shared_ptr<BackgroundWriter> writer_;
  AsyncFile async_;
  FileDelivery in_call_;
  const bool in_pieces_;
  bool in_flight_ = false;  // on some rank; the same on all ranks
  bool is_over_ = false;
  std::map<std::pair<int, int64_t>, InFlight> slabs_;  // where several ranks write
};

}  // namespace sv
