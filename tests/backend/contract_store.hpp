// One store of the contract (store_contract.cpp): how it is made, by one rank alone or by all ranks together, and the
// contents of its files, seen from outside.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include "backend/backend.hpp"
#include "backend/mpi_peers.hpp"
#include "store/cdf_store.hpp"
#include "support/memory_store.hpp"
#include "tiny_store/tiny_store.hpp"

namespace sv::testing {

enum class Ranks { alone, all };

struct ContractParameter {
  std::string store;
  Format format;
  Ranks ranks;
};
inline std::string name_of(const ContractParameter &parameter) {
  return parameter.store + "_" + name_of(parameter.format) + (parameter.ranks == Ranks::alone ? "_alone" : "_mpi");
}
inline void PrintTo(const ContractParameter &parameter, std::ostream *out) { *out << name_of(parameter); }

/// With Ranks::alone, each rank has a file of its own, without MPI; otherwise all ranks of `comm` have one.
class ContractStore {
 public:
  ContractStore(const ContractParameter &parameter, const Comm &comm)
      : name_(parameter.store),
        path_((parameter.ranks == Ranks::alone ? "rank" + std::to_string(comm.rank()) : "all") + ".nc") {
    if (parameter.ranks == Ranks::alone)
      peers_ = std::make_shared<Peers>();
    else
      peers_ = std::make_shared<MpiPeers>(comm, WatchSettings());
    together([&] {
      for (const char *suffix : {"", ".part", ".complete"})
        if (peers_->is_owner()) std::filesystem::remove_all(path_ + suffix);
    });
  }

  bool is_built() const { return is_in_place() || std::filesystem::exists(plug_in_path(name_)); }
  /// Whether values stand in the order of their variable, and unwritten bytes are 0.
  bool is_in_place() const { return name_ == "cdf" || name_ == "memory" || name_ == "tiny"; }
  /// Whether all ranks make the owner's calls.
  bool has_team() const { return !is_in_place(); }
  /// Whether it opens files with a communicator.
  bool needs_mpi() const { return name_ == "pnetcdf"; }
  /// Whether definitions may change in an open file.
  bool is_redefinable() const { return name_ == "cdf" || name_ == "memory"; }
  const std::string &path() const { return path_; }
  Peers &peers() const { return *peers_; }

  /// Collective. Begins and ends when all ranks are there; throws the same error on all.
  void together(const std::function<void()> &local) const {
    peers_->together([] {});
    peers_->together(local);
  }
  /// Collective. The work of the owner, or of each rank of a team.
  void as_owner(const std::function<void()> &action) const {
    together([&] {
      if (has_team() || peers_->is_owner()) action();
    });
  }

  std::unique_ptr<Store> writer(Kind kind) const { return made(kind, peers_); }
  /// For this rank alone.
  std::unique_ptr<Store> reader() const {
    std::shared_ptr<Peers> self = std::make_shared<Peers>();
    if (needs_mpi()) self = std::make_shared<MpiPeers>(WatchSettings());
    return made(Kind::published, self);
  }
  bool has(const std::string &suffix) const {
    return name_ == "memory" ? memory_->files.count(path_ + suffix) > 0 : std::filesystem::exists(path_ + suffix);
  }
  /// What a run that was killed has left: an empty file.
  void leave(const std::string &suffix) const {
    if (name_ == "memory")
      memory_->files[path_ + suffix] = std::make_shared<FileBytes>();
    else
      std::ofstream(path_ + suffix).close();
  }
  PlacedSchema definitions() const {
    if (name_ == "memory") {
      const FileBytes &bytes = *memory_->files.at(path_);
      return decode_header(bytes.data(), std::ssize(bytes), std::ssize(bytes));
    }
    if (name_ == "cdf") return sv::read_schema(path_);
    PlacedSchema schema{name_ == "tiny" ? tiny::read_definitions(path_) : backend(name_).read_schema(path_), {}};
    place_variables(schema, Placement());
    return schema;
  }

 private:
  std::unique_ptr<Store> made(Kind kind, std::shared_ptr<Peers> peers) const {
    if (name_ == "cdf") return make_cdf_store(path_, kind);
    if (name_ == "memory") return make_memory_store(memory_, path_, kind);
    if (name_ == "tiny") return tiny::make_store(path_, kind);
    Access access;
    access.writers = peers->size();
    access.peers = std::move(peers);
    access.chunks.one_record = true;
    access.chunks.each_step = kind == Kind::growing;
    access.chunks.only_chunks = kind_named(name_).has_only_chunks;
    return backend(name_).make_store(path_, kind, access);
  }

  const std::string name_, path_;
  std::shared_ptr<Peers> peers_;
  const std::shared_ptr<MemoryFiles> memory_ = std::make_shared<MemoryFiles>();
};

}  // namespace sv::testing
