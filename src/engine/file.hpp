// A file of a context: its schema, its store, and what has been put into it so far.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/context.hpp"
#include "engine/misfits.hpp"
#include "engine/requests.hpp"
#include "engine/stores.hpp"
#include "engine/syncer.hpp"
#include "store/division.hpp"
#include "store/name_index.hpp"
#include "store/store.hpp"

namespace sv {

constexpr int owner_rank = 0;  // the rank that writes the header and the record count

enum class Mode { define, data, read, series };

class Orders;
class FileTrace;
class Series;
struct RequestMemory;

/// Values in the caller's memory: borrowed for one call. `stride`: nullptr for contiguous, otherwise bytes for each of
/// the variable's dimensions (without the record).
struct Values {
  Type type;
  std::byte *data;
  const int64_t *stride;
};

class File {
 public:
  /// Collective, all of them.
  static std::unique_ptr<File> create(Context &context, const std::string &path, const FileSettings &settings,
                                      bool exclusive);
  static std::unique_ptr<File> open(Context &context, const std::string &path, const FileSettings &settings,
                                    bool writing);
  /// `path` with date fields: the definitions of a series, in the end a file for each period.
  static std::unique_ptr<File> create_series(Context &context, const std::string &path, const FileSettings &settings);
  /// By servers, as models have defined it. Where it cannot be made, the file has failed.
  struct Definition {
    Schema schema;  // with the places of the data
    Surroundings surroundings;
    bool exclusive;
  };
  static std::unique_ptr<File> create_defined(Context &context, const std::string &path, const FileSettings &settings,
                                              const Definition &definition);
  /// The same as open, for servers: divided among them as the models divide it. Where it cannot be opened, the file has
  /// failed, and has what the models know of it.
  static std::unique_ptr<File> open_defined(Context &context, const std::string &path, const FileSettings &settings,
                                            const Definition &definition, bool writing);
  void redefine_as(const Schema &schema);
  void end_define();
  /// Collective. Back to define mode, which end_define ends, with everything committed that was put.
  void redefine();

  // Definitions: local. They throw Error(order) outside define mode.
  int define_dim(const std::string &name, int64_t length);
  int define_variable(const std::string &name, Type type, const std::vector<int> &dims);
  void define_fill(int variable, const void *value);
  void define_axes(int variable, int first_dim);
  int define_order(int dim, const std::string &name, const Decomp &ordered);  // see sv_def_order
  void put_attribute(int variable, Attribute attribute);                      // variable −1: the file's own
  void rename_dim(int dim, const std::string &name);
  void rename_variable(int variable, const std::string &name);
  void rename_attribute(int variable, const std::string &from, const std::string &to);
  void delete_attribute(int variable, const std::string &name);
  /// Packed data (CF, section 8.1): whether puts and gets of a variable pack and unpack, with the attributes
  /// scale_factor and add_offset, which define_packing makes. At any time.
  void define_packing(int variable, const Scaling &scaling);
  void use_packing(int variable, bool on);
  bool is_packed(int variable) const { return packed_.count(variable) > 0; }

  /// Of a series, the file of the current period, once there is one.
  File &current();
  const std::shared_ptr<Series> &series() const { return series_; }

  Context &context() const { return context_; }
  const std::string &path() const { return path_; }
  Mode mode() const { return mode_; }
  const Schema &schema() const { return schema_; }
  const FileSettings &settings() const { return settings_; }
  const std::vector<Attribute> &attributes(int variable) const;                  // throws Error(not_found)
  const Variable &variable(int id) const;                                        // throws Error(not_found)
  const Dimension &dim(int id) const;                                            // throws Error(not_found)
  int find_dim(const std::string &name) const;                                   // -1 if there is none
  int find_variable(const std::string &name) const;                              // the same
  const Attribute *find_attribute(int variable, const std::string &name) const;  // nullptr if there is none
  FileReport report() const;
  /// "'sst' of 'ocean.nc'"; with a wrong id, its number.
  std::string name_of(int variable) const;
  /// Whether servers write it: those of a group (from 0), who know it by a number.
  bool is_served() const { return group_ >= 0; }
  int group() const { return group_; }
  int64_t number() const { return number_; }
  /// Whether servers read it for the model.
  bool reads_through_servers() const { return is_served() && mode_ == Mode::read; }
  /// Collective. Before its values are read while it is written: nothing of it is under way any more.
  void prepare_reading();
  /// On servers: throws what has failed beside the calls; the same on all of them after the next commit.
  void check_before_commit(std::function<void()> check) { before_commit_ = std::move(check); }
  const std::function<void()> &before_commit() const { return before_commit_; }
  /// The error, if there is one, with the names of the file and the variable.
  std::optional<Error> located(int variable, std::optional<Error> error) const;

  // The engine's own part: what writing and reading need.

  /// Throws Error(order) unless values may be put (or got), and what the file failed with once it has failed.
  void check_writable() const;
  void check_readable() const;
  /// Checks that `record` goes with the variable. Throws Error(invalid).
  void check_record(int variable, int64_t record, bool must_exist) const;
  /// As many records as the file can hold, in its format and in 2^63 bytes.
  int64_t most_records() const;
  /// Of what the store takes and gives.
  ByteOrder byte_order() const { return is_served() && maker_.has_team() ? ByteOrder::native : store_->byte_order(); }
  /// Opens this rank's handle of the store when it is first needed.
  Store &attached_store();
  /// A handle for this rank's reading alone, also of a file that all ranks have open for collective reading. Throws
  /// Error(order) for one that only its writers can read.
  Store &lone_store();
  /// Local. With file_access: independent, this rank closes the file after a put.
  void rest();
  /// Puts what this rank has written on the disk; nothing where it has not opened the file.
  void sync_attached();
  /// And the name; nothing but on the rank that gives it.
  void sync_name();
  /// Whether commits return, from now on, when what they write and name is on the disk.
  void be_durable(bool durable);
  /// The field of a variable or of one record of it, as the plan sees it.
  Field field(int variable, int64_t record) const;
  /// The first of the variable's dimensions (without the record) in which the layout stands. Throws Error(layout).
  int first_axis(int variable, const Layout &layout) const;
  std::optional<int> axis_of(int variable, const Layout &layout) const;  // the same; nothing where that throws
  /// The route for fields of this layout; resolved once per layout.
  const Route &route(const std::shared_ptr<const Layout> &layout);
  /// The owners of ranges: the same for all routes of the file that have some, and for values without a layout. Rank 0
  /// alone where owners of blocks write themselves.
  const std::vector<int> &range_owners() const { return range_owners_; }
  /// The owners of stretches of combined requests: those of ranges; where owners of blocks write, as many as `auto`
  /// would take.
  std::vector<int> combining_owners() const;
  /// The route of sub-arrays, which follow no decomposition.
  Route route_of_ranges() const;
  /// Whether it is a set of files; what each of these has of a variable (nothing where it is one file); and whether
  /// this rank creates and commits (rank 0; of a set, every rank its own).
  bool is_set() const { return division_ != nullptr; }
  /// Whether it is one file, in which we know the places of the data.
  bool has_places() const { return !is_set() && !is_netcdf4(schema_.format) && !is_served(); }
  /// Whether its store is our own, whoever writes it.
  bool is_cdf() const { return !maker_.has_team() && !is_netcdf4(schema_.format); }
  std::vector<Territory> pieces(int variable) const;
  bool is_owner() const;
  /// Whether the writers have opened it together (docs/adr/0017-stores-over-libraries.md), and this rank with them. Of
  /// such a store, read and write are called as often as most_calls says, and make_room before a put to a record: both
  /// are collective in the team, and nothing elsewhere.
  bool has_team() const { return !team_.empty(); }
  bool in_team() const;
  int64_t most_calls(Direction direction, int variable, int64_t mine);
  void make_room(int variable, int64_t record);
  /// Ends what its writers did one after the other: an error of one is thrown on all of them; elsewhere this rank's.
  void agree_in_team(const std::optional<Error> &error);
  /// Whether distributed fields are read by the writers, and by which: always owners of ranges.
  bool reads_through_writers() const;
  /// Whether all ranks read together, with the collective calls of the store.
  bool reads_together() const;
  Route reading_route() const;
  /// Whether only its writers can read it: nobody else may open it while they have it open.
  bool only_writers_read() const { return has_team() && mode_ == Mode::data; }
  /// The ground on which ranges of a variable are divided: the file, of which stripes have owners; or, where a library
  /// places the data, the variable alone.
  std::shared_ptr<const ExtentMap> extents(int variable) const;
  int64_t stripe_bytes(int variable) const;

  /// Requests of this rank that wait, and puts that were recorded.
  Pending &pending() { return pending_; }
  const Pending &pending() const { return pending_; }
  Recorded &recorded() { return recorded_; }
  RequestMemory &request_memory();
  Orders &orders() { return *orders_; }
  /// Of this rank. With out_of_range: error, what did not fit has not been put, and is told by its error.
  Misfits &misfits() const { return *misfits_; }
  void count_misfits(int variable, OutOfRange values, const FirstMisfit &first = {});
  /// What is recorded of it; nullptr: nothing. And its numbers in the trace, with those of a variable (−1: none).
  FileTrace *trace() const { return trace_.get(); }
  trace::Subject subject(int variable = -1) const;

  /// Whether something was put into this slab since it came to be. The same on all ranks, like everything below.
  bool touched(int variable, int64_t record) const;
  void touch(int variable, int64_t record);
  /// Whether the next commit gives a new file the place of one whose records were committed long ago.
  bool replaces_committed() const { return replaces_committed_; }
  bool has_uncommitted() const { return pending_records_ > schema_.records || dirty_ || recorded_.puts > 0; }
  int64_t pending_records() const { return pending_records_; }
  void touch_fixed();  // all fixed variables
  /// Of the steps of its context, those that are on the disk as far as this file goes: all, unless something was
  /// committed that is not.
  int64_t durable_steps() const { return durable_steps_; }
  void leave_unsynced() { durable_steps_ = std::min(durable_steps_, context_.steps_ended()); }
  /// With `durability: ordered` the count lags, but for stores whose libraries count: whose steps are on the disk when
  /// they are closed.
  bool is_ordered() const { return settings_.durability == Durability::ordered; }
  bool counts_behind() const { return is_ordered() && !has_team() && !is_served(); }
  /// Whether commits of ended steps are not yet known to be on the disk, with their count. The same on all ranks.
  bool is_lagging() const { return !lags_.empty(); }
  /// Local. What was put in the step that ends is to be counted once all have synchronised what was asked for by
  /// `number`.
  void lag(int64_t number) { lags_.push_back({number, pending_records_, context_.steps_ended(), 0}); }
  /// How many records may count, where all that was asked for up to `synced` is on the disk; −1: no more than do.
  int64_t countable(int64_t synced) const;
  /// Makes them count, on the ranks that do that; the name comes with the first. Throws what this rank's thread has
  /// failed with.
  void count(int64_t records);
  /// All know: `synced` is on the disk, and what counts now will be with `number`. Returns what this rank's thread must
  /// synchronise; nullptr: nothing.
  std::shared_ptr<SyncJob> counted(int64_t synced, int64_t number);
  /// What lags is on the disk: everything, before a commit that waits. Throws what the thread has failed with.
  void finish_syncing();
  void caught_up();
  void is_on_disk() { durable_steps_ = INT64_MAX; }
  bool is_closed() const { return closed_; }
  /// Collective. Everything that is committed is on the disk, with the name under which the file stands. An error fails
  /// the file.
  void put_on_disk();
  /// All pending records count now.
  void committed();
  /// After an error that every rank knows of: nothing more can be put, and closing abandons.
  void fail(const Error &error);
  bool failed() const { return failure_ != nullptr; }
  /// Whether it has the name for itself: from its creation, or opening for writing, until it is closed.
  bool is_written() const { return !closed_ && mode_ != Mode::read; }
  const Error &failure() const { return *failure_; }

  /// Collective. Completes or (once failed) abandons the file. The object stays, closed.
  void close();
  /// The same, of one file. Returns what single requests that waited have failed with: the file is complete.
  std::optional<Error> complete();
  /// Adds what the store has counted since the last time to the metrics. Local.
  void count_store();
  /// Not collective: drops this rank's handle; rank 0 removes what is incomplete.
  void abandon() noexcept;

 private:
  friend class Series;
  File(Context &context, std::string path, const FileSettings &settings);
  void begin();       // what create does with a new object
  void begin_data();  // what end_define does with it
  void end_redefine_served();
  /// Local. Which servers write it, if any.
  void choose_servers();
  void require(Mode mode, const char *call) const;
  void detach();
  void leave_to_be_synced();
  /// Collective. The header, and what else rank 0 knows: its length, stripes, records, whether the file system is
  /// shared.
  std::pair<std::vector<std::byte>, Agreed> read_header();
  WatchSettings watch() const;
  FileSettings store_settings(Format format) const;
  /// Collective. The handles of a file that is opened.
  void open_store();
  void choose_owners();
  std::vector<int> block_owners(const Layout &layout) const;
  void share_compression();
  void choose_team();
  std::unique_ptr<Store> new_store();
  bool writes_within_team(const Layout &layout) const;
  bool adds_alone() const;  // while it is opened or created
  std::string aggregators() const;
  bool takes_part() const;
  Placement placement() const { return {settings_.header_reserve_bytes, 4096, 8}; }
  void divide();  // local
  /// Collective. Finds the places of all pieces of a set that is opened; the first one's definitions are known.
  void view_set(const Schema &first_piece);
  void read_place(const PieceView &first, int piece, std::vector<int64_t> &numbers) const;
  void check_overlap();
  void check_new_name(const std::string &name) const;
  Route ranges_of(const RouteRequest &request) const;
  /// Collective. Throws Error(define) on every rank where some rank's definitions differ from rank 0's.
  void compare_definitions();
  void check_access() const;
  void check_durability() const;
  void check_primaries() const;
  void end_redefine();
  /// Collective. Into a new file, which takes the place of the old one when it is committed. Data are read and written
  /// by the owners of ranges, in bounded memory.
  void move_data();
  void move_slab(Store &from, int variable, int64_t record);
  std::vector<Attribute> &own_attributes(int variable);
  Attribute &own_attribute(int variable, const std::string &name);
  void check_attribute(int variable, const Attribute &attribute) const;

  Context &context_;
  std::string path_;
  FileSettings settings_;
  Mode mode_ = Mode::define;
  Schema schema_;
  struct Names {  // of the schema; to be forgotten where it changes otherwise than by growing
    NameIndex dims, variables;
    std::map<int, NameIndex> attributes;
  };
  mutable Names names_;
  mutable std::shared_ptr<const ExtentMap> extents_;  // of the schema, once it is placed and asked for
  std::shared_ptr<FileTrace> trace_;
  std::unique_ptr<Schema> before_;  // during a redefinition: what the file has
  int redefinitions_ = 0;
  int64_t moved_bytes_ = 0;
  StoreMaker maker_;
  bool shares_compression_ = false;
  std::vector<int> team_;                  // the ranks that open it together; empty where each opens it by itself
  std::shared_ptr<const Comm> team_comm_;  // goes after the store, which borrows it
  std::unique_ptr<Store> store_, lone_store_;
  StoreCounters counted_;
  bool exclusive_ = false, attached_ = false, wrote_ = false, writing_ = true, dirty_ = false, closed_ = false;
  struct Lag {
    int64_t number, records, step, counted_before;  // of requests to synchronise; 0: it does not count yet
  };
  std::deque<Lag> lags_;
  std::shared_ptr<SyncJob> sync_job_;
  bool name_asked_ = false;
  Surroundings surroundings_;
  std::map<int, int> axes_;  // declared first dimensions
  std::set<int> packed_;     // variables whose values are packed and unpacked
  std::vector<std::pair<std::shared_ptr<const Layout>, Route>> routes_;
  std::vector<int> range_owners_{0};
  std::shared_ptr<const Division> division_;  // of a set
  Route set_route_;
  std::shared_ptr<Series> series_;
  Pending pending_;
  Recorded recorded_;
  std::shared_ptr<RequestMemory> request_memory_;
  std::shared_ptr<Orders> orders_;  // of points along its dimensions
  std::shared_ptr<Misfits> misfits_ = std::make_shared<Misfits>();
  std::vector<MisfitReport> all_misfits_;  // on rank 0, of all ranks, once it is closed
  int group_ = -1;
  int64_t number_ = 0;
  std::function<void()> before_commit_;
  int64_t pending_records_ = 0, durable_steps_ = INT64_MAX;
  std::vector<bool> touched_fixed_;
  std::map<int64_t, std::vector<bool>> touched_records_;  // of records not yet committed
  bool replaces_committed_ = false;
  std::shared_ptr<Error> failure_;
  std::string outcome_;
  std::string remark_;  // on a setting that could not be followed; "": none
};

/// A share of a variable or (record >= 0) of one record of it.
Slab slab_of(int variable, int64_t record, const Share &share);

/// "sv_put('ocean.nc', 'sst', record 3)": names a call, for messages and for comparison between ranks.
std::string call_text(const char *function, const File &file, int variable, int64_t record);

}  // namespace sv
