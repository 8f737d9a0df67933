#include "copying.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sv_tools {

void must(int status) {
  if (status != SV_OK) throw std::runtime_error(sv_message());
}

namespace {

/// MPI's own waiting spins, on a core that the rank which is waited for may need.
void wait_asleep(MPI_Request request) {
  constexpr int yields = 64;
  constexpr timespec moment{0, 100'000};
  int is_done = 0;
  for (int looks = 0; MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done; ++looks)
    looks < yields ? sched_yield() : nanosleep(&moment, nullptr);
}

}  // namespace

void together(MPI_Comm comm, const std::function<void()> &work) {
  std::string cause;
  try {
    work();
  } catch (const std::exception &error) {
    cause = error.what();
  }
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int first = cause.empty() ? ranks : rank;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm, &request);
  wait_asleep(request);
  if (first == ranks) return;
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), "%s", cause.c_str());
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, first, comm);
  throw std::runtime_error(text.data());
}

int64_t bytes_of(int type) {
  switch (type) {
    case SV_BYTE:
    case SV_UBYTE:
    case SV_CHAR:
      return 1;
    case SV_SHORT:
    case SV_USHORT:
      return 2;
    case SV_INT:
    case SV_UINT:
    case SV_FLOAT:
      return 4;
    default:
      return 8;
  }
}

/// One rank reports it.
void Copying::leave_out(const std::string &what, const std::string &why) {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  if (rank == 0) std::fprintf(stderr, "sverdrup: warning: %s: %s\n", what.c_str(), why.c_str());
}

/// Other programs write fill values of another type than the variable's, which the library refuses, as netCDF-C does.
/// The same number in the variable's type says the same.
void Copying::copy_fill_value(int variable, int64_t count) {
  constexpr const char *name = "_FillValue";
  std::array<char, SV_MAX_NAME> owner{};
  int wanted = 0, type = 0;
  must(sv_inq_var(in_, variable, owner.data(), &wanted, nullptr, nullptr, nullptr));
  must(sv_inq_att(in_, variable, name, &type, nullptr));
  std::vector<char> values(static_cast<size_t>(std::max<int64_t>(count, 1) * 8));
  const bool converts = count == 1 && sv_get_att(in_, variable, name, wanted, values.data()) == SV_OK;
  bool is_same = converts && type == wanted;
  if (converts && !is_same) {
    double before = 0, after = 1;
    must(sv_put_att(out_, out_id(variable), name, wanted, 1, values.data()));
    is_same = sv_get_att(in_, variable, name, SV_DOUBLE, &before) == SV_OK &&
              sv_get_att(out_, out_id(variable), name, SV_DOUBLE, &after) == SV_OK &&
              (before == after || before != before);
    if (!is_same) must(sv_del_att(out_, out_id(variable), name));
  }
  if (is_same) return must(sv_put_att(out_, out_id(variable), name, wanted, 1, values.data()));
  leave_out(std::string("variable '") + owner.data() + "'",
            "its attribute '_FillValue' is left out, since it is not one value of the variable's type");
}

bool Copying::is_enhanced() const {
  int format = 0;
  must(sv_inq_format(out_, &format));
  return format == 3 || format == 10;  // netCDF-4, Zarr
}

/// CDF files have no strings: there, a single one is text, and several are left out.
void Copying::copy_strings(int variable, const char *name, int64_t count) {
  std::vector<char *> strings(static_cast<size_t>(count));
  must(sv_get_att_string(in_, variable, name, strings.data()));
  if (is_enhanced())
    must(sv_put_att_string(out_, out_id(variable), name, count, strings.data()));
  else if (count == 1)
    must(sv_put_att_text(out_, out_id(variable), name, strings.front()));
  else
    leave_out(std::string("attribute '") + name + "'",
              "it is left out, since it is a list of " + std::to_string(count) + " strings");
  must(sv_free_string(count, strings.data()));
}

/// The names of integers that attributes hold are copied with these.
void Copying::copy_enumeration(int variable, int id) {
  std::array<char, SV_MAX_NAME> type{}, name{};
  int count = 0;
  must(sv_inq_var_enum(in_, variable, type.data(), &count));
  if (type.front() == '\0') return;
  std::vector<std::string> names;
  std::vector<const char *> texts;
  std::vector<int64_t> values(static_cast<size_t>(count));
  for (int m = 0; m < count; ++m) {
    must(sv_inq_var_enum_member(in_, variable, m, name.data(), &values[static_cast<size_t>(m)]));
    names.emplace_back(name.data());
  }
  for (const std::string &each : names) texts.push_back(each.c_str());
  if (sv_def_var_enum(out_, id, type.data(), count, texts.data(), values.data()) == SV_OK) return;
  must(sv_inq_var(in_, variable, name.data(), nullptr, nullptr, nullptr, nullptr));
  leave_out(std::string("variable '") + name.data() + "'",
            std::string("the names of its integers are left out: ") + sv_message());
}

void Copying::copy_attributes(int variable) {
  int n = 0;
  must(variable <= SV_GLOBAL ? sv_inq_grp_natts(in_, SV_GLOBAL - variable, &n)
                             : sv_inq_var(in_, variable, nullptr, nullptr, nullptr, nullptr, &n));
  for (int i = 0; i < n; ++i) {
    std::array<char, SV_MAX_NAME> name{};
    int type = 0;
    int64_t count = 0;
    must(sv_inq_attname(in_, variable, i, name.data()));
    must(sv_inq_att(in_, variable, name.data(), &type, &count));
    if (variable > SV_GLOBAL && std::string(name.data()) == "_FillValue") {
      copy_fill_value(variable, count);
      continue;
    }
    if (type == SV_STRING) {
      copy_strings(variable, name.data(), count);
      continue;
    }
    std::vector<char> values(static_cast<size_t>(std::max<int64_t>(count, 1) * bytes_of(type)));
    must(sv_get_att(in_, variable, name.data(), type, values.data()));
    must(sv_put_att(out_, out_id(variable), name.data(), type, count, values.data()));
  }
}

/// Those in the group `parent`, and in them.
void Copying::copy_groups(int parent) {
  int count = 0;
  must(sv_inq_grps(in_, parent, &count, nullptr));
  std::vector<int> groups(static_cast<size_t>(count));
  must(sv_inq_grps(in_, parent, nullptr, groups.data()));
  for (const int group : groups) {
    std::array<char, SV_MAX_NAME> name{};
    must(sv_inq_grpname(in_, group, name.data()));
    if (!is_enhanced()) {
      leave_out(std::string("group '") + name.data() + "'", "it is left out, since CDF files have no groups");
      continue;
    }
    int above = 0, made = 0;
    if (parent != 0) above = groups_.at(parent);
    must(sv_def_grp(out_, above, name.data(), &made));
    groups_.emplace(group, made);
    copy_attributes(SV_GROUP(group));
    copy_groups(group);
  }
}

/// Whether it is in a group, which the copy does not have.
bool Copying::is_in_lost_group(const char *name) const { return std::strchr(name, '/') != nullptr && groups_.empty(); }

void Copying::copy_dimensions(int dims, int record_dim) {
  lengths_.resize(static_cast<size_t>(dims));
  std::vector<int> unlimited(static_cast<size_t>(dims));
  int count = 0;
  must(sv_inq_unlimdims(in_, &count, unlimited.data()));
  unlimited.resize(static_cast<size_t>(count));
  for (int d = 0; d < dims; ++d) {
    std::array<char, SV_MAX_NAME> name{};
    int64_t &length = lengths_[static_cast<size_t>(d)];
    int id = -1;
    must(sv_inq_dim(in_, d, name.data(), &length));
    if (is_in_lost_group(name.data())) {
      dims_.push_back(-1);
      continue;
    }
    const bool grows = d == record_dim || (is_enhanced() && std::ranges::find(unlimited, d) != unlimited.end());
    if (length == 0 && !grows)
      leave_out(std::string("dimension '") + name.data() + "'", "it is left out, since it has the length 0");
    else
      must(sv_def_dim(out_, name.data(), grows ? SV_UNLIMITED : length, &id));
    dims_.push_back(id);
  }
}

void Copying::copy_variable(int variable, int record_dim) {
  std::array<char, SV_MAX_NAME> name{};
  std::array<int, SV_MAX_DIMS> dims{};
  int type = 0, n = 0, id = -1;
  must(sv_inq_var(in_, variable, name.data(), &type, &n, dims.data(), nullptr));
  if (is_in_lost_group(name.data())) return;
  if (type == SV_STRING && !is_enhanced())
    return leave_out(std::string("variable '") + name.data() + "'",
                     "it is left out, since it contains strings, which CDF files do not have");
  const bool has_records = n > 0 && dims[0] == record_dim;
  std::vector<int> made;
  for (int d = 0; d < n; ++d) made.push_back(dims_[static_cast<size_t>(dims[static_cast<size_t>(d)])]);
  if (std::find(made.begin(), made.end(), -1) != made.end())
    return leave_out(std::string("variable '") + name.data() + "'", "it is left out, since one of its dimensions is");
  int64_t slab_bytes = bytes_of(type);
  for (int d = has_records ? 1 : 0; d < n; ++d)
    slab_bytes *= lengths_[static_cast<size_t>(dims[static_cast<size_t>(d)])];
  must(sv_def_var(out_, name.data(), type, n, made.data(), &id));
  if (const std::string lost = type == SV_STRING ? "" : keep_storage(in_, variable, out_, id, kept_); !lost.empty())
    leave_out(std::string("variable '") + name.data() + "'", "its copy is stored without " + lost);
  copy_enumeration(variable, id);
  int no_fill = 0;
  must(sv_inq_var_nofill(in_, variable, &no_fill));
  if (no_fill != 0 && type != SV_STRING) must(sv_def_var_nofill(out_, id, 1));
  copy_attributes(variable);
  if (has_records) records_ = lengths_[static_cast<size_t>(record_dim)];
  bytes_ += static_cast<double>(slab_bytes) * (has_records ? static_cast<double>(records_) : 1);
  std::vector<int64_t> last;
  for (int d = 0; d < n; ++d) last.push_back(lengths_[static_cast<size_t>(dims[static_cast<size_t>(d)])] - 1);
  variables_.push_back(
      {variable, has_records, slab_bytes, has_records ? records_ : 1, name.data(), type, std::move(last)});
}

void Copying::define() {
  int dims = 0, variables = 0, record_dim = -1;
  must(sv_inq(in_, &dims, &variables, nullptr, &record_dim));
  copy_groups(0);
  copy_dimensions(dims, record_dim);
  copy_attributes(SV_GLOBAL);
  for (int v = 0; v < variables; ++v) copy_variable(v, record_dim);
  must(sv_enddef(out_));
}

/// Whether a record (or, of 0, a fixed variable) is there whole: its last value can be read.
bool Copying::has(int variable, int64_t slab) {
  const Variable &of = variables_[static_cast<size_t>(variable)];
  if (std::any_of(of.last.begin() + (of.has_records ? 1 : 0), of.last.end(), [](int64_t last) { return last < 0; }))
    return true;  // it has no cells
  std::vector<int64_t> start = of.last;
  const std::vector<int64_t> count(start.size(), 1);
  if (of.has_records) start.front() = slab;
  std::array<std::byte, 8> value{};
  char *text = nullptr;
  const int status = of.type == SV_STRING
                         ? sv_get_vara_string(in_, of.in, start.data(), count.data(), &text)
                         : sv_get_vara(in_, of.in, start.data(), count.data(), of.type, value.data(), nullptr);
  must(sv_free_string(1, &text));
  if (status != SV_EFORMAT) must(status);
  return status == SV_OK;
}

/// A header may promise any number of records: they are not tried one by one. Where one is, all before it are.
void Copying::leave_out_missing() {
  int64_t slabs = 0, most_records = 0;
  for (int v = 0; v < static_cast<int>(variables_.size()); ++v) {
    Variable &of = variables_[static_cast<size_t>(v)];
    int64_t there = 0, missing = of.slabs + 1;
    while (missing - there > 1) {
      const int64_t middle = there + (missing - there) / 2;
      (has(v, middle - 1) ? there : missing) = middle;
    }
    of.slabs = there;
    slabs += there;
    if (of.has_records) most_records = std::max(most_records, there);
  }
  promised_ = std::exchange(records_, most_records);
  if (slabs == 0) throw std::runtime_error("the file has a header, but no value of any variable: nothing to save");
}

std::string Copying::story() const {
  std::string text;
  for (const Variable &each : variables_) {
    const int64_t wanted = each.has_records ? promised_ : 1;
    std::string is = each.has_records ? std::to_string(each.slabs) + " of " + std::to_string(wanted) + " records" : "";
    if (each.slabs == wanted)
      is += each.has_records ? "" : "saved";
    else
      is += std::string(each.has_records ? "; " : "") + "missing: the file ends before, and OUT has fill values";
    text += each.name + ": " + is + "\n";
  }
  return text;
}

/// The variable as far as it is copied, and its chunks here and there.
Rechunking Copying::rechunking(int v) const {
  const Variable &variable = variables_[static_cast<size_t>(v)];
  Rechunking work{variable.last, {}, {}, bytes_of(variable.type)};
  for (int64_t &each : work.length) ++each;
  if (variable.has_records) work.length.front() = variable.slabs;
  const auto chunks = [&](sv_file *file) {
    int storage = SV_CONTIGUOUS;
    std::array<int64_t, SV_MAX_DIMS> lengths{};
    must(sv_inq_var_chunking(file, file == in_ ? variable.in : v, &storage, lengths.data()));
    if (storage == SV_CHUNKED) {
      for (int64_t &each : lengths) each = std::max<int64_t>(1, each);
      return Lengths(lengths.begin(), lengths.begin() + std::ssize(work.length));
    }
    Lengths row(work.length.size(), 1);
    if (row.size() > (variable.has_records ? 1U : 0U)) row.back() = std::max<int64_t>(1, work.length.back());
    return row;
  };
  work.from = chunks(in_);
  work.to = chunks(out_);
  return work;
}

/// Collective. Each rank reads chunks that span records by itself.
void Copying::read(int v, const Rechunking &work, const CellBox &part, std::vector<std::byte> &values) {
  const bool alone = work.from.front() > 1;
  together(comm_, [&] {
    values.resize(static_cast<size_t>(cells_of(part.count) * work.cell_bytes));
    if (alone) read_chunks(v, work, part, values);
  });
  const Variable &of = variables_[static_cast<size_t>(v)];
  if (!alone) must(sv_get_vara(in_, of.in, part.start.data(), part.count.data(), of.type, values.data(), nullptr));
}

/// Local. Chunk by chunk, so that each is decompressed once.
void Copying::read_chunks(int v, const Rechunking &work, const CellBox &part, std::vector<std::byte> &values) {
  const Variable &of = variables_[static_cast<size_t>(v)];
  Lengths stride(part.count.size(), work.cell_bytes);
  for (size_t d = stride.size() - 1; d > 0; --d) stride[d - 1] = stride[d] * part.count[d];
  for_chunks(part, work.from, [&](const CellBox &piece) {
    int64_t offset_bytes = 0;
    for (size_t d = 0; d < stride.size(); ++d) offset_bytes += (piece.start[d] - part.start[d]) * stride[d];
    sv_request request = SV_NO_REQUEST;
    must(sv_iget_vara(in_, of.in, piece.start.data(), piece.count.data(),
                      {of.type, values.data() + offset_bytes, stride.data()}, &request));
    must(sv_wait_indep(in_, 1, &request, nullptr));
  });
}

/// Each rank reads and writes a part of each block.
void Copying::copy_in_blocks(int v, const Rechunking &work, const std::function<void(double)> &progress) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  const int type = variables_[static_cast<size_t>(v)].type;
  std::vector<std::byte> values;
  if (std::ranges::find(work.length, 0) != work.length.end()) return;
  // A rank holds its part of a block, as many values of incomplete chunks, and the compressed data of two blocks.
  const int64_t part_bytes = most_bytes_ / 4;
  for_blocks(work.length, block_lengths(work, part_bytes * ranks), [&](const CellBox &block) {
    const CellBox part = part_of(block, work.from, rank, ranks);
    read(v, work, part, values);
    must(sv_put_vara(out_, v, part.start.data(), part.count.data(), type, values.data(), nullptr));
    progress(done_ += static_cast<double>(cells_of(block.count) * work.cell_bytes));
  });
}

/// Whether the copy has a variable's records as records, and its other dimensions do not grow: then it is copied record
/// by record.
bool Copying::is_copied_by_slabs(int v) const {
  int ndims = 0, record_dim = -1, count = 0;
  std::array<int, SV_MAX_DIMS> dims{};
  must(sv_inq(out_, &ndims, nullptr, nullptr, &record_dim));
  std::vector<int> unlimited(static_cast<size_t>(ndims));
  must(sv_inq_unlimdims(out_, &count, unlimited.data()));
  must(sv_inq_var(out_, v, nullptr, nullptr, &ndims, dims.data(), nullptr));
  const bool has_records = ndims > 0 && dims.front() == record_dim;
  const auto grows = [&](int dim) {
    return std::find(unlimited.begin(), unlimited.begin() + count, dim) != unlimited.begin() + count;
  };
  return has_records == variables_[static_cast<size_t>(v)].has_records &&
         std::none_of(dims.begin() + (has_records ? 1 : 0), dims.begin() + ndims, grows);
}

/// Collective. All of a variable: strings are small.
void Copying::copy_texts(int v) {
  const Variable &of = variables_[static_cast<size_t>(v)];
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  std::vector<int64_t> count = of.last;
  for (int64_t &each : count) ++each;
  if (of.has_records) count.front() = of.slabs;
  const std::vector<int64_t> start(count.size(), 0);
  if (rank > 0) std::fill(count.begin(), count.end(), 0);
  int64_t cells = rank == 0 || !count.empty() ? 1 : 0;
  for (const int64_t each : count) cells *= each;
  std::vector<char *> texts(static_cast<size_t>(std::max<int64_t>(cells, 1)));
  if (count.empty()) {
    must(sv_get_var_string(in_, of.in, SV_NO_RECORD, texts.data()));
    must(sv_put_var_string(out_, v, SV_NO_RECORD, texts.data()));
    cells = 1;
  } else {
    must(sv_get_vara_string(in_, of.in, start.data(), count.data(), texts.data()));
    must(sv_put_vara_string(out_, v, start.data(), count.data(), texts.data()));
  }
  must(sv_free_string(cells, texts.data()));
}

/// The slabs of a batch are copied in one call, since ranks that share cores with other programs wait long for each
/// other.
void Copying::add_slab(int v, int64_t record, const std::function<void(double)> &progress) {
  const Variable &variable = variables_[static_cast<size_t>(v)];
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  batch_.from.push_back(variable.in);
  batch_.to.push_back(v);
  batch_.records.push_back(record);
  batch_.bytes += variable.slab_bytes;
  if (batch_.bytes >= batch_bytes * ranks || batch_.to.size() >= batch_slabs) copy_slabs(progress);
}

/// Collective. Those of the batch.
void Copying::copy_slabs(const std::function<void(double)> &progress) {
  if (batch_.to.empty()) return;
  const Batch batch = std::exchange(batch_, {});
  must(sv_mcopy(in_, out_, static_cast<int>(batch.to.size()), batch.from.data(), batch.records.data(), batch.to.data(),
                batch.records.data()));
  progress(done_ += static_cast<double>(batch.bytes));
}

/// Fixed variables first, then variables whose chunks span records, then the others record by record: the order in
/// which they stand in the file.
void Copying::copy(const std::function<void(double)> &progress) {
  std::vector<std::optional<Rechunking>> works;
  for (int v = 0; v < static_cast<int>(variables_.size()); ++v) {
    std::optional<Rechunking> &work = works.emplace_back();
    const Variable &variable = variables_[static_cast<size_t>(v)];
    if (variable.type == SV_STRING || variable.slabs == 0) continue;
    if (!is_copied_by_slabs(v)) {
      work = rechunking(v);
      continue;
    }
    if (!variable.has_records) continue;
    work = rechunking(v);
    if (work->from.front() <= 1 && work->to.front() <= 1) work.reset();
  }
  const auto add = [&](int64_t record) {
    for (int v = 0; v < static_cast<int>(variables_.size()); ++v) {
      const Variable &variable = variables_[static_cast<size_t>(v)];
      if (variable.has_records != (record != SV_NO_RECORD) || works[static_cast<size_t>(v)]) continue;
      if (std::max<int64_t>(record, 0) >= variable.slabs || variable.type == SV_STRING) continue;  // missing, or copied
      add_slab(v, record, progress);
    }
  };
  for (int v = 0; v < static_cast<int>(variables_.size()); ++v)
    if (variables_[static_cast<size_t>(v)].type == SV_STRING && variables_[static_cast<size_t>(v)].slabs > 0)
      copy_texts(v);
  add(SV_NO_RECORD);
  copy_slabs(progress);
  for (int v = 0; v < static_cast<int>(works.size()); ++v)
    if (const auto &work = works[static_cast<size_t>(v)]) copy_in_blocks(v, *work, progress);
  for (int64_t record = 0; record < records_; ++record) add(record);
  copy_slabs(progress);
}

std::vector<std::string> copying_settings(MPI_Comm comm, const std::vector<std::string> &given) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  std::vector<std::string> settings{"route=ranges", "writers=" + std::to_string(ranks), "transport.window=1MiB",
                                    "summary.table?=false"};
  settings.insert(settings.end(), given.begin(), given.end());
  return settings;
}

sv_context *start(MPI_Comm comm, const std::vector<std::string> &settings, const char *configuration) {
  std::vector<const char *> list;
  for (const std::string &setting : settings) list.push_back(setting.c_str());
  sv_context *io = nullptr;
  must(sv_init(comm, configuration, static_cast<int>(list.size()), list.data(), &io));
  return io;
}

void join(MPI_Comm comm, const std::string &set, const std::string &path, const std::vector<std::string> &settings) {
  sv_context *const io = start(comm, settings);
  sv_file *in = nullptr, *out = nullptr;
  must(sv_open(io, set.c_str(), SV_NOWRITE, &in));
  must(sv_create(io, path.c_str(), SV_CLOBBER, &out));
  Copying copying(in, out, comm);
  copying.define();
  copying.copy([](double) {});
  must(sv_close(in));
  must(sv_close(out));
  must(sv_finalize(io));
}

}  // namespace sv_tools
