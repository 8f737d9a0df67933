// The messages between a reader of an untrusted file and its helper, over a socket: a question, and its answer. The
// helper is a program of its own, so that a harmful file can only affect that process.
#pragma once

#include <cstdint>

namespace sv::netcdf4 {

constexpr const char *reader_program = "sv-netcdf4-reader";  // next to the plug-in

/// schema: format, records, the length of the header as ranks broadcast it, and that header. storages: the numbers of
/// `encode`. find: place, bytes and mask of the chunk that begins at this cell, place −1 where it has none. read:
/// values; the numbers are start and count. strings: the same, and each string ends with a zero byte.
enum class Ask : int64_t { schema, storages, find, read, strings };

struct Question {
  Ask ask;
  int64_t variable, numbers;  // so many follow
};
/// So many bytes follow; where `status` is not 0, they are the cause of the error.
struct Answer {
  int64_t status, bytes;
};

/// Arguments of the helper: the path, and this word where the file is trusted. It is not confined then.
constexpr const char *trusted_word = "trusted";

constexpr int64_t helper_memory_bytes = int64_t{192} << 20;  // of its own data
constexpr int helper_seconds = 20;                           // for an answer

}  // namespace sv::netcdf4
