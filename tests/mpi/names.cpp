// The names of a file on the disk: other writers, other files under its name, links, and the length of a name.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
// run: ranks=4 limit=60 name=servers env=SV_ASYNC=servers:1
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;
namespace fs = std::filesystem;

constexpr const char *busy = "another program, or another file of this one, is writing";

struct Scene {
  sv_context *io, *other;
  MPI_Comm models;
  int rank;
  bool served;
};

/// What rank 0 does between two calls, before any rank makes the next.
void alone(const Scene &s, const std::function<void()> &action) {
  MPI_Barrier(s.models);
  if (s.rank == 0) action();
  MPI_Barrier(s.models);
}

/// `expect` is collective over all ranks, servers too.
void refused(const Scene &s, const std::string &name, const Verdict &verdict, const std::function<int()> &call) {
  if (!s.served) return expect(name, verdict, call);
  require(call() == verdict.status, name + ": " + sv_message());
}

sv_file *begun(sv_context *io, const std::string &path, int flags) {
  sv_file *file = begin_file(io, path, flags, {{"time", SV_UNLIMITED}}, {{"v", SV_INT, {"time"}}});
  return file;
}

int put_one(sv_file *file, int64_t record) {
  const int value = static_cast<int>(record) + 7;
  return sv_put_var(file, 0, record, SV_INT, &value, nullptr);
}

void write_records(sv_context *io, sv_file *file, int64_t first, int64_t last) {
  for (int64_t record = first; record < last; ++record) {
    SV_MUST(put_one(file, record));
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_flush(io, SV_WRITTEN));
}

void check(const std::string &path, int64_t records) {
  const NetcdfFile file(path);
  require(file.records() == records, path + " has " + std::to_string(file.records()) + " records");
  for (int64_t record = 0; record < records; ++record)
    require(file.values("v", {}, record).at(0) == static_cast<double>(record) + 7, path + " has other values");
}

void twice_in_one_context(const Scene &s) {
  sv_file *file = begun(s.io, "twice.nc", SV_PUBLISHED), *second = nullptr;
  const Verdict verdict{SV_EINUSE, {"twice.nc", "is being written", "sv_close"}};
  refused(s, "created twice", verdict, [&] { return sv_create(s.io, "./twice.nc", SV_GROWING, &second); });
  SV_MUST(sv_enddef(file));
  write_records(s.io, file, 0, 1);
  refused(s, "created twice, in data mode", verdict, [&] { return sv_create(s.io, "twice.nc", 0, &second); });
  refused(s, "opened while it is written", verdict, [&] { return sv_open(s.io, "twice.nc", SV_WRITE, &second); });
  SV_MUST(sv_close(file));
  file = begun(s.io, "twice.nc", SV_PUBLISHED);
  SV_MUST(sv_enddef(file));
  write_records(s.io, file, 0, 2);
  SV_MUST(sv_close(file));
  SV_MUST(sv_flush(s.io, SV_WRITTEN));
  alone(s, [] { check("twice.nc", 2); });
}

/// Another context stands for another job: a lock knows no difference.
void two_jobs(const Scene &s) {
  for (const int kind : {SV_PUBLISHED, SV_GROWING}) {
    const std::string path = kind == SV_PUBLISHED ? "jobs_published.nc" : "jobs_growing.nc";
    sv_file *first = begun(s.io, path, kind), *second = nullptr;
    SV_MUST(sv_enddef(first));
    write_records(s.io, first, 0, 2);
    second = begun(s.other, path, SV_PUBLISHED);
    expect("another job", {SV_EACCESS, {path, busy}}, [&] { return sv_enddef(second); });
    sv_close(second);
    if (kind == SV_GROWING) {
      expect("another job appends", {SV_EACCESS, {path, busy}},
             [&] { return sv_open(s.other, path.c_str(), SV_WRITE, &second); });
      second = open_file(s.other, path);
      SV_MUST(sv_close(second));
    }
    write_records(s.io, first, 2, 3);
    SV_MUST(sv_close(first));
    SV_MUST(sv_flush(s.io, SV_WRITTEN));
    alone(s, [&] { check(path, 3); });
    second = open_file(s.other, path, SV_WRITE);
    SV_MUST(put_one(second, 3));
    SV_MUST(sv_close(second));
    alone(s, [&] { check(path, 4); });
  }
}

/// The first call that can know of it returns the error: a commit, or with servers one of the next.
void expect_lost(const Scene &s, sv_file *file, const std::string &path, const std::string &mention) {
  int status = put_one(file, 2);
  if (status == SV_OK) status = sv_end_step(s.io);
  if (status == SV_OK) status = sv_flush(s.io, SV_WRITTEN);
  const std::string text = status == SV_OK ? "" : sv_message();
  require(status == SV_ENOTFOUND, path + ": " + sv_strerror(status) + ", " + text);
  for (const std::string &each : {path, mention})
    require(text.find(each) != std::string::npos, "'" + text + "' does not mention '" + each + "'");
  require(text.find(path + ".part'") == std::string::npos || mention == "another file" || mention == "removed",
          "'" + text + "' reports a name that is not there");
  require(sv_close(file) == SV_ENOTFOUND, path + " was closed as if it were there");
}

void lost(const Scene &s) {
  for (const int kind : {SV_PUBLISHED, SV_GROWING})
    for (const std::string mention : {"removed", "another file"}) {
      const std::string path = std::string("lost_") + std::to_string(kind) + mention.substr(0, 3) + ".nc",
                        place = kind == SV_PUBLISHED ? path + ".part" : path;
      sv_file *file = begun(s.io, path, kind);
      SV_MUST(sv_enddef(file));
      write_records(s.io, file, 0, 2);
      alone(s, [&] {
        require(fs::remove(place), "no " + place);
        if (mention == "another file") std::ofstream(place) << "somebody else's, of another length than ours";
      });
      expect_lost(s, file, path, mention);
      alone(s, [&] {
        if (mention == "another file")
          require(bytes_of_file(place).size() == 44, "somebody else's file was changed or removed");
        else
          require(!fs::exists(place), place + " is there again");
        require(!fs::exists(path + ".complete"), "a marker of a file that is not there");
      });
    }
}

void no_file(const Scene &s) {
  alone(s, [] {
    require(mkfifo("pipe.nc", 0600) == 0 && mkfifo("left.nc.part", 0600) == 0, "no pipes here");
    fs::create_directory("folder.nc");
  });
  sv_file *file = nullptr;
  expect("a pipe has the name", {SV_EACCESS, {"pipe.nc", "a pipe or a device"}},
         [&] { return sv_create(s.io, "pipe.nc", 0, &file); });
  expect("a device has the name", {SV_EACCESS, {"/dev/null", "a pipe or a device"}},
         [&] { return sv_create(s.io, "/dev/null", SV_GROWING, &file); });
  expect("a directory has the name", {SV_EACCESS, {"folder.nc", "directory"}},
         [&] { return sv_create(s.io, "folder.nc", 0, &file); });
  expect("a pipe is read", {SV_EFORMAT, {"pipe.nc", "a pipe or a device"}},
         [&] { return sv_open(s.io, "pipe.nc", SV_NOWRITE, &file); });
  file = begun(s.io, "left.nc", 0);
  int status = sv_enddef(file);
  if (status == SV_OK) status = sv_flush(s.io, SV_WRITTEN);
  require(status == SV_EACCESS && std::string(sv_message()).find("left.nc.part") != std::string::npos,
          std::string("a pipe named left.nc.part: ") + sv_message());
  sv_close(file);
  alone(s, [] {
    for (const char *name : {"pipe.nc", "left.nc.part"}) require(fs::is_fifo(name), std::string(name) + " is gone");
  });
}

/// netCDF writes through a link: so do we, and our other files are next to the link's target.
void links(const Scene &s) {
  for (const int kind : {SV_PUBLISHED, SV_GROWING}) {
    const std::string path = "linked_" + std::to_string(kind) + ".nc", target = "elsewhere/" + path;
    alone(s, [&] {
      fs::create_directory("elsewhere");
      for (const char *victim : {"victim.part", "victim.complete", "victim.header"})
        std::ofstream(victim) << "of another user";
      fs::create_symlink(fs::absolute(target), "hop_" + path);
      fs::create_symlink("hop_" + path, path);  // to a link, to a file that does not exist yet
      fs::create_symlink(fs::absolute("victim.part"), target + ".part");
      fs::create_symlink(fs::absolute("victim.complete"), target + ".complete");
      fs::create_symlink(fs::absolute("victim.header"), target + ".header");
    });
    for (const int round : {0, 1}) {
      sv_file *file = begun(s.io, path, kind);
      SV_MUST(sv_enddef(file));
      write_records(s.io, file, 0, 2 + round);
      if (kind == SV_GROWING) {
        SV_MUST(sv_redef(file));
        SV_MUST(sv_put_att_text(file, SV_GLOBAL, "history", "redefined"));
        SV_MUST(sv_enddef(file));
      }
      SV_MUST(sv_close(file));
      SV_MUST(sv_flush(s.io, SV_WRITTEN));
      alone(s, [&] {
        require(fs::is_symlink(path) && fs::is_symlink("hop_" + path), "the link was replaced");
        require(fs::is_regular_file(fs::symlink_status(target)), "nothing was written where the link leads to");
        check(path, 2 + round);
        require(fs::exists(target + ".complete") == (kind == SV_GROWING), "the marker does not stand beside the file");
        for (const char *victim : {"victim.part", "victim.complete", "victim.header"})
          require(bytes_of_file(victim).size() == 15, std::string(victim) + " was written through a link");
      });
    }
    sv_file *file = nullptr;
    expect("a link, and SV_NOCLOBBER", {SV_EEXISTS, {path}},
           [&] { return sv_create(s.io, path.c_str(), kind | SV_NOCLOBBER, &file); });
  }
  if (geteuid() != 0) return;
  alone(s, [] {
    fs::create_directory("everybodys");
    fs::permissions("everybodys", fs::perms::all | fs::perms::sticky_bit);
    std::ofstream("precious") << "of root";
    fs::create_symlink(fs::absolute("precious"), "everybodys/trap.nc");
    require(lchown("everybodys/trap.nc", 65534, 65534) == 0, "cannot give a link away");
  });
  sv_file *file = nullptr;
  expect("a link of another user in a directory of everybody",
         {SV_EACCESS, {"trap.nc", "symbolic link of another user"}},
         [&] { return sv_create(s.io, "everybodys/trap.nc", 0, &file); });
  alone(s, [] { require(bytes_of_file("precious").size() == 7, "it was written through the link"); });
}

void lengths(const Scene &s) {
  for (const int kind : {SV_PUBLISHED, SV_GROWING}) {
    for (const size_t length : {241, 250, 255, 256, 1000}) {
      sv_file *file = nullptr;
      const std::string name(length, 'n');
      expect("a name of " + std::to_string(length) + " bytes",
             {SV_EINVAL, {std::to_string(length) + " bytes", "240 are possible"}},
             [&] { return sv_create(s.io, name.c_str(), kind, &file); });
    }
    const std::string name(240, kind == SV_GROWING ? 'g' : 'p');
    sv_file *file = begun(s.io, name, kind);
    SV_MUST(sv_enddef(file));
    write_records(s.io, file, 0, 1);
    SV_MUST(sv_redef(file));
    SV_MUST(sv_put_att_text(file, SV_GLOBAL, "history", "redefined"));
    SV_MUST(sv_enddef(file));
    write_records(s.io, file, 1, 2);
    SV_MUST(sv_close(file));
    SV_MUST(sv_flush(s.io, SV_WRITTEN));
    alone(s, [&] { check(name, 2); });
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (rank_in(MPI_COMM_WORLD) == 0) {  // links and pipes of an earlier run would be in the way
    fs::remove_all("names");
    fs::create_directory("names");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  fs::current_path("names");
  Scene s{start(MPI_COMM_WORLD, {"transport.window=1MiB"}), nullptr, MPI_COMM_NULL, 0,
          std::getenv("SV_ASYNC") != nullptr};
  s.models = model_ranks(s.io);
  if (s.models != MPI_COMM_NULL) {
    s.rank = rank_in(s.models);
    twice_in_one_context(s);
    if (!s.served) {
      s.other = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
      two_jobs(s);
      SV_MUST(sv_finalize(s.other));
      no_file(s);
      links(s);
      lengths(s);
    }
    lost(s);
  }
  const int status = sv_finalize(s.io);  // a server returns the errors of its writes
  require(status == SV_OK || (s.models == MPI_COMM_NULL && status == SV_ENOTFOUND),
          std::string("sv_finalize: ") + sv_message());
  return MPI_Finalize();
}
