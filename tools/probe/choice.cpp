#include "choice.hpp"

#include <array>
#include <cstdio>

namespace sv_probe {

namespace {

constexpr double least_gain = 1.1, nearly = 0.97;

struct Gain {
  double middle = 0, low = 0;  // quartile
};

Gain gain_of(const Samples &rates, const Samples &plain) {
  Samples ratios;
  for (size_t i = 0; i < rates.size() && i < plain.size(); ++i)
    if (plain[i] > 0) ratios.push_back(rates[i] / plain[i]);
  return {median(ratios), quantile(ratios, 0.25)};
}

std::string words(const Policy &policy, double gain) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%d at a time %s the page cache: %.2f times", policy.depth,
                policy.direct ? "past" : "through", gain);
  return text.data();
}

}  // namespace

Choice best_policy(const PolicyRates &rates) {
  const auto plain = rates.find(Policy{});
  if (plain == rates.end()) return {};
  std::map<Policy, Gain> gains;
  for (const auto &[policy, samples] : rates)
    if (policy != Policy{}) gains[policy] = gain_of(samples, plain->second);
  Choice best, fastest;
  fastest.gain = 0;
  for (const auto &[policy, gain] : gains) {
    if (gain.middle > fastest.gain) fastest = {policy, gain.middle, {}};
    if (gain.middle >= least_gain && gain.low >= 1 && gain.middle > best.gain) best = {policy, gain.middle, {}};
  }
  for (const auto &[policy, gain] : gains)  // the plainest first
    if (gain.low >= 1 && gain.middle >= least_gain && gain.middle >= nearly * best.gain) {
      best = {policy, gain.middle, {}};
      break;
    }
  best.why = best.policy == Policy{} ? "nothing gains a tenth; the best was " + words(fastest.policy, fastest.gain)
                                     : words(best.policy, best.gain) + " as fast as one through it";
  return best;
}

}  // namespace sv_probe
