// The users of a file that replaces another one, in every store: they stay the same; a protected file is not replaced;
// with SV_NOCLOBBER, a file that gets the name first keeps it.
// run: ranks=2 limit=120 sanitize=no
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/check.hpp"
#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;
namespace fs = std::filesystem;

constexpr uid_t another_user = 65534;
constexpr const char *access_list = "system.posix_acl_access";

struct Scene {
  sv_context *io;
  std::string store;
  bool is_folder() const { return store == "zarr"; }
};

struct stat status_of(const std::string &path) {
  struct stat found {};
  require(::lstat(path.c_str(), &found) == 0, "cannot look at " + path);
  return found;
}

unsigned bits_of(const std::string &path) { return status_of(path).st_mode & 07777U; }

std::string in_octal(unsigned bits) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%o", bits);
  return text.data();
}

/// The status of sv_close. Rank 0 calls `meanwhile` before the file is closed.
int write_file(
    sv_context *io, const std::string &path, int flags, const std::function<void()> &meanwhile = [] {}) {
  int v = -1;
  sv_file *file = make_file(io, path, flags, {{"time", SV_UNLIMITED}, {"x", 4}}, {{"v", SV_INT, {"time", "x"}, &v}});
  at_root(meanwhile);
  const std::array<int, 4> values{1, 2, 3, 4};
  SV_MUST(sv_put_var(file, v, 0, SV_INT, values.data(), nullptr));
  return sv_close(file);
}

void check_values(sv_context *io, const std::string &path) {
  std::array<int, 4> values{};
  sv_file *file = open_file(io, path);
  SV_MUST(sv_get_var(file, 0, 0, SV_INT, values.data(), nullptr));
  require(values == std::array<int, 4>{1, 2, 3, 4}, path + " has other values");
  SV_MUST(sv_close(file));
}

/// Of no others, also while the new file is written.
void modes_stay(const Scene &s) {
  for (const int kind : {SV_PUBLISHED, SV_GROWING})
    for (const unsigned bits : s.is_folder() ? std::array{0700U, 02770U} : std::array{0600U, 0660U}) {
      const std::string path = s.store + std::to_string(kind) + "_mode";
      require(write_file(s.io, path, kind) == SV_OK, sv_message());
      at_root([&] { require(::chmod(path.c_str(), bits) == 0, "cannot set the mode of " + path); });
      const auto look_at_part = [&] {
        const unsigned found = bits_of(path + ".part");
        require((found & 07U) == 0, path + ".part has mode " + in_octal(found));
      };
      require(write_file(s.io, path, kind, look_at_part) == SV_OK, sv_message());
      at_root([&] {
        require(bits_of(path) == bits, s.store + ": a file of mode " + in_octal(bits) +
                                           " was replaced by one of mode " + in_octal(bits_of(path)));
      });
      check_values(s.io, path);
    }
}

/// A header that does not fit its reserve moves the file.
void redefinition_keeps(const Scene &s) {
  if (s.store != "cdf") return;
  require(write_file(s.io, "redefined.nc", 0) == SV_OK, sv_message());
  at_root([] { require(::chmod("redefined.nc", 0600) == 0, "cannot set the mode"); });
  sv_file *file = open_file(s.io, "redefined.nc", SV_WRITE);
  SV_MUST(sv_redef(file));
  SV_MUST(sv_put_att_text(file, SV_GLOBAL, "history", std::string(100000, 'h').c_str()));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  at_root([] {
    require(bits_of("redefined.nc") == 0600, "the redefined file has mode " + in_octal(bits_of("redefined.nc")));
  });
}

/// POSIX' form in a file system: a version, then (tag, rights, whom) for the owner, one user, the group, the mask,
/// others.
std::vector<unsigned char> list_for_one_user() {
  std::vector<unsigned char> list{2, 0, 0, 0};
  const auto add = [&list](unsigned char tag, unsigned char rights, uint32_t whom) {
    list.insert(list.end(), {tag, 0, rights, 0});
    for (int shift = 0; shift < 32; shift += 8) list.push_back(static_cast<unsigned char>(whom >> shift));
  };
  const uint32_t nobody = UINT32_MAX;
  add(1, 7, nobody), add(2, 4, 1234), add(4, 0, nobody), add(16, 4, nobody), add(32, 0, nobody);
  return list;
}

void lists_stay(const Scene &s) {
  const std::string path = s.store + "_list";
  require(write_file(s.io, path, 0) == SV_OK, sv_message());
  const std::vector<unsigned char> list = list_for_one_user();
  int has_lists = 0;
  if (rank_in(MPI_COMM_WORLD) == 0) has_lists = ::setxattr(path.c_str(), access_list, list.data(), list.size(), 0) == 0;
  MPI_Bcast(&has_lists, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (has_lists == 0) return;
  require(write_file(s.io, path, 0) == SV_OK, sv_message());
  at_root([&] {
    std::vector<unsigned char> found(256);
    const ssize_t bytes = ::getxattr(path.c_str(), access_list, found.data(), found.size());
    found.resize(static_cast<size_t>(std::max<ssize_t>(bytes, 0)));
    require(found == list, s.store + ": the access control list is lost");
  });
}

void owners_stay(const Scene &s) {
  if (::geteuid() != 0) return;
  const std::string path = s.store + "_owner";
  require(write_file(s.io, path, 0) == SV_OK, sv_message());
  at_root([&] { require(::chown(path.c_str(), another_user, another_user) == 0, "cannot give a file away"); });
  require(write_file(s.io, path, 0) == SV_OK, sv_message());
  at_root([&] {
    const struct stat found = status_of(path);
    require(found.st_uid == another_user && found.st_gid == another_user, s.store + ": the file has another owner");
  });
}

/// Of root, for whom no file is protected. Another user may then do less than it could before.
class OfAnotherUser {
 public:
  OfAnotherUser() { become(another_user); }
  ~OfAnotherUser() { become(0); }

 private:
  static void become(uid_t user) {
    require(::seteuid(user) == 0, "cannot become another user");
    ::prctl(PR_SET_DUMPABLE, 1);  // ranks open each other's memory
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

void protected_files_stay(const Scene &s) {
  const std::string path = s.store + "_protected";
  require(write_file(s.io, path, 0) == SV_OK, sv_message());
  at_root([&] { require(::chmod(path.c_str(), s.is_folder() ? 0555 : 0444) == 0, "cannot set the mode of " + path); });
  const auto try_to_replace = [&] {
    sv_file *file = nullptr;
    expect(s.store + ": a protected file", {SV_EACCESS, {path, "may not write it"}},
           [&] { return sv_create(s.io, path.c_str(), 0, &file); });
  };
  if (::geteuid() != 0) return try_to_replace();
  {
    const OfAnotherUser user;
    try_to_replace();
  }
  check_values(s.io, path);
  require(write_file(s.io, path, 0) == SV_OK, sv_message());  // root may
  at_root(
      [&] { require((bits_of(path) & 0222U) == 0, s.store + ": a protected file was replaced by one that is not"); });
}

void names_are_not_taken(const Scene &s) {
  const std::string words = "somebody else's results";
  for (const int kind : {SV_PUBLISHED, SV_GROWING}) {
    const std::string path = s.store + std::to_string(kind) + "_new";
    const int status = write_file(s.io, path, kind | SV_NOCLOBBER, [&] { std::ofstream(path) << words; });
    const std::string text = status == SV_OK ? "" : sv_message();
    require(status == SV_EEXISTS, path + ": sv_close returned " + sv_strerror(status) + ", " + text);
    require(text.find(path + ".part") != std::string::npos, "'" + text + "' does not say where the data are");
    at_root([&] {
      std::string found;
      std::getline(std::ifstream(path), found);
      require(found == words, path + " was replaced");
      fs::remove(path);
      fs::rename(path + ".part", path);
    });
    check_values(s.io, path);
    require(write_file(s.io, path + "_free", kind | SV_NOCLOBBER) == SV_OK, sv_message());
    check_values(s.io, path + "_free");
  }
}

std::string content_of(const std::string &path) {
  std::stringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/// Of a commit that makes one file of another that is as long, as the store keeps it (src/store/journal.cpp).
std::string journal_of(const std::string &before, const std::string &after) {
  require(before.size() == after.size() && before != after, "the two files do not differ as they should");
  const auto first = std::mismatch(before.begin(), before.end(), after.begin()).first - before.begin();
  const auto last = before.rend() - std::mismatch(before.rbegin(), before.rend(), after.rbegin()).first;
  const auto text = [](auto number) { return std::string(reinterpret_cast<const char *>(&number), sizeof number); };
  const auto part = [&](const std::string &of) {
    return of.substr(static_cast<size_t>(first), static_cast<size_t>(last - first));
  };
  const std::string body = text(std::ssize(before)) + text(static_cast<int64_t>(first)) +
                           text(static_cast<int64_t>(last - first)) + part(before) + part(after);
  uint64_t sum = 0xcbf29ce484222325U;
  for (const char each : body) sum = (sum ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return "SVJRNL01" + text(static_cast<int64_t>(body.size())) + text(sum) + body;
}

void write_titled(sv_context *io, const std::string &path, const std::string &title) {
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, path.c_str(), 0, &file));
  SV_MUST(sv_put_att_text(file, SV_GLOBAL, "title", title.c_str()));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
}

std::string title_of(sv_context *io, const std::string &path) {
  std::string title(8, ' ');
  sv_file *file = open_file(io, path);
  SV_MUST(sv_get_att(file, SV_GLOBAL, "title", SV_CHAR, title.data()));
  SV_MUST(sv_close(file));
  return title;
}

/// A reader writes nothing, and trusts only the file's owner, root and itself; so does a writer.
void journals_have_owners(const Scene &s) {
  if (s.store != "netcdf4") return;
  const std::string path = "journalled", journal = path + ".journal", before = "AsItWas!", after = "AsItIs!!";
  sv_file *file = nullptr;
  write_titled(s.io, path, before);
  write_titled(s.io, path + "_then", after);
  const auto has = [&](const std::string &title) { return content_of(path).find(title) != std::string::npos; };
  at_root(
      [&] { std::ofstream(journal, std::ios::binary) << journal_of(content_of(path), content_of(path + "_then")); });
  require(title_of(s.io, path) == after, "a reader finds '" + title_of(s.io, path) + "' next to a journal");
  at_root([&] { require(has(before) && fs::exists(journal), "a reader has written into the file"); });
  if (::geteuid() == 0) {
    at_root([&] { require(::chown(journal.c_str(), another_user, another_user) == 0, "cannot give a file away"); });
    require(title_of(s.io, path) == before, "another user's journal was believed");
    expect("another user's journal", {SV_EACCESS, {path, journal, "another user"}},
           [&] { return sv_open(s.io, path.c_str(), SV_WRITE, &file); });
    at_root([&] {
      require(has(before), "another user's journal was written into the file");
      require(::chown(journal.c_str(), 0, 0) == 0, "cannot take a file back");
    });
  }
  file = open_file(s.io, path, SV_WRITE);
  SV_MUST(sv_close(file));
  at_root([&] { require(has(after) && !fs::exists(journal), "a writer did not complete the commit"); });
  require(title_of(s.io, path) == after, "the completed file has another title");
}

void of_store(const std::string &store) {
  const Scene s{start(MPI_COMM_WORLD, {"store=" + store, "transport.window=1MiB"}), store};
  sv_file *file = nullptr;
  const int status = sv_create(s.io, "probe", 0, &file);
  if (status == SV_OK) {
    SV_MUST(sv_abort(file));
    modes_stay(s);
    redefinition_keeps(s);
    lists_stay(s);
    owners_stay(s);
    protected_files_stay(s);
    names_are_not_taken(s);
    journals_have_owners(s);
  } else {
    require(status == SV_ECOMPILED, sv_message());
  }
  SV_MUST(sv_finalize(s.io));
}

/// Makes a file as a run that is still writing it has it.
void begin_writing(const std::string &path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0644);
  struct flock lock {};
  lock.l_type = F_WRLCK, lock.l_start = INT64_MAX - 1, lock.l_len = 1;
  require(file >= 0 && fcntl(file, F_OFD_SETLK, &lock) == 0, "cannot lock a file");
}

/// A file that another user is writing is not removed, though its directory permits this.
void others_go_on_writing() {
  at_root([] { begin_writing("shared.nc.part"); });
  sv_context *const io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  require(seteuid(another_user) == 0, "cannot become another user");
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, "shared.nc", SV_CLOBBER, &file));
  const int status = sv_enddef(file);
  require(status == SV_EACCESS, std::string("sv_enddef over a file that is written: ") + sv_strerror(status));
  sv_close(file);
  require(seteuid(0) == 0, "cannot become root again");
  at_root([] { require(fs::exists("shared.nc.part"), "what another user was writing is gone"); });
  SV_MUST(sv_finalize(io));
}

/// A group does not take the place of a file that is written.
void written_files_stay() {
  at_root([] { begin_writing("written"); });
  sv_context *const io = start(MPI_COMM_WORLD, {"store=zarr", "transport.window=1MiB"});
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, "written", SV_CLOBBER, &file));
  const int status = sv_enddef(file);
  require(status == SV_EACCESS, std::string("a group over a file that is written: ") + sv_strerror(status));
  sv_close(file);
  at_root([] { require(fs::is_regular_file("written"), "a file that was written is gone"); });
  SV_MUST(sv_finalize(io));
}

/// Nor does a set of Zarr pieces take the place of a group; it is refused before anything is written.
void groups_stay() {
  sv_context *io = start(MPI_COMM_WORLD, {"store=zarr", "transport.window=1MiB"});
  require(write_file(io, "group.zarr", SV_CLOBBER) == SV_OK, sv_message());
  SV_MUST(sv_finalize(io));
  io = start(MPI_COMM_WORLD, {"store=zarr", "route=per_pe", "transport.window=1MiB"});
  sv_file *file = nullptr;
  require(sv_create(io, "group.zarr", SV_CLOBBER, &file) == SV_EACCESS, "a group is to be replaced by a set");
  check_values(io, "group.zarr");
  SV_MUST(sv_finalize(io));
}

/// Each piece of a set has a name, and so has the set.
void sets_are_not_replaced() {
  sv_context *const io = start(MPI_COMM_WORLD, {"route=per_pe", "transport.window=1MiB"});
  const int64_t shape = 4, count = shape / size_of(MPI_COMM_WORLD), first = rank_in(MPI_COMM_WORLD) * count;
  sv_decomp *rows = nullptr;
  SV_MUST(sv_def_decomp(io, 1, &shape, &first, &count, nullptr, &rows));
  for (const std::string ending : {"", ".0000", ".0001"}) {
    const std::string path = "set" + ending + ".nc", taken = path + ending;
    int v = -1;
    sv_file *file = make_file(io, path, SV_NOCLOBBER, {{"x", shape}}, {{"v", SV_INT, {"x"}, &v}});
    at_root([&] { std::ofstream(taken) << "mine"; });
    const std::array<int, 4> values{1, 2, 3, 4};
    SV_MUST(sv_put(file, v, rows, SV_NO_RECORD, SV_INT, values.data(), nullptr));
    const int status = sv_close(file);
    require(status == SV_EEXISTS, taken + ": sv_close returned " + sv_strerror(status));
    at_root([&] { require(fs::file_size(taken) == 4, taken + " was replaced"); });
  }
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  at_root([] {
    fs::remove_all("rights");
    fs::create_directory("rights");
    fs::permissions("rights", fs::perms::all);
  });
  fs::current_path("rights");
  for (const std::string store : {"cdf", "pnetcdf", "netcdf4", "netcdf4_library", "zarr"}) of_store(store);
  sets_are_not_replaced();
  if (geteuid() == 0) others_go_on_writing();
  if (has_store("zarr")) written_files_stay();
  if (has_store("zarr")) groups_stay();
  return MPI_Finalize();
}
