#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "support/later.hpp"
#include "support/model_ranks.hpp"
#include "writer.hpp"

namespace svcrash {
namespace {

bool is_own(const std::string &key) {
  for (const char *own : {"steps", "from", "end", "nz", "ny", "nx", "texts", "set_kind", "pieces", "version", "flush"})
    if (key == own) return true;
  return false;
}

}  // namespace

Model::Model(std::string kind_of, const std::vector<std::string> &all) : kind(std::move(kind_of)), words(all) {
  rank = svtest::rank_in(MPI_COMM_WORLD);
  steps = number("steps", steps);
  from = number("from", from);
  sizes = {number("nz", sizes.nz), number("ny", sizes.ny), number("nx", sizes.nx),
           static_cast<int>(number("texts", sizes.texts))};
  std::vector<std::string> options;
  for (const std::string &word : words)
    if (!is_own(word.substr(0, word.find('=')))) options.push_back(word);
  io = svtest::start(MPI_COMM_WORLD, options);
  comm = svtest::model_ranks(io);
  computes = comm != MPI_COMM_NULL;
  served = svtest::writes_later(io, options);
  on_disk = text("durability", "written") == "on_disk";
  ordered = text("durability", "written") == "ordered";
  if (computes) declare();
}

std::string Model::text(const std::string &key, const std::string &otherwise) const {
  for (const std::string &word : words)
    if (word.rfind(key + "=", 0) == 0) return word.substr(key.size() + 1);
  return otherwise;
}

int64_t Model::number(const std::string &key, int64_t otherwise) const {
  const std::string value = text(key, "");
  return value.empty() ? otherwise : std::atoll(value.c_str());
}

void Model::declare() {
  rank = svtest::rank_in(comm);
  ranks = svtest::size_of(comm);
  const int64_t all = sizes.ny * sizes.nx;
  if (kind == "points") {
    for (int64_t cell = 0; cell < all; ++cell)
      if (cell / 3 % ranks == rank) cells.push_back(cell);
    std::reverse(cells.begin(), cells.end());
    SV_MUST(sv_def_points(io, 1, &all, static_cast<int64_t>(cells.size()), cells.data(), 0, &decomp));
  } else {
    int64_t row = 0, rows = 0;
    SV_MUST(sv_block(sizes.ny, ranks, rank, &row, &rows));
    for (int64_t cell = row * sizes.nx; cell < (row + rows) * sizes.nx; ++cell) cells.push_back(cell);
    const int64_t shape[] = {sizes.ny, sizes.nx}, start[] = {row, 0}, count[] = {rows, sizes.nx};
    SV_MUST(sv_def_decomp(io, 2, shape, start, count, nullptr, &decomp));
  }
  if (rank == 0)
    mark("sizes " + std::to_string(sizes.nz) + " " + std::to_string(sizes.ny) + " " + std::to_string(sizes.nx) + " " +
         std::to_string(sizes.texts));
}

void Model::say(const std::string &what, const Output &out) const {
  if (rank == 0) mark(what + " " + out.said());
}

// With `ordered`, the end of a step promises nothing yet, and closing a file counts all of it.
void Model::ended(const std::string &said, bool complete) {
  reported_.push_back({said, complete, ended_steps_, SV_HANDED_OVER});
  if (!served && (complete || !ordered)) report_up_to(on_disk ? SV_ON_DISK : SV_WRITTEN, ended_steps_ + 1);
}

void Model::reopened(const std::string &name) {
  for (Reported &each : reported_)
    if (each.file.rfind(name + " ", 0) == 0) each.complete = false;
}

// A commit of step n (from 0) is noted before n + 1 steps have ended, and so is a file that was closed after it.
void Model::report_up_to(int level, int64_t before_step) {
  const auto tell = [&](Reported &each, int reached, const char *commit, const char *complete) {
    if (each.level >= reached || level < reached) return;
    if (rank == 0) mark(std::string(each.complete ? complete : commit) + " " + each.file);
    each.level = reached;
  };
  for (Reported &each : reported_) {
    if (each.step >= before_step) continue;
    tell(each, SV_WRITTEN, "committed", "closed");
    tell(each, SV_ON_DISK, "durable", "kept");
  }
  std::erase_if(reported_, [](const Reported &each) { return each.level == SV_ON_DISK; });
}

void Model::end_step() {
  const bool is_last = text("end", "") == "killed" && ended_steps_ + 1 == steps;
  const bool by_threads = text("async", "") == "threads";
  if (!is_last || by_threads)
    for (const Output *out : outputs)
      if (out->flags != SV_PUBLISHED) say("begin", *out);
  if (is_last) {
    // A write that is in progress in a killed thread might be in the file, and not in the log.
    if (by_threads) SV_MUST(sv_flush(io, SV_WRITTEN));
    MPI_Barrier(comm);
    std::raise(SIGKILL);
  }
  SV_MUST(sv_end_step(io));
  for (const Output *out : outputs)
    if (out->flags != SV_PUBLISHED) ended(out->said(), false);
  ++ended_steps_;
  int64_t durable = 0;
  SV_MUST(sv_durable_step(io, &durable));
  report_up_to(SV_ON_DISK, durable);
  const int64_t every = number("flush", 3);
  if (every > 0 && ended_steps_ % every == 0) flush(ended_steps_ / every % 2 == 0 ? SV_WRITTEN : SV_ON_DISK);
}

void Model::flush(int level) {
  SV_MUST(sv_flush(io, level));
  report_up_to(level, ended_steps_ + 1);
}

void Model::saved(int64_t before_step) {
  report_up_to(SV_ON_DISK, ended_steps_ + 1);
  if (rank == 0) mark("streams " + std::to_string(before_step));
}

Output::Output(Model &of, std::string path, int made_as) : model(of), name(std::move(path)), flags(made_as) {
  model.outputs.push_back(this);
}

Output::~Output() { std::erase(model.outputs, this); }

std::string Output::said() const { return name + " " + std::to_string(version.number) + " " + std::to_string(records); }

void Output::introduce() const {
  if (model.rank != 0) return;
  const std::string store = model.text("store", "cdf");
  const bool counted =
      model.on_disk || model.ordered || store == "zarr";  // which puts all on the disk before it counts
  const bool when_closed = store == "netcdf4_library" && flags != SV_PUBLISHED;
  const bool killed = store == "netcdf4" && !counted && flags != SV_PUBLISHED;  // metadata change in place
  const std::string kind = flags == SV_PUBLISHED ? " published " : model.kind == "streams" ? " streams " : " growing ";
  mark("file " + name + kind +
       (when_closed ? "closed "
        : killed    ? "killed "
        : counted   ? "counted "
                    : "receipts ") +
       std::to_string(first) + " " + std::to_string(pieces));
  mark("version " + name + " " + std::to_string(version.number) + " " + std::to_string(version.salt) + " " +
       std::to_string(version.added_from));
}

void Output::create(const Version &first_version) {
  version = first_version;
  records = 0;
  introduce();
  SV_MUST(sv_create(model.io, name.c_str(), flags, &file));
  define();
  SV_MUST(sv_enddef(file));
  put_fixed();
}

void Output::create_series() {
  SV_MUST(sv_create(model.io, name.c_str(), SV_SERIES, &file));
  name.clear();
  define();
  SV_MUST(sv_enddef(file));
}

void Output::open(int version_there, int64_t records_there) {
  version.number = version_there;
  records = records_there;
  introduce();
  model.say("opened", *this);
  model.reopened(name);
  SV_MUST(sv_open(model.io, name.c_str(), SV_WRITE, &file));
  find_ids();
}

void Output::find_ids() {
  SV_MUST(sv_inq_varid(file, "time", &time_));
  SV_MUST(sv_inq_varid(file, "temp", &temp_));
  SV_MUST(sv_inq_varid(file, "flag", &flag_));
  SV_MUST(sv_inq_varid(file, "small", &small_));
  if (version.added_from >= 0) SV_MUST(sv_inq_varid(file, "added", &added_));
}

void Output::put_texts() const {
  const int32_t number = version.number;
  SV_MUST(sv_put_att(file, SV_GLOBAL, "version", SV_INT, 1, &number));
  for (int i = 0; i < model.sizes.texts; ++i)
    SV_MUST(
        sv_put_att_text(file, SV_GLOBAL, ("text_" + std::to_string(i)).c_str(), truth_text(version.number, i).c_str()));
}

void Output::define() {
  const bool points = model.kind == "points";
  const Sizes &sizes = model.sizes;
  int time = -1, z = -1, y = -1, x = -1;
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  SV_MUST(sv_def_dim(file, "z", sizes.nz, &z));
  SV_MUST(sv_def_dim(file, points ? "cell" : "y", points ? sizes.ny * sizes.nx : sizes.ny, &y));
  if (!points) SV_MUST(sv_def_dim(file, "x", sizes.nx, &x));
  const int flat[] = {y, x}, volume[] = {time, z, y, x};
  SV_MUST(sv_def_var(file, "time", SV_DOUBLE, 1, &time, &time_));
  SV_MUST(sv_put_att_text(file, time_, "units", "days since 2001-01-01 00:00:00"));
  SV_MUST(sv_put_att_text(file, time_, "calendar", "noleap"));
  SV_MUST(sv_def_var(file, "depth", SV_FLOAT, points ? 1 : 2, flat, &depth_));
  SV_MUST(sv_def_var(file, "temp", SV_DOUBLE, points ? 3 : 4, volume, &temp_));
  SV_MUST(sv_def_var(file, "flag", SV_INT, 1, &time, &flag_));
  SV_MUST(sv_def_var(file, "small", SV_BYTE, 1, &time, &small_));
  put_texts();
}

void Output::put_fixed() const {
  std::vector<double> values;
  for (const int64_t cell : model.cells) values.push_back(truth(version, var_depth, 0, cell));
  SV_MUST(sv_put(file, depth_, model.decomp, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
}

void Output::redefine(bool moves) {
  ++version.number;
  if (moves) version.added_from = records;
  introduce();
  model.say("begin", *this);
  SV_MUST(sv_redef(file));
  put_texts();
  if (moves) {
    const int dims[] = {0, 2, 3};
    const auto fill = static_cast<float>(added_fill);
    SV_MUST(sv_def_var(file, "added", SV_FLOAT, 3, dims, &added_));
    SV_MUST(sv_def_fill(file, added_, &fill));
  }
  SV_MUST(sv_enddef(file));
}

void Output::put(int64_t step) {
  const int64_t record = step - first;
  const auto time = static_cast<double>(step);
  records = std::max(records, record + 1);
  SV_MUST(sv_put_var(file, time_, record, SV_DOUBLE, &time, nullptr));
  put_record(step);
}

void Output::put_record(int64_t step) {
  const int64_t record = step - first, all = model.sizes.ny * model.sizes.nx;
  std::vector<double> values;
  for (int64_t z = 0; z < model.sizes.nz; ++z)
    for (const int64_t cell : model.cells) values.push_back(truth(version, var_temp, step, z * all + cell));
  SV_MUST(sv_put(file, temp_, model.decomp, record, SV_DOUBLE, values.data(), nullptr));
  const double flag = truth(version, var_flag, step, 0), small = truth_small(version, step);
  SV_MUST(sv_put_var(file, flag_, record, SV_DOUBLE, &flag, nullptr));
  SV_MUST(sv_put_var(file, small_, record, SV_DOUBLE, &small, nullptr));
  if (version.added_from < 0) return;
  values.clear();
  for (const int64_t cell : model.cells) values.push_back(truth(version, var_added, step, cell));
  SV_MUST(sv_put(file, added_, model.decomp, record, SV_DOUBLE, values.data(), nullptr));
}

void Output::put_and_end(int64_t step) {
  put(step);
  model.end_step();
}

void Output::select_record(int64_t step, int64_t steps_per_file) {
  const auto day = static_cast<int>(step / steps_per_file);
  const int date[6] = {2001, 1, 1 + day, 12, 0, 0};
  char text[32];
  std::snprintf(text, sizeof text, "series_200101%02d.nc", 1 + day);
  const std::string before = name.empty() ? "" : said();
  const bool changes = name != text;
  if (changes) {
    if (!before.empty()) model.say("closing", *this);
    name = text;
    first = day * steps_per_file;
    records = 0;
    introduce();
    model.say("opened", *this);
    model.reopened(name);
  }
  int64_t record = -1, length = 0;
  int wants_fixed = 0;
  SV_MUST(sv_select_record(file, date, static_cast<double>(step), &record, &wants_fixed));
  if (changes && !before.empty()) model.ended(before, true);
  svtest::require(record == step - first, "another record than the one expected");
  if (wants_fixed != 0) put_fixed();
  SV_MUST(sv_inq_dim(file, 0, nullptr, &length));
  records = std::max({records, length, record + 1});
}

// A file that is closed takes the place of the one before, and unless it is `on_disk`, not even it is promised to
// survive the node before sv_flush says so.
void Output::close() {
  model.say("closing", *this);
  if (flags == SV_PUBLISHED && version.number > 0 && !model.on_disk && model.rank == 0) mark("replacing " + name);
  SV_MUST(sv_close(file));
  file = nullptr;
  model.ended(said(), true);
}

}  // namespace svcrash
