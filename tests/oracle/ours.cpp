#include "ours.hpp"

#include <algorithm>
#include <numeric>

#include "support/model_ranks.hpp"
#include "support/points.hpp"

namespace svtest {

namespace {

int64_t number_or_none(const World &world, const std::string &id) { return id.empty() ? SV_GLOBAL : world.var(id); }

/// The records that a put is about; -1: those without.
std::vector<int64_t> records_of(const Put &put, const VarCase &var) {
  if (!var.records) return {-1};
  std::vector<int64_t> records;
  for (int64_t i = 0; i < put.count[0]; ++i) records.push_back(put.start[0] + i * put.apart[0]);
  return records;
}

int64_t record_of(const Put &put, const VarCase &var) { return var.records ? put.start[0] : SV_NO_RECORD; }

Numbers without_record(const Numbers &numbers, const VarCase &var) {
  return {numbers.begin() + (var.records ? 1 : 0), numbers.end()};
}

}  // namespace

Ours::Ours(const std::string &path, const Case &made) : path_(path), kind_(made.kind), version_(made.version) {
  io_ = start(MPI_COMM_WORLD, made.options);
  comm_ = model_ranks(io_);
  computes_ = comm_ != MPI_COMM_NULL;
  if (!computes_) return;
  rank_ = rank_in(comm_);
  ranks_ = size_of(comm_);
  combines_ = std::find(made.options.begin(), made.options.end(), "combine=step") != made.options.end();
  const std::map<int, int> formats{
      {1, SV_CLASSIC}, {2, SV_64BIT_OFFSET}, {3, SV_NETCDF4 | SV_CLASSIC}, {4, SV_NETCDF4}, {5, SV_64BIT_DATA}};
  SV_MUST(sv_create(io_, path.c_str(), kind_ | formats.at(version_), &file_));
}

void Ours::define(const World &world, const Operation &op) {
  const int var = static_cast<int>(number_or_none(world, op.id));
  int made = -1;
  if (op.step == Step::dim) SV_MUST(sv_def_dim(file_, op.name.c_str(), op.length, &made));
  if (op.step == Step::var) {
    std::vector<int> dims;
    for (const std::string &id : op.dims) dims.push_back(world.dim(id));
    SV_MUST(sv_def_var(file_, op.name.c_str(), op.type, static_cast<int>(dims.size()), dims.data(), &made));
    const std::vector<char> fill = fill_of(op);
    if (op.fill) SV_MUST(sv_def_fill(file_, made, fill.data()));
    // The grid of a field or of points stands in the variable's own dimensions.
    if (dims.size() > 1)
      SV_MUST(sv_def_var_decomp_dim(file_, made, world.dims[static_cast<size_t>(dims[0])].length == 0 ? 1 : 0));
  }
  if (op.step == Step::put_att)
    SV_MUST(sv_put_att(file_, var, op.name.c_str(), op.type, op.length, attribute_of(op).data()));
  if (op.step == Step::del_att) SV_MUST(sv_del_att(file_, var, op.name.c_str()));
  if (op.step == Step::rename_att) SV_MUST(sv_rename_att(file_, var, op.name.c_str(), op.to.c_str()));
  if (op.step == Step::copy_att) SV_MUST(sv_copy_att(file_, var, op.name.c_str(), file_, world.var(op.to)));
  if (op.step == Step::rename_dim) SV_MUST(sv_rename_dim(file_, world.dim(op.id), op.to.c_str()));
  if (op.step == Step::rename_var) SV_MUST(sv_rename_var(file_, var, op.to.c_str()));
}

void Ours::carry_out(const World &world, const Operation &op) {
  keep_apart(world, op);
  define(world, op);
  if (op.step == Step::enddef) SV_MUST(sv_enddef(file_));
  if (op.step == Step::redef) SV_MUST(sv_redef(file_));
  if (op.step == Step::put)
    for (const Put &each : op.puts) put(world, each);
  if (op.step == Step::together) put_together(world, op);
  if (op.step == Step::end_step || op.step == Step::get) SV_MUST(sv_end_step(io_));
  if (op.step == Step::sync) SV_MUST(sv_sync(file_));
  if (op.step != Step::reopen) return;
  close();
  SV_MUST(sv_open(io_, path_.c_str(), SV_WRITE, &file_));
}

/// Puts that are combined at the end of a step must not overlap: where one would, the step ends.
void Ours::keep_apart(const World &world, const Operation &op) {
  if (!combines_) return;
  bool again = false;
  for (const Put &put : op.puts)
    for (const int64_t record : records_of(put, world.vars[static_cast<size_t>(world.var(put.var))]))
      again = again || recorded_.count({world.var(put.var), record}) > 0;
  if (again) SV_MUST(sv_end_step(io_));
  if (again || op.puts.empty()) recorded_.clear();
  for (const Put &put : op.puts)
    for (const int64_t record : records_of(put, world.vars[static_cast<size_t>(world.var(put.var))]))
      recorded_.insert({world.var(put.var), record});
}

Ours::Part Ours::part_of(const Put &put, const VarCase &var, const Numbers &shape, const Block &block) const {
  Part part{{}, block.count, {}, {}};
  for (size_t d = 0; d < shape.size(); ++d) part.start.push_back(put.start[d] + block.start[d] * put.apart[d]);
  const int64_t width = bytes_of(put.memory);
  Numbers step(shape.size(), 0);
  int64_t bytes = put.call == Call::strided ? 3 * width : width;
  for (size_t d = shape.size(); d > 0; --d) {
    step[d - 1] = bytes;
    bytes = bytes * block.count[d - 1] + (put.call == Call::strided ? width : 0);
  }
  if (put.call == Call::strided) part.stride = step;
  part.bytes.resize(static_cast<size_t>(bytes + width));
  Numbers cell(shape.size(), 0);
  for_each_index(block.count, [&](const Numbers &at) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      cell[d] = part.start[d] + at[d] * put.apart[d];
      offset += at[d] * step[d];
    }
    store(put.memory, part.bytes.data() + offset, value_at(put, var.type, linear(shape, cell)));
  });
  return part;
}

Ours::Part Ours::my_part(const Put &put, const VarCase &var, const Numbers &shape) const {
  Random random(put.salt);
  const std::vector<Block> blocks = random_blocks(random, put.count, ranks_);
  return part_of(put, var, shape, blocks[static_cast<size_t>(rank_)]);
}

void Ours::put_field(const Put &put, int number, const VarCase &var, const Numbers &shape) {
  Random random(put.salt);
  Grid grid = random_grid(random, without_record(shape, var), ranks_, false);
  grid.periodic.clear();
  grid.halo.clear();
  grid.holes = false;
  grid.blocks = random_blocks(random, grid.shape, ranks_);
  if (random.chance(50))
    for (size_t i = 0; i < 2 * grid.shape.size(); ++i) grid.halo.push_back(random.between(0, 2));
  sv_decomp *decomp = declare(io_, grid, rank_);
  const Block &mine = grid.blocks[static_cast<size_t>(rank_)];
  Numbers extent = mine.count;
  if (!grid.halo.empty())
    for (size_t d = 0; d < extent.size(); ++d) extent[d] += grid.halo[2 * d] + grid.halo[2 * d + 1];
  std::vector<char> bytes(static_cast<size_t>(product(extent) * bytes_of(put.memory)));
  for_each_index(mine.count, [&](const Numbers &at) {
    Numbers local = at, cell = at;
    for (size_t d = 0; d < at.size(); ++d) {
      if (!grid.halo.empty()) local[d] += grid.halo[2 * d];
      cell[d] += mine.start[d];
    }
    if (var.records) cell.insert(cell.begin(), put.start[0]);
    store(put.memory, bytes.data() + linear(extent, local) * bytes_of(put.memory),
          value_at(put, var.type, linear(shape, cell)));
  });
  SV_MUST(sv_put(file_, number, decomp, record_of(put, var), put.memory, bytes.data(), nullptr));
  SV_MUST(sv_free_decomp(decomp));
}

void Ours::put_points(const Put &put, int number, const VarCase &var, const Numbers &shape) {
  Random random(put.salt);
  const Numbers fixed = without_record(shape, var);
  const Owners owners = random_owners(random, product(fixed), ranks_, 0);
  const Numbers &mine = owners[static_cast<size_t>(rank_)];
  sv_decomp *points = nullptr;
  SV_MUST(sv_def_points(io_, static_cast<int>(fixed.size()), fixed.data(), static_cast<int64_t>(mine.size()),
                        mine.data(), 0, &points));
  std::vector<char> bytes(mine.size() * static_cast<size_t>(bytes_of(put.memory)));
  const int64_t first = var.records ? put.start[0] * product(fixed) : 0;
  for (size_t i = 0; i < mine.size(); ++i)
    store(put.memory, bytes.data() + i * static_cast<size_t>(bytes_of(put.memory)),
          value_at(put, var.type, first + mine[i]));
  SV_MUST(sv_put(file_, number, points, record_of(put, var), put.memory, bytes.data(), nullptr));
  SV_MUST(sv_free_decomp(points));
}

void Ours::put_regions(const Put &put, int number, const VarCase &var, const Numbers &shape) {
  Random random(put.salt);
  const std::vector<Block> blocks = random_blocks(random, put.count, 3 * ranks_);
  std::vector<Part> parts;
  std::vector<const int64_t *> starts, counts;
  std::vector<char> bytes;
  for (int i = 0; i < 3; ++i) parts.push_back(part_of(put, var, shape, blocks[static_cast<size_t>(3 * rank_ + i)]));
  for (const Part &part : parts) {
    starts.push_back(part.start.data());
    counts.push_back(part.count.data());
    bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.begin() + product(part.count) * bytes_of(put.memory));
  }
  SV_MUST(sv_put_varn(file_, number, 3, starts.data(), counts.data(), put.memory, bytes.data()));
}

void Ours::put(const World &world, const Put &put) {
  const int number = world.var(put.var);
  const VarCase &var = world.vars[static_cast<size_t>(number)];
  const Numbers shape = world.shape(var);
  if (put.call == Call::field) return put_field(put, number, var, shape);
  if (put.call == Call::points) return put_points(put, number, var, shape);
  if (put.call == Call::varn) return put_regions(put, number, var, shape);
  if (put.call == Call::replicated) {
    const Part part = part_of(put, var, shape, {Numbers(shape.size(), 0), put.count});
    SV_MUST(sv_put_var(file_, number, record_of(put, var), put.memory, part.bytes.data(), nullptr));
    return;
  }
  const Part part = my_part(put, var, shape);
  const int64_t *stride = part.stride.empty() ? nullptr : part.stride.data();
  if (put.call == Call::vars)
    SV_MUST(sv_put_vars(file_, number, part.start.data(), part.count.data(), put.apart.data(),
                        {put.memory, part.bytes.data(), stride}));
  else
    SV_MUST(sv_put_vara(file_, number, part.start.data(), part.count.data(), put.memory, part.bytes.data(), stride));
}

/// Several at once: as a list, or as requests that wait. Scalars, and operations of single calls, go by themselves.
void Ours::put_together(const World &world, const Operation &op) {
  std::vector<Part> parts;
  std::vector<const Put *> puts;
  for (const Put &each : op.puts) {
    const VarCase &var = world.vars[static_cast<size_t>(world.var(each.var))];
    if (var.dims.empty() || each.call == Call::varn || each.call == Call::vars) {
      put(world, each);
      continue;
    }
    puts.push_back(&each);
    parts.push_back(my_part(each, var, world.shape(var)));
  }
  const bool list = op.together == Together::mput_vara || op.together == Together::mput;
  std::vector<int> vars;
  std::vector<const int64_t *> starts, counts;
  std::vector<sv_source> values;
  for (size_t i = 0; i < puts.size(); ++i) {
    const Part &part = parts[i];
    const int64_t *stride = part.stride.empty() ? nullptr : part.stride.data();
    const int var = world.var(puts[i]->var);
    vars.push_back(var);
    starts.push_back(part.start.data());
    counts.push_back(part.count.data());
    values.push_back({puts[i]->memory, part.bytes.data(), stride});
    if (op.together == Together::iput)
      SV_MUST(sv_iput_vara(file_, var, part.start.data(), part.count.data(), values.back(), nullptr));
    if (op.together == Together::bput)
      SV_MUST(sv_bput_vara(file_, var, part.start.data(), part.count.data(), values.back(), nullptr));
  }
  if (list)
    SV_MUST(
        sv_mput_vara(file_, static_cast<int>(puts.size()), vars.data(), starts.data(), counts.data(), values.data()));
  else
    SV_MUST(sv_wait(file_, SV_ALL, nullptr, nullptr));
}

void Ours::compare(const World &world, int number, uint64_t salt, const std::vector<char> &right) {
  const VarCase &var = world.vars[static_cast<size_t>(number)];
  const int64_t width = bytes_of(var.type), slab = product(without_record(world.shape(var), var));
  Numbers shape = world.shape(var);
  if (var.records) shape[0] = static_cast<int64_t>(right.size()) / width / slab;
  int64_t records = 0;
  if (var.records) SV_MUST(sv_inq_dim(file_, var.dims[0], nullptr, &records));
  if (var.records && records != shape[0])
    give_up(var.name + " has " + std::to_string(records) + " records, netCDF-C finds " + std::to_string(shape[0]));
  if (right.empty()) return;
  Random random(salt), own(salt + static_cast<uint64_t>(rank_));
  const bool whole = shape.empty() || random.chance(30), waits = random.chance(40);
  Numbers start(shape.size(), 0), count = shape;
  if (whole && var.records) {
    start[0] = random.between(0, shape[0] - 1);
    count[0] = 1;
  }
  for (size_t d = 0; d < shape.size() && !whole; ++d) {
    start[d] = own.between(0, shape[d] - 1);
    count[d] = own.between(0, shape[d] - start[d]);
  }
  std::vector<char> found(static_cast<size_t>(product(count) * width + width));
  if (whole) {
    SV_MUST(sv_get_var(file_, number, var.records ? start[0] : SV_NO_RECORD, var.type, found.data(), nullptr));
  } else if (waits) {
    SV_MUST(sv_iget_vara(file_, number, start.data(), count.data(), {var.type, found.data(), nullptr}, nullptr));
    SV_MUST(sv_wait(file_, SV_ALL, nullptr, nullptr));
  } else {
    SV_MUST(sv_get_vara(file_, number, start.data(), count.data(), var.type, found.data(), nullptr));
  }
  int64_t i = 0;
  for_each_index(count, [&](const Numbers &at) {
    Numbers cell = at;
    for (size_t d = 0; d < at.size(); ++d) cell[d] += start[d];
    const int64_t place = linear(shape, cell);
    if (std::memcmp(found.data() + i * width, right.data() + place * width, static_cast<size_t>(width)) != 0)
      give_up("read from " + var.name + ", place " + std::to_string(place) + ": " +
              std::to_string(load(var.type, found.data() + i * width)) + ", netCDF-C has " +
              std::to_string(load(var.type, right.data() + place * width)));
    ++i;
  });
}

void Ours::close() {
  SV_MUST(sv_close(file_));
  recorded_.clear();
  SV_MUST(sv_flush(io_, SV_WRITTEN));
}

void Ours::abandon() { sv_close(file_); }

void Ours::end() { SV_MUST(sv_finalize(io_)); }

}  // namespace svtest
