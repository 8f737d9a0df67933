// What is compared: one way to write the field to a file, or to read it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block.hpp"

namespace sv_bench {

/// What a run moved, over all ranks; no value where nobody counted.
struct Traffic {
  std::optional<int64_t> bytes, writes, messages;
};

/// Ready to run, any number of times. All functions are collective. They throw std::runtime_error.
class Method {
 public:
  virtual ~Method() = default;
  /// Writes a file from nothing to closed, or reads it; this is what is timed.
  virtual void run(const std::string &path) = 0;
  /// What a method knows itself about its last run.
  virtual Traffic traffic() { return {}; }
  /// Whether the values of the last run are right: what is in the file, or what was read. No value: cannot be told.
  virtual std::optional<bool> check(const std::string &path) = 0;
  virtual void remove(const std::string &path) = 0;
  /// Gives everything back, with the errors that a destructor could not tell.
  virtual void finish() {}
  /// Bytes of memory that the method holds on purpose, over all ranks.
  virtual int64_t pool_bytes() { return 0; }

 protected:
  explicit Method(const Block &block) : block_(block) {}
  /// Rank 0 removes the one file.
  void remove_one(const std::string &path) const;
  const Block &block_;
};

struct PeerSettings {
  std::vector<std::string> sverdrup;  // "key=value", for every route
};

struct Peer {
  std::string name;
  bool reads;
  std::string missing;                                                               // why it cannot run; empty: it can
  std::function<std::unique_ptr<Method>(const Block &, const PeerSettings &)> make;  // collective
  std::string store = {};  // the store that it belongs to, if it is for comparing that store's methods only
};

/// All of them, in the order of the rounds.
std::vector<Peer> all_peers();

// Each by a file of its own in peers/.
void add_sverdrup(std::vector<Peer> &peers);
void add_sverdrup_stores(std::vector<Peer> &peers);
void add_sverdrup_reading(std::vector<Peer> &peers);
void add_floor(std::vector<Peer> &peers);
void add_pnetcdf(std::vector<Peer> &peers);
void add_pnetcdf_reading(std::vector<Peer> &peers);
void add_netcdf4(std::vector<Peer> &peers);
void add_gather(std::vector<Peer> &peers);
void add_file_per_rank(std::vector<Peer> &peers);
void add_pread(std::vector<Peer> &peers);

/// How many pieces of a set there are; 0 where it is one file.
int pieces_of(const std::string &path);

/// What netCDF-C finds in the file, compared with the block; no value where it was not compiled. Collective.
std::optional<bool> check_with_netcdf(const Block &block, const std::string &path);
/// The same, of a file that holds this rank's block alone.
bool all_ranks(const Block &block, bool mine);

/// The version of a library that a peer uses; empty: not compiled.
std::string pnetcdf_version();
std::string netcdf_version();

}  // namespace sv_bench
