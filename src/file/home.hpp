// The home of a file: how it is stored and opened. There are three kinds: one file that each rank opens by itself; one
// file that a team of ranks opens together through a library (over MPI-IO); and a set of files, one for each part of
// the grid. By whom it is written is a value of its ownership; when, its delivery says (src/delivery). The engine
// (src/engine, which implements the sv_ functions), the rounds (src/transfer) and the requests that wait (src/transfer)
// ask the home which rank writes and reads what, at which offsets values stand, and whether the store's functions are
// called by one rank or by all of a team. They never ask which kind of home it is. This class is the first kind;
// team_home.hpp and set_home.hpp are the others. A home acts only when one of its functions is called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "file/context.hpp"
#include "file/handle.hpp"
#include "file/ownership.hpp"
#include "file/places.hpp"
#include "file/steps.hpp"
#include "file/stores.hpp"
#include "plan/kept_plans.hpp"
#include "plan/pieces.hpp"

namespace sv {

class File;

/// By whom distributed fields are read.
enum class Readers {
  each,         // each rank its own part, by itself
  together,     // each rank its own part, with the collective calls of the store
  writers,      // owners of ranges, which distribute them
  owners_only,  // the same: no other rank may open the file while they have it open
  servers
};

class Home {
 public:
  /// `file` outlives it. `maker`: of its store, which is not open yet.
  Home(File &file, StoreMaker maker);
  virtual ~Home() = default;

  // Functions whose answer depends on the kind of home.

  /// Local. Called when the definitions are complete, or a file is opened: chooses the writers, and checks the
  /// requested settings. Throws Error(config), Error(define), Error(limit).
  virtual void choose_writers();
  /// Collective, before the writers of a file that is there are chosen: how its chunks are shaped. Without it, one rank
  /// alone writes more chunks. `call` names the call.
  virtual void find_chunks(const std::string &call) { static_cast<void>(call); }
  /// Collective. Makes the file, or opens one that is there. `call` names the call.
  virtual void create(const std::string &call, bool exclusive);
  virtual void open(const std::string &call, bool writing);
  /// Collective where a team has it open. A store for the file, not open yet.
  virtual std::unique_ptr<Store> new_store();
  virtual Readers readers() const;
  /// The route of values that follow no decomposition.
  virtual Route route_of_ranges() const { return owners.route_of_ranges(); }
  /// The part of a variable in each file of a set, and its writer; nothing for a single file.
  virtual std::vector<Territory> pieces(int variable) const;
  /// Whether values have offsets in the file, in one order for all variables.
  virtual bool has_offsets() const;
  /// Whether this rank creates and commits.
  virtual bool is_owner() const { return writes_here() && context_.rank() == owner_rank; }
  /// Whether this rank calls the store together with others, as often as Store::most_calls says. Only
  /// file/store_calls.hpp needs to know.
  virtual bool shares_calls() const { return false; }

  // Functions that follow from these, the same for all kinds.

  /// The route for fields of this layout, and of reading.
  std::shared_ptr<const Route> route(const std::shared_ptr<const Layout> &layout);
  /// The second one is the same object for as long as it stays, so that plans of reading are found again.
  std::shared_ptr<const Route> reading_route() const;
  bool reads_through_writers() const { return readers() != Readers::each && readers() != Readers::together; }
  /// Whether these ranks write it, and no servers.
  bool writes_here() const { return owners.by != WrittenBy::servers; }
  /// Whether our own ranks place its bytes, and no library or server does: they count its records, and can change its
  /// definitions where values stay in their places.
  bool places_here() const { return maker.kind().has_all_calls && writes_here(); }
  /// Whether requests on many fields of it are carried out with one plan.
  bool combines() const { return has_offsets() && writes_here(); }
  /// This rank's open store, when no thread uses it.
  Store &store();
  /// For reading by this rank alone: throws Error(order) where only owners can read.
  Reader &lone_reader();
  /// Made when first asked for; forgotten where definitions or owners change.
  const Places &places() const;
  void forget_places() { places_ = nullptr, plans.forget(), reading_route_.reset(); }
  /// The file's part of the summary.
  FileReport report() const;

  const StoreMaker maker;
  Handle handle;
  Ownership owners;
  std::function<void()> before_use;  // of the open store: a thread that uses it has done so; may be empty
  KeptPlans plans;                   // of fields on decompositions
  int64_t kept_back_bytes = 0;       // of values that came in gates since some came in rounds; the same on all ranks

 protected:
  /// The route for a layout that comes for the first time.
  virtual Route new_route(const Layout &layout) const;

  /// With the owners of ranges, and the settings for points.
  Route prepared(Route route, const Layout &layout) const;
  /// The kind of readers that is chosen where the file allows every kind.
  Readers chosen_readers(bool can_read_together) const;
  /// Error(config) where a library would count records before they are on the disk.
  void check_promises() const;
  /// Of a new file: throws where chunks cannot be as they are asked for.
  void check_chunks() const;

  File &file_;
  Context &context_;
  std::optional<Route> reported_route_;  // the one in the summary: of the first field
  std::vector<Chunks> found_chunks_;     // of the variables of a file that was opened

 private:
  struct KeptRoute {
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<const Route> route;
  };
  std::unordered_map<const Layout *, KeptRoute> routes_;
  mutable std::optional<std::pair<Readers, std::shared_ptr<const Route>>> reading_route_;
  size_t most_routes_ = 16;  // before those of layouts are looked for that nothing else needs any more
  mutable std::unique_ptr<Places> places_;
};

/// Local, before the gate of a call that reads. Throws Error(order) unless values of the file may be read, and the
/// error of the file once it has failed.
void check_readable(const File &file);

/// The failed file: the file itself, or another one, with which it fails; its own store is whole then.
enum class Failed { itself, another };
/// Local. After an error that every rank knows of: nothing more can be put into the file, and closing abandons it.
void fail(File &file, const Error &error, Failed failed = Failed::itself);

}  // namespace sv
