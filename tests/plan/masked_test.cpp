// Blocks that are all land have no rank: by every route the cells that somebody owns arrive once, and the others get
// the fill value once.
#include <gtest/gtest.h>

#include <cstring>

#include "simulation.hpp"
#include "store/store.hpp"
#include "support/memory_store.hpp"

namespace sv::test {
namespace {

/// What the random masks brought about, so that a change of the dice cannot empty these tests.
struct Seen {
  int holes_in_domain = 0, domains_without_rank = 0, land_columns = 0, parts_of_grid = 0;

  void look_at(const Case &c, const Plan &plan) {
    const Route &route = plan.route;
    if (route.io_nx == 0) return;
    const std::vector<IoDomain> domains = io_domains(*c.layout, route.io_nx, route.io_ny);
    if (domains.size() < static_cast<size_t>(route.io_nx) * static_cast<size_t>(route.io_ny)) ++domains_without_rank;
    int64_t covered = 0;
    for (const IoDomain &domain : domains) {
      covered += domain.box.elements();
      const auto holes = c.layout->holes();
      if (std::any_of(holes.begin(), holes.end(), [&](const Box &hole) { return meet(hole, domain.box); }))
        ++holes_in_domain;
    }
    if (covered < c.layout->cells()) ++parts_of_grid;
    const auto patches = c.layout->patches();
    if (std::all_of(patches.begin(), patches.end(), [](const Patch &patch) { return patch.box.start[1] > 0; }))
      ++land_columns;
  }
};

TEST(Masked, EveryElementOnceAndHolesFilledOnce) {
  const int count = case_count(2000);
  int planned = 0;
  Seen seen;
  for (int seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    const Case c = masked_case(seed);
    const std::optional<Plan> plan = plan_of(c);
    if (!plan) continue;
    ++planned;
    seen.look_at(c, *plan);
    Simulation simulation(c, *plan);
    simulation.run();
    simulation.check_file();
    simulation.check_traffic();
  }
  EXPECT_GT(planned, count * 3 / 4) << "most random cases must be valid";
  EXPECT_GT(seen.holes_in_domain, count / 100);
  EXPECT_GT(seen.domains_without_rank, count / 100);
  EXPECT_GT(seen.land_columns, count / 100);
  EXPECT_GT(seen.parts_of_grid, count / 100);
}

/// A file in memory with one variable, of the shape of the case's field.
class OneFile {
 public:
  explicit OneFile(const Case &c) : store_(make_memory_store(memory_, "a.nc", Kind::published)) {
    Variable variable;
    variable.name = "v";
    variable.type = Type::int32;
    for (int d = 0; d < c.field.shape.n; ++d) {
      schema_.dims.push_back({"d" + std::to_string(d), c.field.shape[d], false});
      variable.dims.push_back(d);
    }
    schema_.variables.push_back(variable);
    place_variables(schema_, {});
    store_->create(schema_, false);
  }

  void write(const Share &share, const std::vector<int64_t> &values) {
    const std::vector<int32_t> narrow(values.begin(), values.end());
    std::vector<std::byte> bytes(narrow.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), narrow.data(), bytes.size());
    store_->write({0, 0, share.box, share.first, share.last}, bytes);
  }

  FileBytes bytes() {
    store_->commit(0);
    store_->detach();
    store_->finish();
    return *memory_->files.at("a.nc");
  }

 private:
  std::shared_ptr<MemoryFiles> memory_ = std::make_shared<MemoryFiles>();
  std::unique_ptr<Store> store_;
  PlacedSchema schema_;
};

FileBytes file_of(const Case &c, const Plan &plan) {
  OneFile file(c);
  Simulation simulation(c, plan);
  simulation.on_write = [&](const Share &share, const std::vector<int64_t> &values) { file.write(share, values); };
  simulation.run();
  return file.bytes();
}

TEST(Masked, EveryRouteLeavesTheSameFileInMemory) {
  const int count = case_count(300);
  int compared = 0;
  for (int seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    Case c = masked_case(seed);
    const ProcessGrid grid = process_grid(*c.layout);
    std::vector<RouteRequest> requests{{"serial", 0, 0, {}}, {"shared", 0, 0, {}}, {"row", 0, 0, {}},
                                       {"column", 0, 0, {}}, {"ranges", 0, 0, {}}, {}};
    for (int io_ny = 1; io_ny <= grid.rows; ++io_ny)
      for (int io_nx = 1; io_nx <= grid.columns; ++io_nx)
        for (const Writers &writers : {Writers{}, Writers{Writers::Kind::count, 1 + seed % c.layout->ranks()}})
          requests.push_back({"domains", io_nx, io_ny, writers});
    std::optional<FileBytes> serial;
    for (const RouteRequest &request : requests) {
      c.request = request;
      c.text = text_of(c, seed);
      const std::optional<Plan> plan = plan_of(c);
      if (!plan) continue;
      const FileBytes bytes = file_of(c, *plan);
      if (!serial) serial = bytes;
      ASSERT_EQ(bytes, *serial) << c.text;
      ++compared;
    }
  }
  EXPECT_GT(compared, 6 * count);
}

TEST(Masked, ALayoutWithoutAnyBlockIsAllFill) {
  for (const char *route : {"serial", "shared", "row", "domains", "ranges", "auto"}) {
    for (const int writers : {0, 2}) {
      if (writers > 0 && (route == std::string("serial") || route == std::string("shared"))) continue;
      Case c;
      c.layout = std::make_shared<const Layout>(Index{3, 4}, 3, std::vector<Patch>{}, true);
      c.topology = Topology::uniform(3, 2);
      c.field = {{2, 3, 4}, 1, 8, 400};
      c.request.name = route;
      if (writers > 0) c.request.writers = {Writers::Kind::count, writers};
      c.surroundings.stripe_bytes = 64;
      c.budget = {4096, 4096};
      c.extents = {{0, 400}, {400, 400 + 192}};
      c.text = text_of(c, 0);
      const std::optional<Plan> plan = plan_of(c);
      ASSERT_TRUE(plan) << c.text;
      Simulation simulation(c, *plan);
      simulation.run();
      simulation.check_file();
      simulation.check_traffic();
    }
  }
}

}  // namespace
}  // namespace sv::test
