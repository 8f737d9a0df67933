// The log of a recorded run, read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "log_format.hpp"

namespace svcrash {

struct Operation {
  Kind kind;
  int file;  // which inode, from 0 in the order of their appearance; -1: none
  int64_t offset, length;
  std::span<const std::byte> data;
  std::string name, other;

  bool changes_data() const { return kind == Kind::write || kind == Kind::resize || kind == Kind::zero; }
  bool changes_names() const {
    return kind == Kind::create || kind == Kind::link || kind == Kind::rename || kind == Kind::unlink ||
           kind == Kind::exchange || kind == Kind::make_directory;
  }
};

struct Log {
  std::vector<std::byte> bytes;
  std::vector<Operation> operations;
  int files = 0;
};

/// Ends the program with a message where the log is not whole, or holds what cannot be repeated.
Log read_log(const std::string &path);

[[noreturn]] void give_up(const std::string &why);

}  // namespace svcrash
