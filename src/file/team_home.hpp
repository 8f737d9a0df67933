// The home of a file whose store is a library over MPI-IO (PnetCDF, parallel netCDF-4): its writers, the team, open it
// together and make some of its calls together (docs/adr/0017-stores-over-libraries.md). It is also the home of such a
// file that is read: then every rank opens it by itself, or all do together.
#pragma once

#include "file/home.hpp"

namespace sv {

class TeamHome final : public Home {
 public:
  TeamHome(File &file, StoreMaker maker);

  void choose_writers() override;
  void find_chunks(const std::string &call) override;
  std::unique_ptr<Store> new_store() override;
  Readers readers() const override;
  bool is_owner() const override { return has(context_.rank()); }
  bool shares_calls() const override;

 protected:
  Route new_route(const Layout &layout) const override;

 private:
  bool has(int rank) const;
  void choose_compressors(bool compresses);
  bool has_single_appender() const;
  void choose_team();
  std::vector<int> block_owners(const Layout &layout) const;
  std::string aggregators() const;

  bool shares_compression_ = false;
  std::vector<int> team_;                  // ascending; empty while no ranks have it open together
  std::shared_ptr<const Comm> team_comm_;  // of them
};

}  // namespace sv
