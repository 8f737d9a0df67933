// A model that reads and writes several files, one after the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "methods/methods.hpp"

namespace sv_bench {

struct ModelFile {
  const Workload *workload;  // outlives what is made of it
  std::string name;          // of a file that is written: what its path has more than that of the method
  std::string input = {};    // path of a file that is read; empty: it is written
};

/// Phases are sums over the files: opening and closing of all of them, reading and writing apart. `peer_of_file` says
/// how each is moved; those that read have no guard cells.
Peer several_peer(const std::string &name, const Team &team, const std::vector<ModelFile> &files,
                  const std::function<Peer(const ModelFile &file)> &peer_of_file);
/// Sverdrup, with one context for all the files, whose decomposition is the grid of the first that is written (there is
/// one); those that are read have a context of their own, without guard cells. `counts`: as of
/// SverdrupContext::traffic. Sets of files are joined and then checked.
Peer sverdrup_several_peer(const std::string &name, const Team &team, const std::vector<ModelFile> &files,
                           const std::vector<std::string> &settings, bool counts);

}  // namespace sv_bench
