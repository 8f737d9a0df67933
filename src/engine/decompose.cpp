#include "engine/decompose.hpp"

#include "file/shared_numbers.hpp"

namespace sv {

namespace {

void check_halo(const DecompRequest &request) {
  for (int d = 0; d < request.shape.n; ++d)
    if (request.halo_low[d] < 0 || request.halo_high[d] < 0)
      throw Error(Status::invalid, "a halo of negative width in dimension " + std::to_string(d),
                  "Give the widths of the frame around the block, or no halo");
}

/// The table of the layout. `all`: the start and count of every dimension, of every rank.
std::vector<int64_t> table_of(const DecompRequest &request, const std::vector<int64_t> &all) {
  const int dims = request.shape.n, ranks = static_cast<int>(all.size()) / dims / 2;
  TableNumbers numbers(request.shape, ranks, static_cast<size_t>(ranks));
  const int64_t *next = all.data();
  for (int rank = 0; rank < ranks; ++rank) {
    BlockRequest block{Index(dims, 0), Index(dims, 0)};
    for (int d = 0; d < dims; ++d) {
      block.start[d] = *next++;
      block.count[d] = *next++;
    }
    for (const Patch &patch : patches_of(block, request.shape, request.periodic, rank)) numbers.add(patch);
  }
  return numbers.numbers(request.holes);
}

}  // namespace

Decomp *define_decomp(Context &context, const DecompRequest &request) {
  std::string call = "sv_def_decomp of grid";
  for (int d = 0; d < request.shape.n; ++d) call += (d == 0 ? " " : " x ") + std::to_string(request.shape[d]);
  for (const bool wraps : request.periodic) call += wraps ? " periodic" : " open";
  if (request.holes) call += " with holes";
  context.agree(call, [&] {
    check_grid(request.shape);
    check_halo(request);
    patches_of(request.block, request.shape, request.periodic, context.rank());
  });

  std::vector<int64_t> mine;
  for (int d = 0; d < request.shape.n; ++d) {
    mine.push_back(request.block.start[d]);
    mine.push_back(request.block.count[d]);
  }
  const std::vector<int64_t> all = context.comm.all_gather<int64_t>(mine);
  const auto numbers = std::make_shared<std::vector<int64_t>>();
  context.agree(call + ", checked", [&] {
    *numbers = table_of(request, all);
    const Layout checked(request.shape, {*numbers, numbers}, request.holes);
    if (const auto overlap = find_overlap(checked, context.rank()))
      throw Error(Status::layout, *overlap, "Give every cell to one rank");
    if (!request.holes && checked.has_holes())
      throw unowned(context, find_gap(checked).value_or("cells that no rank owns"));
  });
  const SharedNumbers table = keep_once(context, "the table of blocks", numbers);
  const auto layout =
      std::make_shared<const Layout>(request.shape, LayoutTable(table.numbers, table.owner), request.holes);
  return context.decomps.adopt({&context, 0, layout, request.block.count, request.halo_low, request.halo_high});
}

Decomp *define_points(Context &context, const std::string &call, const PointsRequest &request) {
  double seconds = 0;
  const auto layout = make_points(context, call, request, seconds);
  const Index none(request.shape.n, 0);
  return context.decomps.adopt({&context, 0, layout, none, none, none, seconds});
}

}  // namespace sv
