// Names in other forms than Unicode's Normalisation Form C are those of that form: two forms are one name in every
// inquiry, and netCDF-C finds the definitions. In every store; also in a file that has another form.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
#include <algorithm>
#include <fstream>
#include <iterator>

#include "support/files.hpp"

namespace {

using namespace svtest;

const std::string decomposed = "te\u0301mp", composed = "t\u00e9mp";

void expect_status(int status, int wanted, const std::string &what) {
  require(status == wanted,
          what + " gives " + std::to_string(status) + " in place of " + std::to_string(wanted) + ": " + sv_message());
}

void find_in(sv_file *file, const std::string &path) {
  for (const std::string &name : {decomposed, composed}) {
    int id = -1;
    char text[8] = "";
    SV_MUST(sv_inq_dimid(file, name.c_str(), &id));
    require(id == 0, path + ": the dimension is not found");
    SV_MUST(sv_inq_varid(file, name.c_str(), &id));
    require(id == 0, path + ": the variable is not found");
    SV_MUST(sv_get_att(file, id, name.c_str(), SV_CHAR, text));
    require(std::string(text) == "text", path + ": the attribute is " + text);
  }
}

void define_and_find(const std::string &store) {
  const std::string path = store + (store == "zarr" ? ".zarr" : ".nc");
  sv_context *const io = start(MPI_COMM_WORLD, {"store=" + store});
  int dim = -1, id = -1;
  sv_file *file = begin_file(io, path, SV_CLOBBER, {{decomposed, 2, &dim}}, {{decomposed, SV_INT, {decomposed}, &id}});
  SV_MUST(sv_put_att_text(file, id, decomposed.c_str(), "text"));
  SV_MUST(sv_put_att_text(file, id, composed.c_str(), "text"));
  expect_status(sv_def_dim(file, composed.c_str(), 3, &dim), SV_EEXISTS, "the other form of a dimension");
  expect_status(sv_def_var(file, composed.c_str(), SV_INT, 0, nullptr, &id), SV_EEXISTS,
                "the other form of a variable");
  SV_MUST(sv_def_var(file, "other", SV_INT, 0, nullptr, &id));
  expect_status(sv_rename_var(file, id, decomposed.c_str()), SV_EEXISTS, "a new name in the other form");
  SV_MUST(sv_rename_var(file, id, "o\u0302ther"));
  SV_MUST(sv_enddef(file));
  find_in(file, path);
  const int values[] = {5, 6};
  SV_MUST(sv_put_var(file, 0, SV_NO_RECORD, SV_INT, values, nullptr));
  SV_MUST(sv_close(file));
  file = open_file(io, path);
  find_in(file, path);
  char name[SV_MAX_NAME] = "";
  int attributes = 0;
  SV_MUST(sv_inq_var(file, 0, name, nullptr, nullptr, nullptr, &attributes));
  require(name == composed && attributes == 1, path + ": another name, or the attribute is there twice");
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  if (rank_in(MPI_COMM_WORLD) != 0 || store == "zarr") return;
  int of = -1, found = -1;
  for (const std::string &each : {decomposed, composed, std::string("o\u0302ther")}) {
    nc(nc_open(path.c_str(), NC_NOWRITE, &of), path);
    nc(nc_inq_varid(of, each.c_str(), &found), "nc_inq_varid in " + path);
    nc(nc_close(of), path);
  }
}

/// As netCDF-C would not write it: the bytes of a name are changed in the file.
void find_in_foreign_file() {
  const std::string path = "foreign.nc", stand_in(decomposed.size(), 'x');
  sv_context *const io = start(MPI_COMM_WORLD, {});
  int dim = -1, id = -1;
  sv_file *file = begin_file(io, path, SV_CLOBBER, {{stand_in, 2, &dim}}, {{stand_in, SV_INT, {stand_in}, &id}});
  SV_MUST(sv_put_att_text(file, id, stand_in.c_str(), "text"));
  for (int v = 0; v < 30; ++v) {  // so many that they are looked up in an index
    SV_MUST(sv_def_dim(file, ("\u6e29" + std::to_string(v)).c_str(), 2, &dim));
    SV_MUST(sv_def_var(file, ("\u6e29" + std::to_string(v)).c_str(), SV_INT, 1, &dim, &id));
  }
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  at_root([&] {
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (size_t at = 0; (at = bytes.find(stand_in, at)) != std::string::npos;)
      std::copy(decomposed.begin(), decomposed.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    std::ofstream(path, std::ios::binary) << bytes;
  });
  file = open_file(io, path);
  find_in(file, path);
  require(sv_inq_varid(file, "\u6e29a", &id) == SV_ENOTFOUND, "a variable is found that is not there");
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (const char *store : {"cdf", "netcdf4", "pnetcdf", "netcdf4_library", "zarr"})
    if (has_store(store)) define_and_find(store);
  find_in_foreign_file();
  MPI_Finalize();
  return 0;
}
