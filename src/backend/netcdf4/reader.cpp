#include "backend/netcdf4/reader.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/error.hpp"
#include "store/cdf_places.hpp"
#include "store/journal.hpp"
#include "store/positional_file.hpp"

extern char **environ;

namespace sv::netcdf4 {

namespace {

constexpr int64_t most_header_bytes = int64_t{64} << 20, most_chunk_bytes = int64_t{64} << 20;

std::string program() {
  Dl_info here{};
  dladdr(reinterpret_cast<const void *>(&program), &here);
  return (std::filesystem::absolute(here.dli_fname == nullptr ? "." : here.dli_fname).parent_path() / reader_program)
      .string();
}

Error impossible(const std::string &what) {
  return Error(Status::format, "HDF5 reports " + what + ", which is impossible",
               "The file is damaged, or made to do harm");
}

/// This process's environment, without variables that load libraries into the helper, or make HDF5 load some there.
std::vector<char *> surroundings() {
  static constexpr std::array<std::string_view, 5> left_out{"LD_PRELOAD=", "LD_AUDIT=", "HDF5_PLUGIN_",
                                                            "HDF5_DRIVER=", "HDF5_VOL_"};
  std::vector<char *> all;
  for (char **each = environ; *each != nullptr; ++each)
    if (std::ranges::none_of(left_out,
                             [each](std::string_view name) { return std::string_view(*each).starts_with(name); }))
      all.push_back(*each);
  all.push_back(nullptr);
  return all;
}

/// Numbers as `encode` makes them, of variables that these could be.
void check_storages(std::span<const int64_t> numbers, const Schema &schema, int64_t file_bytes) {
  size_t at = 0;
  const auto next = [&] {
    if (at == numbers.size()) throw impossible("fewer variables than there are");
    return numbers[at++];
  };
  for (const Variable &each : schema.variables) {
    const int64_t kind = next(), place = next(), dims = next(), filters = next(), swapped = next();
    const bool has_chunks =
        kind == static_cast<int64_t>(Storage::Kind::plain) || kind == static_cast<int64_t>(Storage::Kind::filtered);
    const bool grows = kind == static_cast<int64_t>(Storage::Kind::contiguous) && each.has_records;
    if (kind < 0 || kind > static_cast<int64_t>(Storage::Kind::foreign) || grows || place < -1 || place > file_bytes ||
        filters < 0 || filters > 32 || swapped < 0 || swapped > 1 || dims != (has_chunks ? std::ssize(each.dims) : 0))
      throw impossible("a storage of '" + each.name + "'");
    int64_t bytes = size_of(each.type);
    for (int64_t d = 0; d < dims; ++d) {
      const int64_t length = next();
      if (length < 1 || length > most_chunk_bytes / bytes)
        throw Error(Status::limit, "chunks of more than " + std::to_string(most_chunk_bytes >> 20) + " MiB",
                    "Read the file without 'reading.untrusted' if you know who has made it")
            .in_variable(each.name);
      bytes *= length;
    }
    for (int64_t f = 0; f < filters; ++f) {
      if (!is_known(static_cast<FilterKind>(next()))) throw impossible("a filter of '" + each.name + "'");
      next();
      if (next() != 0) throw impossible("parameters of a filter of '" + each.name + "'");
    }
  }
  if (at != numbers.size()) throw impossible("more variables than there are");
}

std::vector<int64_t> numbers_of(const std::vector<std::byte> &bytes) {
  std::vector<int64_t> numbers(bytes.size() / sizeof(int64_t));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(int64_t));
  return numbers;
}

}  // namespace

ReaderProcess::ReaderProcess(const std::string &path, Trust trust) : path_(path), trust_(trust) {
  const PositionalFile file(path, PositionalFile::Mode::read);
  file_bytes_ = file.size();
  start();
}

ReaderProcess::~ReaderProcess() { stop(); }

/// No fork, which libraries of MPI do not like: a program is started.
void ReaderProcess::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw system_error(errno, "no socket for the helper that reads it", path_);
  socket_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = program(), path = path_, trusted = trusted_word;
  const bool is_trusted = trust_ == Trust::trusted;
  const std::array<char *, 4> arguments{name.data(), path.data(), is_trusted ? trusted.data() : nullptr, nullptr};
  std::vector<char *> variables = surroundings();
  const int failed = posix_spawn(&helper_, name.c_str(), &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed == 0) return;
  helper_ = -1;
  stop();
  throw system_error(failed, "cannot start '" + name + "', which reads it", path_);
}

void ReaderProcess::stop() noexcept {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (helper_ < 0) return;
  ::kill(helper_, SIGKILL);
  while (::waitpid(helper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  helper_ = -1;
}

/// The helper has ended, or is ended now: then its own end is the one that counts.
Error ReaderProcess::lost(bool late) {
  int status = 0;
  if (helper_ >= 0) ::kill(helper_, SIGKILL);
  if (helper_ >= 0 && ::waitpid(helper_, &status, 0) == helper_) helper_ = -1;
  stop();
  const bool timed_out = late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
  const std::string how = timed_out ? "needs more than " + std::to_string(helper_seconds) + " s to read it"
                          : WIFSIGNALED(status)
                              ? "crashes when it reads it (" + std::string(strsignal(WTERMSIG(status))) + ")"
                              : "cannot read it";
  return Error(Status::format, "HDF5 " + how, "The file is damaged, or made to do harm; take another copy");
}

void ReaderProcess::receive(std::span<std::byte> to, Time until) {
  while (!to.empty()) {
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    pollfd waits{socket_, POLLIN, 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(std::max<int64_t>(rest, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) throw lost(true);
    const ssize_t got = ::recv(socket_, to.data(), to.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw lost(false);
    to = to.subspan(static_cast<size_t>(got));
  }
}

std::vector<std::byte> ReaderProcess::ask(const Question &question, const std::vector<int64_t> &numbers,
                                          int64_t most_bytes) {
  if (socket_ < 0) throw Error(Status::format, "HDF5 could not read it before", "Take another copy of the file");
  const auto send_all = [&](const void *from, size_t bytes) {
    for (const auto *at = static_cast<const char *>(from); bytes > 0;) {
      const ssize_t sent = ::send(socket_, at, bytes, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) throw lost(false);
      at += sent;
      bytes -= static_cast<size_t>(sent);
    }
  };
  const Time until = std::chrono::steady_clock::now() + std::chrono::seconds(helper_seconds + 5);
  send_all(&question, sizeof question);
  send_all(numbers.data(), numbers.size() * sizeof(int64_t));
  Answer head{};
  receive(std::as_writable_bytes(std::span(&head, 1)), until);
  constexpr int64_t most_text = 4096;
  if (head.bytes < 0 || head.bytes > (head.status == 0 ? most_bytes : most_text)) throw impossible("too much");
  std::vector<std::byte> bytes(static_cast<size_t>(head.bytes));
  receive(bytes, until);
  if (head.status == 0) return bytes;
  const auto status = static_cast<Status>(head.status);
  const bool is_kept = status == Status::limit || status == Status::not_found || status == Status::access;
  throw Error::from_remote(is_kept ? status : Status::format,
                           {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

Schema ReaderProcess::schema() {
  std::array<int64_t, 3> first{};
  const std::vector<std::byte> bytes = ask({Ask::schema, 0, 0}, {}, most_header_bytes + std::ssize(first) * 8);
  if (bytes.size() < sizeof first) throw impossible("no definitions");
  std::memcpy(first.data(), bytes.data(), sizeof first);
  const auto format = static_cast<Format>(first[0]);
  const std::span rest = std::span(bytes).subspan(sizeof first);
  if (!is_netcdf4(format) || first[1] < 0 || first[2] < 0 || first[2] > std::ssize(rest))
    throw impossible("another format");
  const auto header_bytes = static_cast<size_t>(first[2]);
  PlacedSchema schema = decode_broadcast(rest.first(header_bytes), format);
  schema.records = first[1];
  return static_cast<Schema>(schema);
}

std::vector<Storage> ReaderProcess::storages(const Schema &schema) {
  const std::vector<int64_t> numbers = numbers_of(ask({Ask::storages, 0, 0}, {}, most_header_bytes));
  check_storages(numbers, schema, file_bytes_);
  return decode(numbers);
}

std::optional<ChunkPlace> ReaderProcess::find(int variable, const Index &cell) {
  const std::vector<int64_t> numbers(cell.begin(), cell.end());
  const std::vector<int64_t> reply = numbers_of(ask({Ask::find, variable, cell.n}, numbers, 24));
  if (reply.size() != 3) throw impossible("no place of a chunk");
  if (reply[0] < 0 || reply[1] == 0) return std::nullopt;
  if (reply[1] < 0 || reply[0] > file_bytes_ || reply[1] > file_bytes_ - reply[0])
    throw Error(Status::format, "a chunk stands behind the end of the file", "It was cut, or is not complete");
  return ChunkPlace{reply[0], reply[1], static_cast<uint32_t>(reply[2])};
}

void ReaderProcess::read(int variable, const SubArray &part, std::span<std::byte> values) {
  std::vector<int64_t> numbers(part.start.begin(), part.start.end());
  numbers.insert(numbers.end(), part.count.begin(), part.count.end());
  const std::vector<std::byte> reply = ask({Ask::read, variable, std::ssize(numbers)}, numbers, std::ssize(values));
  if (reply.size() != values.size()) throw impossible("another number of values");
  std::copy(reply.begin(), reply.end(), values.begin());
}

std::vector<std::string> ReaderProcess::read_strings(int variable, const Box &cells) {
  std::vector<int64_t> numbers;
  for (const Index *const part : {&cells.start, &cells.count})
    for (int d = 0; d < cells.dims(); ++d) numbers.push_back((*part)[d]);
  const std::vector<std::byte> reply = ask({Ask::strings, variable, std::ssize(numbers)}, numbers, most_header_bytes);
  Attribute strings{"", Type::string, cells.elements(), SmallBytes(reply)};
  if (std::ranges::count(reply, std::byte{}) != cells.elements()) throw impossible("another number of strings");
  return strings_of(strings);
}

/// The helper sees a file with an interrupted commit as it is when that is completed.
Schema read_untrusted_definitions(const std::string &path) {
  try {
    if (unfinished_commit_of(path).is_empty()) require_whole(path);
    return ReaderProcess(path).schema();
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

}  // namespace sv::netcdf4
