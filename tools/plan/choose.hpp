// The choice of a layout: Sverdrup's own choice, compared with all others that the prediction supports.
#pragma once

#include <string>
#include <vector>

#include "scene.hpp"
#include "seconds.hpp"
#include "stripe_data.hpp"

namespace sv_plan {

/// A way to write the field.
struct Candidate {
  sv::RouteRequest request;
  std::string text;  // "route ranges, writers 30", as in a configuration
  int writers = 0, rounds = 0;
  int64_t messages = 0, most_messages = 0;        // in all; of a node
  int64_t most_writer_bytes = 0, held_bytes = 0;  // of a writer: in all, and at a time
  double hand_overs = 0;
  double setup_seconds = 0;  // of one rank, measured: its plan
  Outcome expected, low, high;
};

struct Choice {
  Candidate automatic;
  StripeData stripes;          // of any layout
  std::vector<Candidate> all;  // the quickest first
  double regret() const;       // how much longer the automatic one takes than the quickest, as a share of that
};

/// Routes, numbers of writers in powers of two, and io_layouts in powers of four. Throws sv::Error.
Choice choose(const Options &options);
std::string choice_text(const Options &options, const Choice &choice);
std::string choice_json(const Options &options, const Choice &choice);

}  // namespace sv_plan
