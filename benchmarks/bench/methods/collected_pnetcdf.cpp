#include "methods/collected.hpp"
#include "methods/pnetcdf_file.hpp"

namespace sv_bench {

namespace {

class CollectedPnetcdf : public Collected {
 public:
  CollectedPnetcdf(const Workload &workload, const Domains &domains, Hints hints)
      : Collected(workload, domains), hints_(std::move(hints)) {}

 protected:
  void create(const std::string &path) override {
    file_ = create_pnetcdf(writers(), workload_.schema, path, hints_, variables_);
  }
  void put(int variable, const Region &region, const std::byte *values) override {
    const std::vector<MPI_Offset> start(region.start.begin(), region.start.end()),
        count(region.count.begin(), region.count.end());
    const MPI_Datatype type = workload_.schema.variables[static_cast<size_t>(variable)].type.mpi;
    check_pnetcdf(ncmpi_put_vara_all(file_, variables_[static_cast<size_t>(variable)], start.data(), count.data(),
                                     values, region.elements(), type),
                  "put_vara_all");
  }
  void close_file() override { check_pnetcdf(ncmpi_close(file_), "close"); }

 private:
  const Hints hints_;
  int file_ = 0;
  std::vector<int> variables_;
};

}  // namespace

Peer collected_pnetcdf_peer(const std::string &name, const Workload &workload, const Domains &domains,
                            const Hints &hints) {
  return {name, false, "",
          [&workload, domains, hints] { return std::make_unique<CollectedPnetcdf>(workload, domains, hints); }};
}

}  // namespace sv_bench
