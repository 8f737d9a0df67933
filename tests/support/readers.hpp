// Files of known variables, read back through Sverdrup.
#pragma once

#include <map>

#include "variables.hpp"

namespace svtest {

struct Input {
  sv_context *io;
  sv_file *file;
  int rank;
  std::string description;  // for failures

  int id(const Spec &spec) const {
    int var = -1;
    SV_MUST(sv_inq_varid(file, spec.name.c_str(), &var));
    return var;
  }
  void check(const Spec &spec, double found, double right, int64_t element) const {
    const double wanted = through(spec.memory, right);
    if (found != wanted)
      give_up(description + ", " + spec.name + ", element " + std::to_string(element) + ": read " +
              std::to_string(found) + ", expected " + std::to_string(wanted));
  }
};

/// Reads this rank's block of spec.grid, into spec.memory; halos and gaps stay as they were.
inline void check_field(const Input &in, const Spec &spec, sv_decomp *decomp, int64_t record, const Spec &truth_of) {
  Array array = array_of(spec, local_extent(spec, in.rank));
  const std::vector<char> before = array.bytes;
  SV_MUST(sv_get(in.file, in.id(spec), decomp, record, spec.memory, array.bytes.data(), array.strides()));
  const std::vector<double> right = expected(truth_of, record);
  const auto bytes = static_cast<size_t>(bytes_of(spec.memory));
  std::vector<char> restored = array.bytes;
  for_own_elements(spec, in.rank, [&](const Numbers &local, const Numbers &global) {
    const auto at = static_cast<size_t>(array.offset(local));
    const int64_t element = linear(spec.shape, global);
    in.check(spec, load(spec.memory, array.bytes.data() + at), right[static_cast<size_t>(element)], element);
    std::copy_n(before.data() + at, bytes, restored.data() + at);
  });
  require(restored == before, in.description + ", " + spec.name + ": something beside the block was changed");
}

/// Every rank reads it all.
inline void check_whole(const Input &in, const Spec &spec, int64_t record, const Spec &truth_of) {
  Array array = array_of(spec, spec.shape);
  SV_MUST(sv_get_var(in.file, in.id(spec), record, spec.memory, array.bytes.data(), array.strides()));
  const std::vector<double> right = expected(truth_of, record);
  for_each_index(spec.shape, [&](const Numbers &at) {
    const int64_t element = linear(spec.shape, at);
    in.check(spec, load(spec.memory, array.bytes.data() + array.offset(at)), right[static_cast<size_t>(element)],
             element);
  });
}

/// A sub-array of this rank's own: `start` and `count` have the record dimension where there is one.
inline void check_subarray(const Input &in, const Spec &spec, const Numbers &start, const Numbers &count,
                           const Spec &truth_of) {
  Array array = array_of(spec, count);
  SV_MUST(
      sv_get_vara(in.file, in.id(spec), start.data(), count.data(), spec.memory, array.bytes.data(), array.strides()));
  const size_t skip = spec.records ? 1 : 0;
  std::map<int64_t, std::vector<double>> right;
  Numbers cell(spec.shape.size());
  for_each_index(count, [&](const Numbers &at) {
    const int64_t record = spec.records ? start[0] + at[0] : -1;
    if (right.count(record) == 0) right[record] = expected(truth_of, record);
    for (size_t d = skip; d < at.size(); ++d) cell[d - skip] = start[d] + at[d];
    const int64_t element = linear(spec.shape, cell);
    in.check(spec, load(spec.memory, array.bytes.data() + array.offset(at)),
             right[record][static_cast<size_t>(element)], element);
  });
}

/// Collective over the ranks that compute: by all ways of reading. Whole records from `first_record` on.
inline void check_file(sv_context *io, const std::string &path, const std::vector<Spec> &specs, int64_t record_count,
                       int64_t first_record = 0) {
  MPI_Comm model = MPI_COMM_NULL;
  SV_MUST(sv_model_comm(io, &model));
  Input in{io, nullptr, rank_in(model), path};
  SV_MUST(sv_open(io, path.c_str(), 0, &in.file));
  for (const Spec &spec : specs) {
    sv_decomp *decomp = declare(io, *spec.grid, in.rank);
    for (int64_t record = spec.records ? first_record : -1; record < (spec.records ? record_count : 0); ++record) {
      check_field(in, spec, decomp, record, spec);
      check_whole(in, spec, record, spec);
    }
    SV_MUST(sv_free_decomp(decomp));
    Numbers start, count;
    if (spec.records) {
      start.push_back(in.rank % 2);
      count.push_back(2);
    }
    for (const int64_t length : spec.shape) {
      start.push_back(in.rank % length);
      count.push_back((length - start.back() + 1) / 2);
    }
    if (in.rank == 1) count.back() = 0;
    check_subarray(in, spec, start, count, spec);
  }
  SV_MUST(sv_close(in.file));
}

}  // namespace svtest
