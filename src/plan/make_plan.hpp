// Makes plans. The engine asks for one per field and call, and sv-plan for those of jobs that do not run; both get the
// same plan (plan/plan.hpp) for the same arguments.
#pragma once

#include <memory>

#include "plan/plan.hpp"

namespace sv {

/// Rounds are as large as every node's budget allows. Throws for a valid Route of the same layout only when that budget
/// has no room for one element per slice: Error(limit).
Plan make_plan(std::shared_ptr<const Layout> layout, const Field &field, const Route &route,
               const Conditions &conditions);

}  // namespace sv
