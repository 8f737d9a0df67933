#include "engine/growing.hpp"

#include <algorithm>
#include <vector>

#include "base/arithmetic.hpp"
#include "delivery/file_delivery.hpp"
#include "file/home.hpp"
#include "file/steps.hpp"
#include "model/growth.hpp"

namespace sv {

namespace {

/// Behind the last cell, in each dimension; 0 where there is none.
Index ends_of(const Strided &request) {
  Index ends(request.dims(), 0);
  if (request.empty()) return ends;
  for (int d = 0; d < request.dims(); ++d) {
    int64_t end = request.count[d] - 1;
    const bool is_valid = request.start[d] >= 0 && request.count[d] >= 0 && request.stride[d] >= 1;
    if (is_valid && multiply_into(end, request.stride[d]) && add_into(end, request.start[d]) && end < INT64_MAX)
      ends[d] = end + 1;
  }
  return ends;
}

void check_can_grow(File &file) {
  const bool is_one = file.home().pieces(0).empty() && file.naming.variable_template.empty();
  if (is_one && delivery_of(file).can_grow() && file.alone() == nullptr) return;
  throw Error(Status::order, "a dimension that is no record dimension would become longer, which all ranks do together",
              "Write one file, without servers or threads, and outside sv_begin_indep");
}

/// The growths that any rank needs.
std::vector<Growth> agreed_growths(const File &file, int variable, const std::vector<Growth> &mine) {
  const Variable &of = file.variable(variable);
  std::vector<Growth> all;
  const auto dims = of.slab_dims();
  for (size_t first = 0; first < dims.size(); first += call_values) {
    const auto part = dims.subspan(first, std::min(call_values, dims.size() - first));
    Agreed lengths{};
    for (size_t d = 0; d < part.size(); ++d)
      for (const Growth &each : mine)
        if (each.dimension == part[d]) lengths[d] = each.length;
    lengths = file.context().agree("the dimensions of " + file.name_of(variable), std::nullopt, lengths);
    for (size_t d = 0; d < part.size(); ++d)
      if (lengths[d] > 0) all.push_back({part[d], lengths[d]});
  }
  return all;
}

}  // namespace

void grow_for(File &file, int variable, const Strided &request) {
  const PlacedSchema &schema = file.schema();
  if (file.mode != Mode::data || file.ledger.failed() || variable < 0 || variable >= std::ssize(schema.variables))
    return;
  const Variable &of = file.variable(variable);
  if (!schema.has_growing_slab(of) || request.dims() != std::ssize(of.dims)) return;
  const std::vector<Growth> growths = agreed_growths(file, variable, growths_for(schema, of, ends_of(request)));
  if (growths.empty()) return;
  agree(file, "the growth of " + file.name_of(variable), variable, [&] { check_can_grow(file); });
  or_fail(file, [&] {
    agree(file, "the new lengths of " + file.name_of(variable), variable, [&] {
      lengthen_dimensions(file.definitions.schema, growths);
      file.home().forget_places();
      if (file.home().handle.is_attached()) file.home().store().redefine(file.schema());
    });
  });
}

}  // namespace sv
