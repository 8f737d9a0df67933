// A file of a context: its definitions, what has become of it, and where it lives. State, and the checks that every
// call makes; the calls themselves are functions of src/engine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "file/context.hpp"
#include "file/definitions.hpp"
#include "file/ledger.hpp"
#include "file/misfits.hpp"
#include "file/on_disk.hpp"
#include "plan/plan.hpp"
#include "store/store.hpp"

namespace sv {

enum class Mode { define, data, read, series };

class BehindFile;
class FileTrace;
class Home;
class Orders;
class Series;
struct Waiting;

/// What calls keep with a file. Each belongs to the unit that declares it, is made with the file, and may be shared by
/// the files of a series.
struct Attachments {
  std::shared_ptr<Waiting> waiting;  // requests/waiting.hpp
  std::shared_ptr<Orders> orders;    // engine/orders.hpp
  std::shared_ptr<Series> series;    // engine/series.hpp; nullptr: it is none
  std::shared_ptr<FileTrace> trace;  // rounds/file_trace.hpp; nullptr: nothing is recorded
  BehindFile *behind = nullptr;      // rounds/behind.hpp, of its home; nullptr: the calls write
};

class File {
 public:
  /// In define mode, without a home. `context` outlives it.
  File(Context &context, std::string path, const FileSettings &settings);
  File(const File &) = delete;

  Context &context() const { return context_; }
  const std::string &path() const { return path_; }
  const FileSettings &settings() const { return settings_; }
  Mode mode() const { return mode_; }
  void enter(Mode mode) { mode_ = mode; }
  Definitions &definitions() { return definitions_; }
  const Definitions &definitions() const { return definitions_; }
  /// The same, to be changed by this call. Throws Error(order) outside define mode.
  Definitions &defining(const char *call);
  const PlacedSchema &schema() const { return definitions_.schema(); }
  /// During a redefinition: what stands in the file; otherwise nullptr.
  const PlacedSchema *before() const { return before_.get(); }
  void keep_before(std::unique_ptr<PlacedSchema> before) { before_ = std::move(before); }
  const Variable &variable(int id) const { return definitions_.variable(id); }  // throws Error(not_found)
  Placement placement() const { return {settings_.header_reserve_bytes, 4096, 8}; }
  Ledger &ledger() { return ledger_; }
  const Ledger &ledger() const { return ledger_; }
  OnDisk &on_disk() { return on_disk_; }
  const OnDisk &on_disk() const { return on_disk_; }
  /// Of a file that was created or opened; a series has none.
  Home &home() const { return *home_; }
  bool has_home() const { return home_ != nullptr; }
  void live_in(std::shared_ptr<Home> home) { home_ = std::move(home); }
  Attachments &attached() { return attached_; }
  const Attachments &attached() const { return attached_; }
  /// Whether nothing may have its name when it is made.
  bool is_exclusive() const { return exclusive_; }
  void be_exclusive(bool exclusive) { exclusive_ = exclusive; }
  /// By which servers know it; 0: they do not.
  int64_t served_number() const { return served_number_; }
  void be_served_as(int64_t number) { served_number_ = number; }
  /// Where its stores tell what they write, where that is recorded; otherwise nullptr.
  WrittenRanges *ranges() const { return ranges_; }
  void keep_ranges(WrittenRanges *ranges) { ranges_ = ranges; }

  /// Throws Error(order) outside this mode, and what the file failed with once it has failed.
  void require(Mode mode, const char *call) const;
  void check_writable() const { require(Mode::data, "writing"); }
  /// The same for reading, where only the home may have something against it: see check_readable in home.hpp.
  void require_readable() const;
  /// Checks that `record` goes with the variable. Throws Error(invalid), Error(not_found), Error(limit).
  void check_record(int variable, int64_t record, bool must_exist) const;
  /// As many records as the file can hold, in its format and in 2^63 bytes.
  int64_t most_records() const;
  /// "'sst' of 'ocean.nc'"; with a wrong id, its number.
  std::string name_of(int variable) const;
  /// The error, if there is one, with the names of the file and the variable.
  std::optional<Error> located(int variable, std::optional<Error> error) const;
  /// Whether it has the name for itself: from its creation, or opening for writing, until it is closed.
  bool is_written() const { return !ledger_.is_closed() && mode_ != Mode::read; }

  /// Of this rank. With out_of_range: error, what did not fit has not been put, and is told by its error.
  Misfits &misfits() const { return misfits_; }
  void count_misfits(int variable, OutOfRange values, const FirstMisfit &first = {});
  /// On servers: throws what has failed beside the calls; the same on all of them after the next commit.
  void check_before_commit(std::function<void()> check) { before_commit_ = std::move(check); }
  const std::function<void()> &before_commit() const { return before_commit_; }

 private:
  Context &context_;
  const std::string path_;
  const FileSettings settings_;
  Mode mode_ = Mode::define;
  Definitions definitions_;
  std::unique_ptr<PlacedSchema> before_;
  Ledger ledger_;
  OnDisk on_disk_;
  mutable Misfits misfits_;
  bool exclusive_ = false;
  int64_t served_number_ = 0;
  WrittenRanges *ranges_ = nullptr;
  std::function<void()> before_commit_;
  Attachments attached_;
  std::shared_ptr<Home> home_;
};

/// A share of a variable or (record >= 0) of one record of it.
Slab slab_of(int variable, int64_t record, const Share &share);

/// "sv_put('ocean.nc', 'sst', record 3)": names a call, for messages and for comparison between ranks.
std::string call_text(const char *function, const File &file, int variable, int64_t record);

}  // namespace sv
