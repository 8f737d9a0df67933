// Redefinition: in the header's reserve and beyond it, new variables in files with and without records, renamed and
// deleted things, files of netCDF-C, published and growing ones. Read back with netCDF-C. Rank 1 of three owns nothing.
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=behind behind
// run: ranks=1 limit=60
#include <sverdrup/binding.h>
#include <sys/stat.h>

#include <filesystem>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

const Numbers shape{9, 14};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, rows(), {1, 1, 0, 1}};
  Spec ice{"ice", SV_SHORT, SV_FLOAT, shape, {"y", "x"}, true, How::field, &grid};
  Spec depth{"depth", SV_FLOAT, SV_FLOAT, shape, {"y", "x"}, false, How::field, &grid};
  Spec speed{"speed", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid};
  Spec mask{"mask", SV_BYTE, SV_INT, shape, {"y", "x"}, false, How::field, &grid};
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "file_system.stripe=4096", "summary=redefine.json"});

  std::vector<Block> rows() const {
    std::vector<Block> blocks;
    const int parts = std::max(1, ranks - 1);
    for (int r = 0; r < ranks; ++r) {
      const int part = r == 0 ? 0 : r - 1;
      const int64_t first = cut(shape[0], parts, part);
      const int64_t count = r == 1 ? 0 : cut(shape[0], parts, part + 1) - first;
      blocks.push_back({{r == 1 ? 0 : first, 0}, {count, shape[1]}});
    }
    return blocks;
  }
};

/// The value of a variable without a put.
Spec unput(Spec spec) {
  spec.how = How::never;
  return spec;
}

void add(Output &out, const Spec &spec) {
  int dims[3] = {-1, -1, -1}, *first = dims + 1;
  SV_MUST(sv_inq(out.file, nullptr, nullptr, nullptr, &dims[0]));
  SV_MUST(sv_inq_dimid(out.file, "y", &dims[1]));
  SV_MUST(sv_inq_dimid(out.file, "x", &dims[2]));
  if (spec.records) --first;
  SV_MUST(sv_def_var(out.file, spec.name.c_str(), spec.type, spec.records ? 3 : 2, first, &out.ids[spec.name]));
  char fill[8];
  store(spec.type, fill, spec.fill);
  SV_MUST(sv_def_fill(out.file, out.ids[spec.name], fill));
}

ino_t inode_of(const std::string &path) {
  struct stat status {};
  require(stat(path.c_str(), &status) == 0, "no " + path);
  return status.st_ino;
}

void step(Output &out, const std::vector<Spec> &specs, int64_t record) {
  for (const Spec &spec : specs) put(out, spec, record);
  SV_MUST(sv_end_step(out.io));
  SV_MUST(sv_flush(out.io, SV_WRITTEN));  // where threads write behind the calls
}

void close(const Output &out) {
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_flush(out.io, SV_WRITTEN));
}

/// A growing file with a record that counts, and another that is put only: sv_redef commits it.
Output with_two_records(Scene &s, const std::string &path) {
  Output out = create_output(s.io, s.rank, path, {s.ice, s.depth}, SV_GROWING);
  put(out, s.depth, SV_NO_RECORD);
  step(out, {s.ice}, 0);
  put(out, s.ice, 1);
  return out;
}

/// In define mode. Only the last new variable can be removed, of which another one has nothing.
void undefined(Output &out) {
  int old = -1, first = -1, second = -1, last = -1, packed = -1, there = -1;
  SV_MUST(sv_inq(out.file, nullptr, &old, nullptr, nullptr));
  require(sv_undef_var(out.file, old - 1) == SV_EORDER && sv_undef_var(out.file, old) == SV_ENOTFOUND,
          "an old variable");
  SV_MUST(sv_def_var(out.file, "first", SV_SHORT, 0, nullptr, &first));
  SV_MUST(sv_def_packing(out.file, first, 2, 1));
  SV_MUST(sv_def_var(out.file, "second", SV_SHORT, 0, nullptr, &second));
  expect("sv_undef_var", {SV_EORDER, {"'first'", "last"}}, [&] { return sv_undef_var(out.file, first); });
  SV_MUST(sv_undef_var(out.file, second));
  SV_MUST(sv_undef_var(out.file, first));
  require(sv_inq_varid(out.file, "first", &there) == SV_ENOTFOUND, "a removed variable is there");
  SV_MUST(sv_def_var(out.file, "second", SV_SHORT, 0, nullptr, &last));
  SV_MUST(sv_inq_packing(out.file, last, &packed));
  require(last == first && packed == 0, "a variable has the packing of a removed one");
  SV_MUST(sv_undef_var(out.file, last));
}

/// A growing file with two records: additions at several places, and moves.
void growing(Scene &s) {
  const std::string path = "growing.nc";
  Output out = with_two_records(s, path);

  // In the reserve: renamed, deleted and changed.
  const ino_t first = inode_of(path);
  SV_MUST(sv_redef(out.file));
  expect("sv_redef twice", {SV_EORDER, {"define mode"}}, [&] { return sv_redef(out.file); });
  SV_MUST(sv_rename_var(out.file, out.ids["ice"], "sea_ice"));
  SV_MUST(sv_rename_att(out.file, SV_GLOBAL, "version", "edition"));
  SV_MUST(sv_del_att(out.file, out.ids["depth"], "long_name"));
  SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "history", "redefined once"));
  require(sv_rename_var(out.file, out.ids["ice"], "depth") == SV_EEXISTS, "a name that is taken");
  require(sv_rename_att(out.file, out.ids["ice"], "long_name", "_FillValue") == SV_EEXISTS, "an attribute's, too");
  require(sv_del_att(out.file, SV_GLOBAL, "absent") == SV_ENOTFOUND, "an attribute that is not there");
  undefined(out);
  SV_MUST(sv_enddef(out.file));
  require(sv_rename_dim(out.file, 0, "t") == SV_EORDER, "renamed outside define mode");
  Spec renamed = s.ice;
  at_root([&] {
    require(inode_of(path) == first, "the file was written anew for a header within its reserve");
    const NetcdfFile file(path);
    require(file.values("sea_ice", shape, 0) == expected(s.ice, 0) &&
                file.values("sea_ice", shape, 1) == expected(s.ice, 1),
            "a renamed variable has other values");
    file.check(s.depth, -1);
  });

  // New variables in a file with records: everything moves, to a new file.
  SV_MUST(sv_redef(out.file));
  SV_MUST(sv_rename_var(out.file, out.ids["ice"], "ice"));
  add(out, s.speed);
  add(out, s.mask);
  SV_MUST(sv_enddef(out.file));
  at_root([&] {
    require(inode_of(path) != first, "the data did not move to a new file");
    require(!std::filesystem::exists(path + ".part"), "the new file has kept its first name");
    NetcdfFile(path).check_all({s.ice, s.depth, unput(s.speed), unput(s.mask)}, 2);
  });
  put(out, s.mask, SV_NO_RECORD);
  step(out, {s.ice, s.speed}, 1);
  step(out, {s.ice, s.speed}, 2);
  close(out);
  at_root([&] {
    const NetcdfFile file(path);
    file.check_all({s.ice, s.depth, s.mask}, 3);
    file.check(unput(s.speed), 0);
    file.check(s.speed, 1);
    file.check(s.speed, 2);
  });
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
}

/// A file of netCDF-C, without any reserve: a longer header moves the data.
void of_netcdf(Scene &s) {
  const std::string path = "theirs.nc";
  at_root([&] {
    int id = -1, dims[3], var = -1;
    nc(nc_create(path.c_str(), NC_CLOBBER, &id), path);
    nc(nc_def_dim(id, "time", NC_UNLIMITED, &dims[0]), path);
    nc(nc_def_dim(id, "y", static_cast<size_t>(shape[0]), &dims[1]), path);
    nc(nc_def_dim(id, "x", static_cast<size_t>(shape[1]), &dims[2]), path);
    nc(nc_def_var(id, "ice", NC_SHORT, 3, dims, &var), path);
    nc(nc_enddef(id), path);
    for (size_t r = 0; r < 2; ++r) {
      const size_t start[] = {r, 0, 0}, count[] = {1, static_cast<size_t>(shape[0]), static_cast<size_t>(shape[1])};
      nc(nc_put_vara_double(id, var, start, count, expected(s.ice, static_cast<int64_t>(r)).data()), path);
    }
    nc(nc_close(id), path);
  });
  Output out{s.io, s.rank};
  out.file = open_file(s.io, path, SV_WRITE);
  SV_MUST(sv_inq_varid(out.file, "ice", &out.ids["ice"]));
  SV_MUST(sv_redef(out.file));
  int year = -1;
  SV_MUST(sv_def_dim(out.file, "year", 4, &year));
  SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "history", std::string(300, 'h').c_str()));
  SV_MUST(sv_enddef(out.file));
  step(out, {s.ice}, 2);
  // Now there is a reserve.
  const ino_t moved = inode_of(path);
  SV_MUST(sv_redef(out.file));
  SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "comment", std::string(300, 'c').c_str()));
  SV_MUST(sv_enddef(out.file));
  require(inode_of(path) == moved, "the reserve was not used");
  close(out);
  if (s.rank == 0) NetcdfFile(path).check_all({s.ice}, 3);
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
}

/// A published file: nothing under its name before it is complete; variables without a put.
void published(Scene &s) {
  const std::string path = "published.nc";
  at_root([&] { std::filesystem::remove(path); });
  Output out{s.io, s.rank};
  SV_MUST(sv_create(s.io, path.c_str(), SV_PUBLISHED, &out.file));
  define(out, {s.depth});
  SV_MUST(sv_rename_dim(out.file, 0, "month"));
  SV_MUST(sv_enddef(out.file));
  put(out, s.depth, SV_NO_RECORD);
  SV_MUST(sv_redef(out.file));  // no records yet: the data stay
  add(out, s.mask);
  add(out, s.ice);
  SV_MUST(sv_enddef(out.file));
  step(out, {s.ice}, 0);
  step(out, {s.ice}, 1);
  SV_MUST(sv_redef(out.file));
  add(out, s.speed);
  SV_MUST(sv_copy_att(out.file, out.ids["depth"], "long_name", out.file, out.ids["speed"]));
  SV_MUST(sv_enddef(out.file));
  std::vector<double> got(static_cast<size_t>(product(shape)));
  SV_MUST(sv_get_var(out.file, out.ids["ice"], 1, SV_DOUBLE, got.data(), nullptr));
  require(got == expected(s.ice, 1), "what moved is read with other values");
  put(out, s.speed, 1);
  require(!std::filesystem::exists(path), "a published file has its name too early");
  close(out);
  at_root([&] {
    const NetcdfFile file(path);
    file.check_all({s.depth, s.ice, unput(s.mask)}, 2);
    file.check(unput(s.speed), 0);
    file.check(s.speed, 1);
  });
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
}

/// Refused: definitions that differ, types beyond the format, sets of files.
void refused(Scene &s) {
  Output out = create_output(s.io, s.rank, "refused.nc", {s.ice}, SV_GROWING | SV_64BIT_OFFSET);
  step(out, {s.ice}, 0);
  SV_MUST(sv_redef(out.file));
  int var = -1;
  SV_MUST(sv_def_var(out.file, "wide", SV_UINT64, 0, nullptr, &var));
  expect("a type of CDF-5", {SV_ELIMIT, {"'wide'", "refused.nc"}}, [&] { return sv_enddef(out.file); });
  expect("closing after that", {SV_ELIMIT, {"'wide'"}}, [&] { return sv_close(out.file); });
  if (s.rank == 0) NetcdfFile("refused.nc").check_all({s.ice}, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (s.ranks > 1) {
    out.file = open_file(s.io, "refused.nc", SV_WRITE);
    SV_MUST(sv_redef(out.file));
    SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "whose", s.rank == 0 ? "mine" : "yours"));
    expect("other definitions", {SV_EDEFINE, {"'whose'", "rank 1"}}, [&] { return sv_enddef(out.file); });
    SV_MUST(sv_put_att_text(out.file, SV_GLOBAL, "whose", "ours"));
    SV_MUST(sv_enddef(out.file));
    SV_MUST(sv_close(out.file));
  }
  out.file = open_file(s.io, "refused.nc");
  expect("a file open for reading", {SV_EACCESS, {"SV_WRITE"}}, [&] { return sv_redef(out.file); });
  close_output(out);
}

/// sv_abort: definitions that are dropped, with values put before; a file that was never defined, over one that is
/// there.
void dropped(Scene &s) {
  const std::string path = "dropped.nc";
  Output out = with_two_records(s, path);
  SV_MUST(sv_redef(out.file));
  SV_MUST(sv_rename_var(out.file, out.ids["ice"], "other"));
  SV_MUST(sv_del_att(out.file, out.ids["depth"], "long_name"));
  add(out, s.speed);
  SV_MUST(sv_abort(out.file));
  SV_MUST(sv_flush(out.io, SV_WRITTEN));
  const auto check = [&] {
    at_root([&] {
      const NetcdfFile file(path);
      file.check_all({s.ice, s.depth}, 2);
      int id = -1, variables = 0;
      nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
      nc(nc_inq_nvars(id, &variables), path);
      require(variables == 2, "a definition that was dropped is in the file");
      nc(nc_close(id), path);
    });
  };
  check();
  SV_MUST(sv_create(s.io, path.c_str(), SV_GROWING, &out.file));
  define(out, {s.mask});
  SV_MUST(sv_abort(out.file));
  check();
  out.file = open_file(s.io, path, SV_WRITE);  // outside define mode it is sv_close
  SV_MUST(sv_abort(out.file));
  check();
  require(s.rank != 0 || !std::filesystem::exists(path + ".part"), "something is left of what was given up");
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
}

void check_summary(const Scene &s) {
  if (s.rank != 0) return;
  const std::vector<char> text = bytes_of_file("redefine.json");
  const std::string summary(text.begin(), text.end());
  require(summary.find("\"redefinitions\": 2") != std::string::npos, "the summary does not tell of redefinitions");
  // ice twice and depth once, of the growing file.
  const auto cells = product(shape);
  require(summary.find("\"moved_bytes\": " + std::to_string(cells * (2 * 2 + 4))) != std::string::npos,
          "the summary does not tell what moved");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Scene s;
    growing(s);
    of_netcdf(s);
    published(s);
    refused(s);
    dropped(s);
    SV_MUST(sv_finalize(s.io));
    check_summary(s);
  }
  return MPI_Finalize();
}
