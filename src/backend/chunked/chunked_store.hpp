// The base of the stores whose files have chunks (netcdf4, zarr): the file's ranks and definitions, its committed
// records, and errors that name the file. Each rank that has the file open has one; as a Store, it is called by one
// thread.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "backend/boxes.hpp"
#include "backend/chunked/error_bound.hpp"
#include "store/store.hpp"

namespace sv {

class ChunkedStore : public Store {
 public:
  void mark_failed_everywhere() noexcept override { has_failed_ = true; }
  void agree(const Error *error) override {
    peers_.together([&] { Store::agree(error); });
  }
  void read(const Slab &slab, std::span<std::byte> values) override {
    in_variable(slab.variable, [&] {
      if (slab.first < slab.last && variable(slab.variable).has_records) check_record(slab.record, records_);
      const bool reads_ahead = access_.read_ahead && variable(slab.variable).has_records && slab.record + 1 < records_;
      for_parts(slab, [&](const SubArray &part, int64_t offset_bytes) {
        read_part(slab.variable, part, values.data() + offset_bytes);
      });
      if (!reads_ahead) return;
      Slab next = slab;
      ++next.record;
      for_parts(next, [&](const SubArray &part, int64_t) { will_read_part(slab.variable, part); });
    });
  }
  std::vector<std::string> remarks() const override { return remarks_; }

 protected:
  ChunkedStore(const std::string &path, const Access &access) : path_(path), access_(access) {}

  bool owns() const { return writing_ && peers_.is_owner(); }
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }
  void require_writing() const {
    if (!writing_) throw Error(Status::io, "the file is open for reading only", "Open it with SV_WRITE");
  }
  /// Local. The action's Error names the file.
  template <class Action>
  void in_file(Action action) {
    try {
      action();
    } catch (Error &error) {
      throw error.in_file(path_);
    }
  }
  /// Local. The action's Error names the file and the variable.
  template <class Action>
  void in_variable(int v, Action action) {
    try {
      action();
    } catch (Error &error) {
      throw error.in_variable(variable(v).name).in_file(path_);
    }
  }
  /// Collective. All ranks throw the error of one, with the file's name.
  template <class Action>
  void together(Action action) {
    peers_.together([&] { in_file(action); });
  }
  /// Calls move(sub-array, where its values begin in those of the slab).
  template <class Move>
  void for_parts(const Slab &slab, Move move) const {
    const Variable &of = variable(slab.variable);
    for (const SubArray &part : sub_arrays(slab, of.has_records)) move(part, part.first_element * size_of(of.type));
  }

  /// The owner's, of a file that is opened for writing: the bounds, as the largest errors.
  std::vector<LargestError> bounds_as_errors();
  /// Collective, when all chunks have been encoded, with the losses of this rank. The owner gets the largest errors of
  /// all ranks, and of the values that were in the file before; it reports them.
  std::vector<LargestError> largest_errors(const Losses &mine);

  const std::string path_;
  const Access access_;
  Peers &peers_ = *access_.peers;
  PlacedSchema schema_;
  std::vector<std::string> remarks_;
  int64_t records_ = 0;  // committed
  std::atomic<bool> has_failed_ = false;
  bool writing_ = false;
  bool has_uncommitted_ = false;  // values that were put since the last commit; the same on all ranks
  bool is_behind_ = false;        // put values may not be in the file yet; the same on all ranks

 private:
  Losses earlier_losses_;  // the owner's, of a file that was opened

  /// Of all variables: how they are rounded, where that has a bound that the file states.
  std::vector<Quantization> bounds() const;

  virtual void read_part(int variable, const SubArray &part, std::byte *values) = 0;
  virtual void will_read_part(int variable, const SubArray &part) = 0;
};

}  // namespace sv
