#include "engine/fixed.hpp"

#include <set>

#include "rounds/carrier.hpp"
#include "rounds/own_ranges.hpp"

namespace sv {

void define_fixed(File &file, const std::vector<int> &variables) {
  if (file.mode() != Mode::data || !file.settings().fill) return;
  std::set<int> unput;
  for (const int v : variables)
    if (!file.variable(v).has_records && !file.ledger().touched(v, 0)) unput.insert(v);
  if (unput.empty()) return;
  Context &context = file.context();
  try {
    if (Carrier *const carrier = file.home().carrier()) {
      carrier->define_fixed({unput.begin(), unput.end()});
      carrier->settle();
    } else {
      for (const int v : unput)
        context.agree("the fill values of " + file.name_of(v),
                      file.located(v, caught(context.rank(), [&] { fill_slab(file, v, -1); })));
    }
  } catch (const Error &failure) {
    fail(file, failure);
    throw;
  }
  for (const int v : unput) file.ledger().touch(v, -1);
}

}  // namespace sv
