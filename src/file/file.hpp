// A file of a context: its definitions, its state (being defined, open for data, failed) and its home (home.hpp). This
// class holds the state that the functions of src/engine change, and the checks that all of them make. It does not
// communicate, and reads and writes nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "file/context.hpp"
#include "file/definitions.hpp"
#include "file/ledger.hpp"
#include "file/on_disk.hpp"
#include "file/range_errors.hpp"
#include "plan/plan.hpp"
#include "store/found_files.hpp"
#include "store/name_set.hpp"
#include "store/slab.hpp"

namespace sv {

enum class Mode { define, data, read, series };

struct EngineParts;
class FileDelivery;
class FileTrace;
class Home;

class File {
 public:
  /// In define mode, without a home. `context` outlives it.
  File(Context &context, const FileName &name, const FileSettings &settings);
  ~File() { delivery.reset(); }
  File(const File &) = delete;

  Context &context() const { return context_; }
  const std::string &path() const { return name_.path(); }    // as the call gave it
  const std::string &place() const { return name_.place(); }  // where stores find it
  const FileName &name() const { return name_; }
  const FileSettings &settings() const { return settings_; }
  const PlacedSchema &schema() const { return definitions.schema; }
  const Variable &variable(int id) const { return definitions.variable(id); }  // throws Error(not_found)
  /// Where its values will stand, from the next sv_enddef on.
  const Placement &placement() const { return placement_; }
  void place_as(const Placement &placement) { placement_ = placement; }
  /// Of the files into which it is divided: the places given for the whole are not theirs.
  Placement placement_of_parts() const;
  /// Of a file that was created or opened; a series has none.
  Home &home() const { return *home_; }
  bool has_home() const { return home_ != nullptr; }
  void live_in(std::shared_ptr<Home> home) { home_ = std::move(home); }

  /// Throws Error(order) outside this mode, and the error of the file once it has failed.
  void require(Mode wanted, const char *call) const;
  void check_writable() const { require(Mode::data, "writing"); }
  /// Its definitions, to be changed by this call. Throws Error(order) outside define mode.
  Definitions &defining(const char *call);
  /// Checks that `record` goes with the variable. Throws Error(invalid), Error(not_found), Error(limit).
  void check_record(int variable, int64_t record, bool must_exist) const;
  /// Of a dimension; of the record dimension, the known records, or, where a put may add some, as many as the file can
  /// hold.
  int64_t length_of(int dim, bool may_grow) const;
  /// "'sst' of 'ocean.nc'"; with a wrong id, its number.
  std::string name_of(int variable) const;
  /// The error, if there is one, with the names of the file and the variable.
  std::optional<Error> located(int variable, std::optional<Error> error) const;
  /// Of this rank. With out_of_range: error, the values have not been put, and their error reports them.
  void count_range_errors(int variable, OutOfRange values, const FirstRangeError &first = {});

  Mode mode = Mode::define;
  Definitions definitions;
  Ledger ledger{definitions};
  OnDisk on_disk;
  /// Of a file that was opened: which one that is. Its stores share it.
  const std::shared_ptr<FoundFiles> found = std::make_shared<FoundFiles>();
  mutable RangeErrors range_errors;  // of this rank

  /// The state while a file is defined again (engine/redefine.hpp): its existing contents.
  struct Redefining {
    PlacedSchema before;
  };
  /// Independent access (engine/alone.hpp): the record count that this rank knows, and the error of its puts.
  struct Alone {
    int64_t records;
    std::unique_ptr<Error> failure;
  };
  /// The model has closed it, and threads complete it (engine/closing_behind.hpp).
  struct Closing {
    int64_t number;  // of the request behind which the next thing can be done
    bool finishes;   // that is the last
    bool on_disk, has_range_errors;
  };
  /// Begins one of these phases; a file is in one at a time. `{}` ends it.
  void enter(std::variant<std::monostate, Redefining, Alone, Closing> phase) { phase_ = std::move(phase); }
  /// The definitions of the phase; nullptr outside it.
  const PlacedSchema *before() const {
    const auto *const phase = std::get_if<Redefining>(&phase_);
    return phase == nullptr ? nullptr : &phase->before;
  }
  Alone *alone() { return std::get_if<Alone>(&phase_); }
  const Alone *alone() const { return std::get_if<Alone>(&phase_); }
  Closing *closing() { return std::get_if<Closing>(&phase_); }

  /// The names of the files that it consists of.
  struct Naming {
    bool is_exclusive = false;  // nothing may have its name when it is made
    int64_t run = 0;            // of the runs that have written a set of this name: store/set_run.hpp
    /// By which each variable has a file (store/variable_files.hpp); "": one file has all.
    std::string variable_template;
  };
  Naming naming;

  /// Deferred errors of the threads or servers that write it.
  struct Served {
    int64_t number = 0;  // by which they know it; 0: they do not
    /// Files, by these numbers, whose deferred failure is one of this file, too: of a series, all so far, which its
    /// definitions and its current file share. nullptr: none.
    std::shared_ptr<std::vector<int64_t>> fails_with;
    /// On servers: throws deferred errors; the same on all of them after the next commit.
    std::function<void()> check_before_commit;
  };
  Served served;

  // Set when it is made, by the engine.
  std::shared_ptr<EngineParts> engine;  // engine/file_parts.hpp
  std::shared_ptr<FileTrace> trace;     // file/file_trace.hpp; nullptr: nothing is recorded
  /// delivery/file_delivery.hpp; call delivery_of(file). It ends before the home.
  std::shared_ptr<FileDelivery> delivery;

 private:
  Context &context_;
  const FileName name_;
  const FileSettings settings_;
  Placement placement_;
  std::shared_ptr<Home> home_;
  std::variant<std::monostate, Redefining, Alone, Closing> phase_;
};

/// A share of a variable or (record >= 0) of one record of it.
Slab slab_of(int variable, int64_t record, const Share &share);

/// "sv_put('ocean.nc', 'sst', record 3)", and `more`: names a call, for messages and for comparison between ranks.
std::string call_text(const char *function, const File &file, int variable, int64_t record, std::string_view more = {});

}  // namespace sv
