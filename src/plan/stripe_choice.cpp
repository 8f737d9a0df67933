#include "plan/stripe_choice.hpp"

#include <algorithm>

namespace sv {

namespace {

// Lustre's rules for the size of a stripe.
constexpr int64_t granule_bytes = 64 << 10, longest_bytes = (int64_t{1} << 32) - granule_bytes;
// A writer keeps several targets busy, since the system sends its pages while it fills others.
constexpr int64_t stripes_per_writer = 4;

int64_t rounded_up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

FileStripes choose_stripes(const StripeRequest &request, const StripeFacts &facts) {
  using Count = StripeRequest::Count;
  if (request.count == Count::directory || facts.targets == 0) return {};
  const int64_t unit = std::clamp(rounded_up(facts.unit_bytes, granule_bytes), granule_bytes, longest_bytes);
  const int64_t most = request.overstriping ? most_stripes : std::min(facts.targets, most_stripes);
  int64_t count = request.count == Count::all ? facts.targets : request.n;
  if (request.count == Count::automatic)
    count = std::min(stripes_per_writer * facts.writers, (facts.step_bytes + unit - 1) / unit);
  count = std::clamp<int64_t>(count, 1, most);
  return {static_cast<int>(count), unit, count > facts.targets};
}

}  // namespace sv
