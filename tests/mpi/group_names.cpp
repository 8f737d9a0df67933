// Foreign files in the directory of a Zarr group, or next to it: they are never written, removed or followed, and the
// error names the remedy. Files of a group are removed. Permissions of metadata stay.
// run: ranks=2 limit=60
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "support/files.hpp"

namespace {

using namespace svtest;
namespace fs = std::filesystem;

bool is_first() { return rank_in(MPI_COMM_WORLD) == 0; }

void make_file(const std::string &path, const std::string &text = "a user's") {
  if (const fs::path above = fs::path(path).parent_path(); !above.empty()) fs::create_directories(above);
  std::ofstream(path) << text;
}

/// On the first rank, which makes and removes it; true elsewhere.
bool has(const std::string &path) { return !is_first() || fs::exists(fs::symlink_status(path)); }
bool has_not(const std::string &path) { return !is_first() || !has(path); }

/// A growing group of two variables, with a record for each value.
int create(sv_context *io, const std::string &path, const std::vector<int> &values, int flags = SV_GROWING) {
  sv_file *file = nullptr;
  int ids[2];
  int status = sv_create(io, path.c_str(), flags, &file);
  if (status != SV_OK) return status;
  define(file, {{"time", SV_UNLIMITED}, {"x", 1}},
         {{"v", SV_INT, {"time", "x"}, &ids[0]}, {"w", SV_INT, {"time", "x"}, &ids[1]}});
  status = sv_enddef(file);
  for (size_t record = 0; status == SV_OK && record < values.size(); ++record) {
    for (const int id : ids)
      SV_MUST(sv_put_var(file, id, static_cast<int64_t>(record), SV_INT, &values[record], nullptr));
    SV_MUST(sv_end_step(io));
  }
  const std::string message = status == SV_OK ? "" : sv_message();
  const int closed = sv_close(file);
  require(status != SV_OK || closed == SV_OK, std::string("closing: ") + sv_message());
  if (status != SV_OK) require(!message.empty(), "an error without a text");
  return status;
}

void check_refused(int status, int expected, const std::vector<std::string> &parts) {
  const std::string message = sv_message();
  require(status == expected, "the status is " + std::string(sv_strerror(status)) + ": " + message);
  for (const std::string &part : parts)
    require(message.find(part) != std::string::npos, "'" + part + "' is not in the error: " + message);
}

void check_first(sv_context *io, const std::string &path, int value) {
  int found = 0;
  sv_file *file = open_file(io, path);
  SV_MUST(sv_get_var(file, 0, 0, SV_INT, &found, nullptr));
  SV_MUST(sv_close(file));
  require(found == value, path + " has " + std::to_string(found));
}

/// A record that does not count, the directory of a variable and the files to be replaced lead elsewhere.
void follows_no_link(sv_context *io) {
  for (const std::string place : {"v/c/7", "v/c/0/0.part", "v/zarr.json.part", "w"}) {
    SV_MUST(create(io, "links.zarr", {1, 2}));
    at_root([&] {
      fs::remove_all("elsewhere");
      make_file("elsewhere/0/0");
      make_file("elsewhere/c/5/0");
      make_file("elsewhere/c/0.part");
      make_file("elsewhere/x.part");
      if (place == "w") fs::rename("links.zarr/w", "elsewhere/w");
      fs::create_directory_symlink(fs::absolute(place == "w" ? "elsewhere/w" : "elsewhere/0"), "links.zarr/" + place);
    });
    sv_file *file = nullptr;
    const int status = sv_open(io, "links.zarr", SV_WRITE, &file);
    require(place != "w" || status != SV_OK, "a link in place of a variable was followed");
    if (status != SV_OK) check_refused(status, SV_EACCESS, {"links.zarr", "symbolic link", "sv-copy"});
    if (status == SV_OK) SV_MUST(sv_close(file));
    for (const char *kept : {"0/0", "c/5/0", "c/0.part", "x.part"})
      require(has(std::string("elsewhere/") + kept), std::string(kept) + " was removed through " + place);
    check_first(io, "links.zarr", 1);
    at_root([] { fs::remove_all("links.zarr"); });
  }
}

/// Of a run that was killed: it goes. Of anybody else: it stays.
void keeps_what_is_next_to_it(sv_context *io) {
  SV_MUST(create(io, "next.zarr", {1}));
  for (const std::string ending : {".part", ".gone"}) {
    at_root([&] { fs::copy("next.zarr", "next.zarr" + ending, fs::copy_options::recursive); });
    SV_MUST(create(io, "next.zarr", {2}));
    require(has_not("next.zarr" + ending), "what a kill has left at '" + ending + "' is there");
    at_root([&] { make_file("next.zarr" + ending + "/notes/thesis.txt"); });
    check_refused(create(io, "next.zarr", {3}), SV_EACCESS, {"next.zarr" + ending, "'notes/'", "Move it"});
    sv_file *file = nullptr;
    check_refused(sv_open(io, "next.zarr", SV_WRITE, &file), SV_EACCESS, {"next.zarr" + ending, "'notes/'"});
    require(has("next.zarr" + ending + "/notes/thesis.txt"), "what a user keeps at '" + ending + "' was removed");
    at_root([&] {
      fs::remove_all("next.zarr" + ending);
      make_file("next.zarr" + ending, "a user's file, of no format");
    });
    check_refused(create(io, "next.zarr", {3}), SV_EACCESS, {"next.zarr" + ending, "Move it"});
    at_root([&] { fs::remove_all("next.zarr" + ending); });
  }
  check_first(io, "next.zarr", 2);
}

void keeps_what_is_inside(sv_context *io) {
  SV_MUST(create(io, "inside.zarr", {1}));
  for (const std::string place : {"README.md", "v/c/0/plot.png", "analysis/run.py"}) {
    at_root([&] { make_file("inside.zarr/" + place); });
    check_refused(create(io, "inside.zarr", {2}), SV_EACCESS,
                  {"inside.zarr", place == "analysis/run.py" ? "'analysis/'" : place, "Move it"});
    require(has("inside.zarr/" + place), place + " was removed");
    at_root([&] { fs::remove_all("inside.zarr/" + (place == "analysis/run.py" ? "analysis" : place)); });
  }
  at_root([] { fs::create_symlink("/etc/hostname", "inside.zarr/v/c/9"); });
  check_refused(create(io, "inside.zarr", {2}), SV_EACCESS, {"'v/c/9'"});
  at_root([] { fs::remove("inside.zarr/v/c/9"); });
  check_first(io, "inside.zarr", 1);
  at_root([] {  // as zarr-python leaves it, with a group inside
    make_file("inside.zarr/more/zarr.json", R"({"zarr_format":3,"node_type":"group"})");
    make_file("inside.zarr/more/0/zarr.json");
    make_file("inside.zarr/more/0/c/1/2");
    make_file("inside.zarr/old/.zarray");
    make_file("inside.zarr/old/0.1");
    make_file("inside.zarr/v/zarr.0123456789abcdef0123456789abcdef.partial");
  });
  SV_MUST(create(io, "inside.zarr", {2}));
  check_first(io, "inside.zarr", 2);
  require(has_not("inside.zarr/more") && has_not("inside.zarr.gone"), "something of the old group is left over");
}

void keeps_permissions(sv_context *io) {
  SV_MUST(create(io, "private.zarr", {1}));
  at_root([] { chmod("private.zarr/zarr.json", 0600); });
  sv_file *file = open_file(io, "private.zarr", SV_WRITE);
  SV_MUST(sv_close(file));
  struct stat status {};
  require(stat("private.zarr/zarr.json", &status) == 0 && (status.st_mode & 0777U) == 0600,
          "metadata are for all to read");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (has_store("zarr")) {
    sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "store=zarr"});
    at_root([] {
      for (const char *name : {"links.zarr", "next.zarr", "inside.zarr", "private.zarr"})
        for (const char *ending : {"", ".part", ".gone", ".complete"}) fs::remove_all(std::string(name) + ending);
    });
    follows_no_link(io);
    keeps_what_is_next_to_it(io);
    keeps_what_is_inside(io);
    keeps_permissions(io);
    SV_MUST(sv_finalize(io));
  }
  return MPI_Finalize();
}
