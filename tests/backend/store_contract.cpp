// The contract of stores (store/store.hpp), which every store keeps, for one rank alone and for several that have one
// file. The memory store is the reference; a store that is not compiled is skipped. netcdf4_library is left out: its
// library counts records by itself, before they are committed.
// run: ranks=1 limit=60
// run: ranks=3 limit=120
#include <gtest/gtest.h>

#include <array>

#include "base/fill.hpp"
#include "contract_store.hpp"
#include "store/schema_builder.hpp"
#include "store/status_of.hpp"

namespace sv {
namespace {

using testing::ContractParameter;
using testing::ContractStore;
using testing::Ranks;
using testing::status_of;
using Bytes = std::vector<std::byte>;

const Comm *world = nullptr;

Bytes pattern(int64_t bytes, int seed) {
  Bytes values(static_cast<size_t>(bytes));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::byte>(static_cast<size_t>(seed) * 31 + i * 7 + 1);
  return values;
}

/// Calls `Contract` functions on all ranks; those that change the file are collective.
class Contract : public ::testing::TestWithParam<ContractParameter> {
 protected:
  Contract() {
    schema_.format = GetParam().format;
    place_variables(schema_, Placement());
  }
  void SetUp() override {
    if (!of_.is_built()) GTEST_SKIP() << "not compiled";
  }

  Slab whole(int variable, int64_t record) const {
    const Box box = Box::whole(schema_.slab_shape(schema_.variables[static_cast<size_t>(variable)]));
    return {variable, record, box, 0, box.elements()};
  }
  int64_t element_bytes(int variable) const { return size_of(schema_.variables[static_cast<size_t>(variable)].type); }
  int64_t bytes_of(const Slab &slab) const { return (slab.last - slab.first) * element_bytes(slab.variable); }
  Bytes values_of(int variable, int64_t record) const {
    return pattern(bytes_of(whole(variable, record)), static_cast<int>(10 * record) + variable);
  }

  std::unique_ptr<Store> created(Kind kind, bool exclusive = false) {
    auto store = of_.writer(kind);
    of_.as_owner([&] { store->create(schema_, exclusive); });
    join(*store, schema_);
    return store;
  }
  std::unique_ptr<Store> reopened() {
    const PlacedSchema found = of_.definitions();
    auto store = of_.writer(Kind::growing);
    of_.as_owner([&] { store->reopen(found); });
    join(*store, found);
    return store;
  }
  void join(Store &store, const PlacedSchema &schema) {
    of_.together([&] {
      if (!of_.has_team() && !of_.peers().is_owner()) store.attach(schema, true);
    });
  }

  /// This rank's part of a slab, in two slabs, the later one first. A chunk has one writer.
  std::vector<Slab> own_slabs(int variable, int64_t record) const {
    const Slab all = whole(variable, record);
    const int64_t ranks = of_.peers().size(), rank = of_.peers().rank();
    Slab early = all, late = all;
    if (of_.is_in_place())
      early.first = all.last * rank / ranks, late.last = all.last * (rank + 1) / ranks;
    else if (variable % ranks != rank)
      return {};
    early.last = late.first = (early.first + late.last) / 2;
    return {late, early};
  }
  void put(Store &store, int variable, int64_t record) {
    const Bytes values = values_of(variable, record);
    const std::vector<Slab> own = own_slabs(variable, record);
    if (schema_.variables[static_cast<size_t>(variable)].has_records)
      store.grow(std::array{RecordCount{variable, record + 1}});
    const int64_t calls = store.most_calls(Direction::write, variable, std::ssize(own));
    for (int64_t c = 0; c < calls; ++c) {
      Slab slab = whole(variable, record);
      slab.last = 0;
      if (c < std::ssize(own)) slab = own[static_cast<size_t>(c)];
      store.write(slab, std::span(values).subspan(static_cast<size_t>(slab.first * element_bytes(variable)),
                                                  static_cast<size_t>(bytes_of(slab))));
    }
    store.deliver(variable, Delivery::now);
  }
  void put_record(Store &store, int64_t record) {
    for (const int variable : {2, 3, 4}) put(store, variable, record);
  }
  void commit(Store &store, int64_t records) {
    of_.as_owner([&] { store.commit(records); });
    of_.together([] {});
  }
  void finish(Store &store) {
    of_.together([&] { store.detach(); });
    of_.as_owner([&] { store.finish(); });
    of_.together([] {});
  }
  void abandon(Store &store) {
    of_.together([&] {
      store.mark_failed_everywhere();
      store.detach();
    });
    of_.as_owner([&] { store.abandon(); });
    of_.together([] {});
  }
  void make_growing(int64_t records) {
    auto store = created(Kind::growing);
    for (const int variable : {0, 1}) put(*store, variable, 0);
    for (int64_t record = 0; record < records; ++record) put_record(*store, record);
    commit(*store, records);
    finish(*store);
  }

  std::unique_ptr<Store> reader() const {
    auto store = of_.reader();
    store->attach(of_.definitions(), false);
    return store;
  }
  Bytes read(Reader &store, int variable, int64_t record) const {
    const Slab slab = whole(variable, record);
    Bytes values(static_cast<size_t>(bytes_of(slab)));
    store.read(slab, values);
    return values;
  }
  void expect(Reader &store, int variable, int64_t record) const {
    EXPECT_EQ(read(store, variable, record), values_of(variable, record)) << variable << ", record " << record;
  }
  /// Reads as the fill value or, where values stand in the file as they are, as 0.
  void expect_unwritten(Reader &store, int variable, int64_t record) const {
    const Slab slab = whole(variable, record);
    const Bytes found = read(store, variable, record);
    Bytes fill(found.size());
    fill_elements(fill.data(), slab.last, schema_.fill_value(schema_.variables[static_cast<size_t>(variable)]).data(),
                  element_bytes(variable));
    EXPECT_TRUE((found == fill && !of_.is_in_place()) || found == Bytes(found.size())) << variable << ", " << record;
  }
  void expect_only(const std::string &name) const {
    for (const char *suffix : {"", ".part", ".complete"}) EXPECT_EQ(of_.has(suffix), name == suffix) << suffix;
    of_.together([] {});
  }
  void expect_nothing() const { expect_only("none of them"); }

  PlacedSchema schema_{testing::mixed(Format::cdf5).schema(), {}};
  const ContractStore of_{GetParam(), *world};
};

std::vector<ContractParameter> parameters() {
  std::vector<ContractParameter> all;
  for (const Ranks ranks : {Ranks::alone, Ranks::all}) {
    for (const char *store : {"cdf", "tiny", "memory"})
      for (const Format format : {Format::cdf1, Format::cdf2, Format::cdf5})
        if (store != std::string("memory") || ranks == Ranks::alone) all.push_back({store, format, ranks});
    all.push_back({"netcdf4", Format::netcdf4, ranks});
    all.push_back({"netcdf4", Format::netcdf4_classic, ranks});
    all.push_back({"zarr", Format::zarr, ranks});
  }
  for (const Format format : {Format::cdf1, Format::cdf2, Format::cdf5}) all.push_back({"pnetcdf", format, Ranks::all});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Stores, Contract, ::testing::ValuesIn(parameters()), [](const auto &tested) {
  std::string name = name_of(tested.param);
  std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
  return name;
});

TEST_P(Contract, PublishedFileAppearsWhenFinished) {
  auto store = created(Kind::published);
  put_record(*store, 0);
  put(*store, 0, 0);
  put_record(*store, 1);
  commit(*store, 2);
  expect_only(".part");
  finish(*store);
  expect_only("");
  EXPECT_EQ(of_.definitions().records, 2);
  auto back = reader();
  for (const int variable : {0, 2, 3, 4}) expect(*back, variable, 0);
  for (const int variable : {2, 3, 4}) expect(*back, variable, 1);
  expect_unwritten(*back, 1, 0);
}

TEST_P(Contract, GrowingFileAppearsWithItsFirstCommit) {
  auto store = created(Kind::growing);
  for (const int variable : {0, 1}) put(*store, variable, 0);
  put_record(*store, 0);
  expect_only(".part");
  commit(*store, 1);
  expect_only("");
  put_record(*store, 1);
  auto early = reader();
  expect(*early, 2, 0);
  EXPECT_EQ(status_of([&] { read(*early, 2, 1); }), Status::not_found);
  if (!of_.is_in_place()) early->detach();  // its library would keep what it has read
  commit(*store, 2);
  if (!of_.is_in_place()) early = reader();
  expect(*early, 2, 1);
  expect_only("");
  finish(*store);
  EXPECT_TRUE(of_.has("") && of_.has(".complete") && !of_.has(".part"));
  EXPECT_EQ(of_.definitions().records, 2);
}

TEST_P(Contract, WritersReadWhatAllHaveWritten) {
  for (const Kind kind : {Kind::published, Kind::growing}) {
    auto store = created(kind);
    put_record(*store, 0);
    commit(*store, 1);
    put(*store, 0, 0);
    for (const int variable : {0, 2, 3, 4}) {
      of_.together([] {});
      ASSERT_EQ(store->most_calls(Direction::read, variable, 1), 1);
      if (!of_.has_team() || kind == Kind::growing || of_.peers().size() == 1) expect(*store, variable, 0);
    }
    finish(*store);
    expect(*reader(), 0, 0);
  }
}

TEST_P(Contract, ManySlabsAtOnceAreThoseOneByOne) {
  auto store = created(Kind::published);
  store->grow(std::array{RecordCount{2, 1}, RecordCount{3, 1}, RecordCount{4, 1}});
  // Values stand as far apart as in the file, where these slabs touch.
  Bytes values;
  std::vector<SlabPart> parts;
  std::vector<size_t> begins;
  for (const int variable : {2, 3, 4}) {
    begins.push_back(values.size());
    const Bytes more = values_of(variable, 0);
    values.insert(values.end(), more.begin(), more.end());
    if (schema_.places && variable < 4)
      values.resize(begins.back() + static_cast<size_t>(schema_.place(variable).slab_bytes));
    parts.push_back({whole(variable, 0), {}, variable > 2});
  }
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i].values = std::span(values).subspan(begins[i], static_cast<size_t>(bytes_of(parts[i].slab)));
  store->write_many(of_.peers().is_owner() ? parts : std::vector<SlabPart>());
  for (const SlabPart &part : parts) store->deliver(part.slab.variable, Delivery::now);
  commit(*store, 1);
  finish(*store);
  auto back = reader();
  for (const int variable : {2, 3, 4}) expect(*back, variable, 0);
  std::fill(values.begin(), values.end(), std::byte{});
  back->read_many(parts);
  for (const SlabPart &part : parts)
    EXPECT_EQ(Bytes(part.values.begin(), part.values.end()), values_of(part.slab.variable, 0));
  Slab first = whole(2, 0), rest = first;
  first.last = rest.first = 4;
  Bytes read_first(static_cast<size_t>(bytes_of(first))), read_rest(static_cast<size_t>(bytes_of(rest)));
  back->read_many(std::vector<SlabPart>{{rest, read_rest, false}, {first, read_first, false}});
  read_first.insert(read_first.end(), read_rest.begin(), read_rest.end());
  EXPECT_EQ(read_first, values_of(2, 0));
  back->read_many({});
}

TEST_P(Contract, OldFileStandsUntilTheNewOneIsPublished) {
  make_growing(1);
  of_.together([&] {
    if (of_.peers().is_owner()) of_.leave(".part");
  });
  auto store = created(Kind::published);
  expect(*reader(), 3, 0);
  EXPECT_FALSE(of_.has(".complete"));
  finish(*store);
  expect_only("");
  EXPECT_EQ(of_.definitions().records, 0);
}

TEST_P(Contract, ExclusiveRefusesWhatExists) {
  make_growing(1);
  auto store = of_.writer(Kind::published);
  EXPECT_EQ(status_of([&] { of_.as_owner([&] { store->create(schema_, true); }); }), Status::exists);
  of_.as_owner([&] { store->abandon(); });
  EXPECT_FALSE(of_.has(".part"));
  expect(*reader(), 3, 0);
}

TEST_P(Contract, AbandonedFileWithoutNameLeavesNothing) {
  for (const Kind kind : {Kind::published, Kind::growing}) {
    auto store = created(kind);
    put_record(*store, 0);
    if (kind == Kind::published) commit(*store, 1);
    abandon(*store);
    expect_nothing();
  }
}

TEST_P(Contract, AbandonedGrowingFileKeepsItsCommittedRecords) {
  auto store = created(Kind::growing);
  put_record(*store, 0);
  commit(*store, 1);
  put_record(*store, 1);
  abandon(*store);
  expect_only("");
  EXPECT_EQ(of_.definitions().records, 1);
  expect(*reader(), 3, 0);
  // Uncounted values are absent when another record counts.
  store = reopened();
  put(*store, 2, 1);
  commit(*store, 2);
  finish(*store);
  auto back = reader();
  expect(*back, 3, 0);
  expect(*back, 2, 1);
  const Index chunk = back->storing(3).chunk;
  if (chunk.n == 0 || chunk[0] == 1) expect_unwritten(*back, 3, 1);  // a chunk stays that has records which count
}

TEST_P(Contract, ReopenedFilesAreAppendedTo) {
  make_growing(2);
  of_.together([&] {
    if (of_.peers().is_owner()) of_.leave(".part");
  });
  auto store = reopened();
  expect_only("");
  put(*store, 2, 2);
  commit(*store, 3);
  finish(*store);
  EXPECT_TRUE(of_.has(".complete"));
  EXPECT_EQ(of_.definitions().records, 3);
  auto back = reader();
  expect(*back, 1, 0);
  expect(*back, 4, 1);
  expect(*back, 2, 2);
  expect_unwritten(*back, 3, 2);
}

TEST_P(Contract, AbandonedReopenedFileIsAsItWas) {
  make_growing(2);
  auto store = reopened();
  put_record(*store, 2);
  abandon(*store);
  expect_only("");
  EXPECT_EQ(of_.definitions().records, 2);
  auto back = reader();
  for (const int64_t record : {0, 1})
    for (const int variable : {2, 3, 4}) expect(*back, variable, record);
}

TEST_P(Contract, DefinitionsChangeWithTheNextCommitOrNotAtAll) {
  auto store = created(Kind::growing);
  put_record(*store, 0);
  commit(*store, 1);
  const PlacedSchema before = schema_;
  schema_.attributes.push_back(text_attribute("comment", "later"));
  schema_.records = 1;
  if (of_.is_redefinable()) {
    place_again(schema_, before, Placement());
    store->redefine(schema_);
    put_record(*store, 1);
    EXPECT_EQ(find_attribute(of_.definitions().attributes, "comment"), nullptr);
    commit(*store, 2);
    EXPECT_NE(find_attribute(of_.definitions().attributes, "comment"), nullptr);
    expect(*reader(), 2, 1);
  } else if (of_.is_in_place()) {
    EXPECT_EQ(status_of([&] { store->redefine(schema_); }), Status::unsupported);
  }
  finish(*store);
  expect(*reader(), 2, 0);
}

TEST_P(Contract, ErrorsNameThePath) {
  auto store = of_.writer(Kind::growing);
  const auto refused = [&](const std::function<void()> &action) {
    const auto failed = caught(-1, action);
    EXPECT_TRUE(failed && failed->status() == Status::not_found);
    EXPECT_NE(std::string(failed ? failed->what() : "").find(of_.path()), std::string::npos);
  };
  refused([&] { of_.as_owner([&] { store->reopen(schema_); }); });
  of_.as_owner([&] { store->abandon(); });
  refused([&] { of_.reader()->attach(schema_, false); });
  if (!of_.has_team()) refused([&] { of_.reader()->attach(schema_, true); });
  expect_nothing();
  make_growing(1);
  auto back = reader();
  refused([&] { read(*back, 2, 1); });
  const Slab slab = whole(2, 0);
  EXPECT_NE(status_of([&] { back->write(slab, values_of(2, 0)); }), Status::ok) << "readers do not write";
  expect(*back, 2, 0);
  EXPECT_NO_THROW(back->detach());
}

}  // namespace
}  // namespace sv

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  sv::Comm comm = sv::Comm::duplicate(MPI_COMM_WORLD);
  sv::world = &comm;
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  comm.free();
  MPI_Finalize();
  return failed;
}
