// The statements of a recorded program about its own files, in the order of the operations: `mark` lines that the
// recorder keeps. Said by one rank, before a collective call that may change what a reader finds, and after it has
// returned.
//
//   sizes NZ NY NX TEXTS
//   streams STEP                     the run has streams. STEP: from which a run can continue now
//   file NAME growing|published|streams PROMISE FIRST PIECES   before the file is made. FIRST: the step of record 0.
//                                    PIECES: of a set, or 0. PROMISE: `counted`: all counted data are on the disk;
//                                    `receipts`: only confirmed data; `closed`: receipts, and only while it is closed;
//                                    `nothing`
//   version NAME NUMBER SALT ADDED_FROM
//   begin NAME VERSION RECORDS       a call that may make this much readable
//   committed NAME VERSION RECORDS   it has returned: this survives the processes
//   durable NAME VERSION RECORDS     this survives the node
//   closing, closed, kept NAME VERSION RECORDS   the same three of a file that is complete, with its marker
//   replacing NAME                   a call begins that puts another file in its place: its durable data no longer are
//   opened NAME                      the file is no longer complete
#pragma once

#include <dlfcn.h>

#include <string>

namespace svcrash {

inline void mark(const std::string &line) {
  using Mark = void(const char *);
  static const auto recorder = reinterpret_cast<Mark *>(dlsym(RTLD_DEFAULT, "sv_crash_mark"));
  if (recorder != nullptr) recorder(line.c_str());
}

}  // namespace svcrash
