// A model that reads and writes several files: the order of their steps.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "methods/methods.hpp"
#include "methods/sverdrup.hpp"

namespace sv_bench {

struct ModelFile {
  const Workload *workload;  // outlives objects made from it
  std::string name;          // of a written file: the suffix of its path
  std::string input = {};    // path of a file that is read; empty: it is written
};

/// What happens between two times of computing: steps of files, in this order.
struct Moment {
  struct Part {
    size_t file, step;
  };
  bool computes;  // before it; the k-th that does asks the model for step k
  std::vector<Part> parts;
};

/// A file is opened before its first step and closed after its last; one with a file per step for each of them.
struct Schedule {
  Team team;
  std::vector<ModelFile> files;
  std::vector<Moment> moments;  // all steps of all files, each once, those of a file in their order
  std::shared_ptr<Model> model = {};
  /// How the time of output becomes phases. Otherwise: opening, moving and closing, each summed over the files, reading
  /// and writing separately. Set: as of a loop, all inside the calls of the moments, and the time after the last.
  bool as_loop = false;
};

/// One file after the other, of which the one that is called so is preceded by computing in each step.
std::vector<Moment> one_after_the_other(const std::vector<ModelFile> &files, const std::string &computing);

/// `peer_of_file` says how each is moved; those that read have no guard cells. Every rank of the schedule's team.
Peer several_peer(const std::string &name, const Schedule &schedule,
                  const std::function<Peer(const ModelFile &file)> &peer_of_file);
/// Sverdrup, with one context for all the files, whose decomposition is the grid of the first that is written (there is
/// one); those that are read have a context of their own, without guard cells. `counts`: as of
/// SverdrupContext::traffic. Sets of files are joined and then checked.
Peer sverdrup_several_peer(const std::string &name, const Schedule &schedule, const std::vector<std::string> &settings,
                           bool counts);

/// A method of Sverdrup whose context is another one in each run.
struct InContext {
  std::unique_ptr<Method> method;
  std::function<void(const SverdrupContext &context)> use;  // before each run
};
/// As sverdrup_several_peer; `settings`: of the context in which files are read. Collective over the team.
InContext several_in_context(const Schedule &schedule, const std::vector<std::string> &settings);
/// The first that is written: its grid is the decomposition.
const Workload &first_written(const Schedule &schedule);

}  // namespace sv_bench
