// FMS's namelist group in our keys: the paper's example and every key, keys without effect, and refused ones.
#include "config/mpp_io.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "config/configuration.hpp"
#include "config/namelist.hpp"

namespace sv {
namespace {

/// "route=domains (input.nml:3), ..."
std::string translated(const std::string &text) {
  std::string list;
  for (const Assignment &one : read_mpp_io(text, "input.nml").settings)
    list += (list.empty() ? "" : ", ") + one.key + "=" + one.value.value_or("?") + " (" + one.origin.substr(10) + ")";
  return list;
}

std::string notes(const std::string &text) {
  std::string list;
  for (const std::string &note : read_mpp_io(text, "input.nml").notes) list += note + "\n";
  return list;
}

void expect_refused(const std::string &text, const std::vector<std::string> &parts) {
  try {
    ADD_FAILURE() << text << "\nbecame " << translated(text);
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::config) << error.what();
    for (const std::string &part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\nlacks: " << part;
  }
}

TEST(Namelist, IsKnownByItsFirstCharacter) {
  EXPECT_TRUE(is_namelist("&a\n/\n"));
  EXPECT_TRUE(is_namelist(" ! a comment & more\n\n# another\n\t &a /"));
  EXPECT_FALSE(is_namelist("route: serial # &"));
  EXPECT_FALSE(is_namelist("! & only a comment"));
  EXPECT_FALSE(is_namelist(""));
}

TEST(Namelist, GroupsKeysAndValues) {
  const std::vector<NamelistGroup> groups = parse_namelist(
      "&One a=1,2 , 3\n b = 'it''s / not & the ! end', \"x\" ! b\nC=2*.true.\n/\nnot a = group &\n&two\n&END\n&three/",
      "f");
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name, "one");
  ASSERT_EQ(groups[0].entries.size(), 3U);
  EXPECT_EQ(groups[0].entries[0].values, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(groups[0].entries[1].values, (std::vector<std::string>{"it's / not & the ! end", "x"}));
  EXPECT_EQ(groups[0].entries[2].key, "c");
  EXPECT_EQ(groups[0].entries[2].values, (std::vector<std::string>{".true.", ".true."}));
  EXPECT_EQ(groups[0].entries[2].line, 3);
  EXPECT_EQ(groups[1].line, 6);
  EXPECT_TRUE(groups[1].entries.empty());
  EXPECT_EQ(groups[2].name, "three");
}

TEST(MppIo, TheExampleOfThePaper) {
  const std::string example =
      "&mpp_io_nml\nparallel_netcdf = .true.\n    # enable parallel I/O\n    # (Default: .false.)\n"
      "parallel_read = .false.\npnetcdf = .false. # Use PnetCDF\nparallel_chunk = .true. # Set a custom chunk\n"
      "chunk_layout = 4, 15\n    # if parallel_chunk is set\n/\n";
  EXPECT_EQ(translated(example),
            "route=domains (2), store=netcdf4 (6), chunks.layout=4,15 (8), reading.ranks=self (5)");
  EXPECT_EQ(notes(example), "");
}

TEST(MppIo, EveryCombinationOfRouteAndStore) {
  const std::string serial = "route=serial (1), reading.ranks=self (1)", layout = " io_layout = 4 2";
  EXPECT_EQ(translated("&mpp_io_nml /"), serial);
  EXPECT_EQ(translated("&mpp_io_nml io_layout=0,0 /"), serial);
  EXPECT_EQ(translated("&mpp_io_nml io_layout=2*1 /"), serial);
  EXPECT_EQ(translated("&MPP_IO_NML" + layout + " &end"),
            "route=per_domain (1), io_layout=4,2 (1), reading.ranks=self (1)");
  EXPECT_EQ(translated("&mpp_io_nml\npnetcdf=T /"), "route=serial (1), store=pnetcdf (2), reading.ranks=self (1)");
  EXPECT_EQ(translated("&mpp_io_nml parallel_read=t, Parallel_NetCDF=.T.\nPNETCDF=.TRUE." + layout + " /"),
            "route=domains (1), io_layout=4,2 (2), store=pnetcdf (2), reading.ranks=collective (1)");
  EXPECT_EQ(translated("&mpp_io_nml parallel_netcdf=true\n/"),
            "route=domains (1), store=netcdf4 (1), chunks.shape=default (1), reading.ranks=self (1)");
}

TEST(MppIo, KeysOfFms) {
  EXPECT_EQ(translated("&mpp_io_nml\nparallel_netcdf=t\nheader_buffer_val=16384\nio_clocks_on=.true.\nshuffle=1\n"
                       "deflate=1\ndeflate_level=5\n/"),
            "route=domains (2), store=netcdf4 (1), chunks.shape=default (1), compression.shuffle=true (5), "
            "compression.codec=deflate:5 (7), "
            "reading.ranks=self (1), header_reserve=16384 (3), summary.table=true (4)");
}

TEST(MppIo, TheLayoutMayStandInAnotherGroup) {
  const std::string ours = "&mpp_io_nml\n/\n";
  EXPECT_EQ(translated(ours + "&ocean_model_nml\n layout = 8,8\n IO_layout=2,3\n/"),
            "route=per_domain (1), io_layout=2,3 (5), reading.ranks=self (1)");
  EXPECT_EQ(translated("&ice_nml io_layout=9,9 / &mpp_io_nml io_layout=2,3 /"),
            "route=per_domain (1), io_layout=2,3 (1), reading.ranks=self (1)");
  expect_refused(ours + "&a io_layout=2,3 /\n&b io_layout=3,2 /", {"input.nml:4", "differs", "line 3", "mpp_io_nml"});
}

TEST(MppIo, WhatHasNoEffectIsToldAndNotRefused) {
  EXPECT_EQ(notes("&mpp_io_nml\nglobal_field_on_root_pe=.false.\ncf_compliance=f /"),
            "input.nml:2: 'global_field_on_root_pe' has no effect: it means nothing here\n"
            "input.nml:3: 'cf_compliance' has no effect: it means nothing here\n");
  EXPECT_EQ(notes("&mpp_io_nml pnetcdf=f io_layout=2,2 chunk_layout=1,1 /"),
            "input.nml:1: 'pnetcdf' has no effect: the files of I/O domains are CDF\n"
            "input.nml:1: 'chunk_layout' has no effect: only netCDF-4 files have chunks\n");
  EXPECT_EQ(notes("&mpp_io_nml parallel_netcdf=t chunk_layout=1,1 /"),
            "input.nml:1: 'chunk_layout' has no effect: 'parallel_chunk' is .false.\n");
}

TEST(MppIo, Refusals) {
  expect_refused("&mpp_io_nml\n\nparalel_netcdf = .true. /", {"input.nml:3", "'paralel_netcdf'", "'parallel_netcdf'"});
  expect_refused("&mpp_io_mnl /", {"no group '&mpp_io_nml'", "nearest group is '&mpp_io_mnl'"});
  expect_refused("&mpp_io_nml /\n&mpp_io_nml /", {"input.nml:2", "second time"});
  expect_refused("&mpp_io_nml pnetcdf=t\npnetcdf=t /", {"input.nml:2", "'pnetcdf'", "second time"});
  expect_refused("&mpp_io_nml\npnetcdf=yes /", {"input.nml:2", "'pnetcdf'", ".true. or .false."});
  expect_refused("&mpp_io_nml pnetcdf= /", {"'pnetcdf'", ".true. or .false."});
  expect_refused("&mpp_io_nml io_layout=4 /", {"'io_layout'", "4, 2"});
  expect_refused("&mpp_io_nml io_layout=4,-2 /", {"'io_layout'", "4, 2"});
  expect_refused("&mpp_io_nml io_layout=4,2.5 /", {"'io_layout'", "4, 2"});
  expect_refused("&mpp_io_nml parallel_netcdf=t\nparallel_chunk=t /", {"input.nml:2", "chunk_layout = cx, cy"});
  expect_refused("&mpp_io_nml\npnetcdf=t\n&end_of_it", {"input.nml:1", "does not end"});
  expect_refused("&mpp_io_nml\npnetcdf=t", {"input.nml:1", "does not end"});
  expect_refused("&mpp_io_nml\n.true. /", {"input.nml:2", "without a key"});
  expect_refused("&mpp_io_nml\n= /", {"input.nml:2", "without a key"});
  expect_refused("&mpp_io_nml\n\na='x\n", {"input.nml:3", "does not end"});
}

TEST(MppIo, IsAConfigurationFile) {
  std::ofstream("input.nml") << "! FMS\n&mpp_io_nml\n header_buffer_val = 8192, cf_compliance = .true.\n/\n"
                                "&ocean_model_nml io_layout = 2, 1 /\n";
  const Settings settings = load_settings("input.nml", {{"SV_READING", "writers"}}, {"header_reserve=1KiB"});
  EXPECT_EQ(settings.file.route.name, "per_domain");
  EXPECT_EQ(settings.file.route.io_nx, 2);
  EXPECT_EQ(settings.file.from.at("io_layout"), "input.nml:5");
  EXPECT_EQ(settings.file.reading, Reading::writers);
  EXPECT_EQ(settings.file.header_reserve_bytes, 1024);
  EXPECT_NE(settings_json(settings).find("input.nml:3: 'cf_compliance' has no effect"), std::string::npos);
}

TEST(MppIo, ParallelFilesAreSettings) {
  std::ofstream("input.nml") << "&mpp_io_nml parallel_netcdf=t parallel_read=t pnetcdf=f parallel_chunk=t\n"
                                "chunk_layout=3,2 shuffle=1 deflate=1 deflate_level=4 io_layout=2,2 /\n";
  const FileSettings settings = load_settings("input.nml", {}, {}).file;
  EXPECT_EQ(settings.route.name, "domains");
  EXPECT_EQ(settings.store, "netcdf4");
  EXPECT_EQ(settings.reading, Reading::collective);
  for (const char *key : {"chunks.layout", "compression.shuffle", "compression.codec"})
    EXPECT_EQ(settings.from.at(key), "input.nml:2") << key;
  std::ofstream("input.nml") << "&mpp_io_nml parallel_netcdf=t pnetcdf=t /\n";
  EXPECT_EQ(load_settings("input.nml", {}, {}).file.store, "pnetcdf");
  std::ofstream("input.nml") << "&mpp_io_nml parallel_netcdf=t /\n";
  EXPECT_EQ(load_settings("input.nml", {}, {}).file.from.at("chunks.shape"), "input.nml:1");
}

}  // namespace
}  // namespace sv
