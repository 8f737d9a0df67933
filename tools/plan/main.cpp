// sv-plan: the plan of one field before a job runs, in numbers and as a drawing. docs/plan.md explains its use.
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "choose.hpp"
#include "chunk_text.hpp"
#include "configurations.hpp"
#include "drawing.hpp"
#include "json.hpp"
#include "seconds.hpp"
#include "support/ending.hpp"
#include "text.hpp"

namespace {

using namespace sv_plan;

void write_file(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();  // network file systems report a full disk only then
  if (!file)
    throw sv::Error(sv::Status::access, "cannot be written", "Check that its directory exists and has space")
        .in_file(path);
}

void run(const Options &options) {
  if (!options.case_path.empty()) {
    const std::string results = predicted_configurations(options);
    if (options.json.empty())
      std::cout << results << std::flush;
    else
      write_file(options.json, results);
    return;
  }
  if (options.choose) {
    const Choice choice = choose(options);
    std::cout << choice_text(options, choice) << std::flush;
    if (!options.json.empty()) write_file(options.json, choice_json(options, choice));
    return;
  }
  const Scene scene = make_scene(options);
  const Study study = study_of(scene);
  const FlowList flows = options.flows ? list_flows(scene, options.most) : FlowList{};
  std::cout << summary_text(scene, study);
  if (options.chunks) std::cout << chunk_text(scene);
  if (options.flows) std::cout << flows_text(scene, flows);
  if (options.rank >= 0) std::cout << rank_text(scene, study);
  std::string predicted;
  if (!options.machine.empty()) {
    const Seconds seconds = seconds_of(scene, study);
    std::cout << seconds_text(scene, seconds);
    predicted = seconds_json(scene, seconds);
  }
  std::cout << std::flush;
  if (!options.json.empty()) write_file(options.json, to_json(scene, study, flows, predicted));
  if (!options.svg.empty()) write_file(options.svg, drawing(scene, study));
}

}  // namespace

/// A request that is refused counts as a usage error, an unreadable or unwritable file as a failure.
int main(int argc, char **argv) {
  Options options;
  int exit_code = 0;
  try {
    if (parse(argc, argv, options, exit_code)) run(options);
  } catch (const sv::Error &error) {
    std::cerr << "sv-plan: " << sv::printable_message(error.what()) << "\n";
    exit_code = error.status() == sv::Status::access ? sv_tools::exit_failure : sv_tools::exit_usage;
  } catch (const std::exception &error) {
    std::cerr << "sv-plan: " << sv::printable_message(error.what()) << "\n";
    exit_code = sv_tools::exit_failure;
  }
  return sv_tools::ended("sv-plan", exit_code);
}
