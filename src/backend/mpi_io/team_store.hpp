// The base of the stores over PnetCDF and parallel netCDF-4: a team has one file open, and calls into the library
// move the sub-arrays of a slab.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backend/boxes.hpp"
#include "backend/mpi_io/team.hpp"
#include "store/store.hpp"

namespace sv {

class TeamStore : public Store {
 public:
  void agree(const Error *error) override {
    team_.together([&] { Store::agree(error); });
  }
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void read(const Slab &slab, std::span<std::byte> values) override;
  StoreCounters counters() const override { return counters_; }
  std::vector<std::string> remarks() const override { return remarks_; }

 protected:
  TeamStore(const std::string &path, const Access &access) : path_(path), team_(access) {}
  /// One call into the library; `values` is where those of the sub-array begin.
  virtual void put(int variable, const SubArray &part, const std::byte *values) = 0;
  virtual void get(int variable, const SubArray &part, std::byte *values) = 0;

  bool owns() const { return writing_ && team_.is_owner(); }
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }

  const std::string path_;
  const MpiIoTeam team_;
  PlacedSchema schema_;
  StoreCounters counters_;
  std::vector<std::string> remarks_;
  int64_t records_ = 0;  // committed
  bool writing_ = false;

 private:
  /// `made` is called for each sub-array, and for empty ones where others of the team make more calls.
  void transfer(Direction direction, const Slab &slab,
                const std::function<void(const SubArray &part, int64_t offset_bytes)> &made);
};

}  // namespace sv
