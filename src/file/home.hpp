// Where a file lives: by itself, together in a library's team, as a set of files, or with servers. The calls of the
// engine, the rounds and the requests ask the home, and never which kind it is: who writes and reads what, where values
// stand, and how the ranks call the store together. One home a file; each kind is one source of code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "file/context.hpp"
#include "file/handle.hpp"
#include "file/places.hpp"
#include "file/stores.hpp"
#include "plan/pieces.hpp"
#include "plan/route.hpp"

namespace sv {

class Carrier;
class File;

/// By whom distributed fields are read.
enum class Readers {
  each,         // each rank its own part, by itself
  together,     // each rank its own part, with the collective calls of the store
  writers,      // owners of ranges, which distribute them
  owners_only,  // the same: nobody else may open the file while they have it open
  carrier       // servers
};

class Home {
 public:
  /// `file` outlives it. `maker`: of its store, which is not open yet.
  Home(File &file, StoreMaker maker);
  virtual ~Home() = default;

  // Making and opening.

  /// Local. Definitions stand fast, or a file is opened for writing: chooses who writes, and checks what was asked for.
  /// Throws Error(config), Error(define), Error(limit).
  virtual void choose_writers() = 0;
  /// Collective. Makes the file, or opens one that is there. `call` names the call.
  virtual void create(const std::string &call, bool exclusive);
  virtual void open(const std::string &call, bool writing);
  /// Collective where a team has it open. A store for the file, not open yet.
  virtual std::unique_ptr<Store> new_store();
  /// Local. Error(order) where definitions cannot change any more. And whether values stay where they are when they do.
  virtual void check_redefinable() const {}
  virtual bool stays_in_place() const { return true; }
  /// Local. Values are about to be moved: the store can be opened by each rank that moves some.
  virtual void begin_move() {}

  // Who writes and reads.

  /// Servers that write or read it in place of these ranks; nullptr: nobody does. See rounds/carrier.hpp.
  virtual Carrier *carrier() { return nullptr; }
  virtual bool writes_here() const { return true; }
  /// The route for fields of this layout.
  virtual Route route(const std::shared_ptr<const Layout> &layout) = 0;
  /// The route of values that follow no decomposition, and of reading.
  virtual Route route_of_ranges() const;
  Route reading_route() const;
  virtual Readers readers() const;
  /// Throws Error(order) where nobody can read the file now.
  virtual void check_readable() const {}
  /// The owners of stretches of combined requests.
  virtual std::vector<int> combining_owners() const;
  /// What each file of a set has of a variable, and who writes it; nothing where it is one file.
  virtual std::vector<Territory> pieces(int variable) const;
  /// What this rank owns of a slab.
  virtual std::vector<Share> own_shares(const Field &field, int variable) const;
  /// Whether this rank creates and commits.
  virtual bool is_owner() const { return context_.rank() == owner_rank; }

  /// Whether this rank calls the store together with others, as often as Store::most_calls says. Only
  /// rounds/store_calls.hpp needs to know.
  virtual bool shares_calls() const { return false; }

  /// What this rank has written is to be synchronised later, by its name.
  virtual void remember_unsynced(UnsyncedFiles &unsynced) const;

  // What it tells of itself.

  /// Adds route, writers and remarks.
  virtual void report(FileReport &report) const;
  /// The ranks that write, by their numbers in the trace; `layout` and `route`: of a put, or nullptr.
  virtual std::vector<int> trace_writers(const Layout *layout, const Route *route) const;

  // The same for all kinds.

  Handle &handle() { return handle_; }
  /// This rank's open store. For reading by this rank alone: throws Error(order) where only owners can read.
  Store &store();
  Store &lone_store();
  /// Whether places in the file tell where values stand, in one order for all variables.
  virtual bool has_offsets() const;
  /// Whether our own ranks write the record count, and no library or server does.
  bool counts_here() const { return !maker_.has_team() && writes_here(); }
  /// Whether requests on many fields of it are carried out with one plan.
  bool combines() const { return has_offsets() && writes_here(); }
  /// Made when first asked for; forgotten where definitions or owners change.
  const Places &places() const;
  void forget_places() { places_ = nullptr; }
  virtual ByteOrder byte_order() const { return handle_.store().byte_order(); }
  /// The owners of ranges: the same for all routes of the file that have some, and for values without a layout. Rank 0
  /// alone where owners of blocks write themselves.
  const std::vector<int> &range_owners() const { return range_owners_; }
  /// Local. The owners that the settings ask for; of servers among themselves, the first ones.
  void choose_owners();
  void stand_in(const Surroundings &surroundings) { surroundings_ = surroundings; }
  const StoreMaker &maker() const { return maker_; }
  bool reads_through_writers() const { return readers() != Readers::each && readers() != Readers::together; }

 protected:
  Schema &schema() const;
  Route ranges_of(const RouteRequest &request) const;
  /// The kind of readers that is chosen where the file allows every kind.
  Readers chosen_readers(bool can_read_together) const;
  /// Error(config) where a library would count records before they are on the disk.
  void check_counting() const;
  /// The writers of a route on a layout.
  std::vector<int> writers_of(const Layout &layout, const Route &route) const;
  /// By their numbers in the trace, ascending.
  std::vector<int> in_trace(const std::vector<int> &ranks) const;

  File &file_;
  Context &context_;
  const StoreMaker maker_;
  RouteRequest asked_;  // what the settings ask for, or what has come of it
  Handle handle_;
  Surroundings surroundings_;
  std::vector<int> range_owners_{owner_rank};

 private:
  mutable std::unique_ptr<Places> places_;
};

/// Local. Throws Error(order) unless values of the file may be read, and what it failed with once it has failed.
void check_readable(const File &file);

/// Adds the route of puts to what is told of a file.
void report_route(FileReport &report, const Route &route);

/// Local. What is told of a file, with what its home adds.
FileReport report_of(const File &file);

/// Local. After an error that every rank knows of: nothing more can be put into the file, and closing abandons it.
void fail(File &file, const Error &error);

}  // namespace sv
