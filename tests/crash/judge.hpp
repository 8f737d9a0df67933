// The verdict on the files of a run after a crash, compared with the promises.
#pragma once

#include <string>

#include "promises.hpp"
#include "reading.hpp"

namespace svcrash {

/// Of a file, and of a state the worst of its files.
enum class Fate {
  whole,    // all committed (kill) or confirmed (power) data, and right values in counted records
  partial,  // that; but a later record is counted, too, and not all of it is there
  lost,     // less than that; counted records are right
  refused,  // a reader says that it cannot read it
  wrong     // a reader finds wrong values in promised data, without a sign
};
constexpr int fates = 5;

struct Judgement {
  Fate fate = Fate::whole;
  std::string violation;  // of a promise; empty: none
};

/// Where a state stands, and who reads it.
class Scene {
 public:
  Scene(std::string directory, const SverdrupReader &sverdrup) : directory_(std::move(directory)), ours_(sverdrup) {}

  Judgement judge(const Image &image, const Promises &promises, Crash crash) const;

 private:
  struct Case {
    const FileStory &description;
    Crash crash;
    bool strict;  // as if all were promised
  };
  struct Problem {
    Fate fate = Fate::whole;
    std::string why;
  };
  struct Found {
    bool exists = false;
    Reading reading;
    std::string reader;
  };
  std::vector<Found> readings(const Image &image, const std::string &name, const Promises &promises) const;
  Judgement judge_file(const Image &image, const std::string &name, const Promises &promises, Crash crash) const;
  Problem problem_of(const Found &found, const Case &about, const Promises &promises) const;
  Problem problem_of_going_on(const std::string &name, const Reading &before, const Case &about,
                              const Promises &promises) const;
  /// Streams that continue from where they were saved last: all means are right afterwards.
  Problem problem_of_streams(const Promises &promises) const;
  Problem marker_problem(bool marker, const Reading &reading, const Case &about) const;

  std::string directory_;
  const SverdrupReader &ours_;
};

}  // namespace svcrash
