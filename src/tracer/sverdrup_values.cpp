// Sverdrup: puts and gets. Bytes: of this rank's values in memory.
#include "tracer/mpi.hpp"
#include "tracer/sverdrup_calls.hpp"

namespace sv::profile {
namespace {

using Lists = const int64_t *const *;

// `more`, `passed`: the parameters behind those that all have (of requests: the request).
#define SV_SV_FIELD(name, more, passed)                                                                           \
  SV_SV_CALL(                                                                                                     \
      name,                                                                                                       \
      (Word file, int var, Word decomp, int64_t record, int type, void *data, const int64_t *stride SV_AND more), \
      (file, var, decomp, record, type, data, stride SV_AND passed), var, call.field(decomp, record, type))
#define SV_SV_WHOLE(name, more, passed)                                                                           \
  SV_SV_CALL(name, (Word file, int var, int64_t record, int type, void *data, const int64_t *stride SV_AND more), \
             (file, var, record, type, data, stride SV_AND passed), var, call.whole(record, type))
#define SV_SV_BLOCK(name, more, passed)                                                             \
  SV_SV_CALL(name,                                                                                  \
             (Word file, int var, const int64_t *start, const int64_t *count, int type, void *data, \
              const int64_t *stride SV_AND more),                                                   \
             (file, var, start, count, type, data, stride SV_AND passed), var, call.block(start, count, type))
#define SV_SV_STRIDED(name, more, passed)                                                                     \
  SV_SV_CALL(name,                                                                                            \
             (Word file, int var, const int64_t *start, const int64_t *count, const int64_t *apart, int type, \
              void *data, const int64_t *stride SV_AND more),                                                 \
             (file, var, start, count, apart, type, data, stride SV_AND passed), var, call.block(start, count, type))
#define SV_SV_REGIONS(name, more, passed)                                                                     \
  SV_SV_CALL(name, (Word file, int var, int n, Lists starts, Lists counts, int type, void *data SV_AND more), \
             (file, var, n, starts, counts, type, data SV_AND passed), var, call.blocks(n, starts, counts, type))

#define SV_SV_FAMILY(head, more, passed)   \
  SV_SV_FIELD(head, more, passed)          \
  SV_SV_WHOLE(head##_var, more, passed)    \
  SV_SV_BLOCK(head##_vara, more, passed)   \
  SV_SV_STRIDED(head##_vars, more, passed) \
  SV_SV_REGIONS(head##_varn, more, passed)

// Several variables: their bytes are added up.
class Sum {
 public:
  Sum(SverdrupCall &call, Word file, int n) : call_(call), file_(file), n_(n) {
    call_->argument(Argument::requests, n);
  }
  ~Sum() {
    if (known_) {
      call_->bytes(bytes_);
    }
  }
  Sum(const Sum &) = delete;
  Sum &operator=(const Sum &) = delete;
  int variables() const { return n_; }
  void block(int var, const int64_t *count, int64_t value_bytes) {
    const KnownVariable known = sverdrup_files().variable(call_->recorder(), file_, var);
    add(known.ndims >= 0 && count != nullptr ? elements_of(count, known.ndims) : -1, value_bytes);
  }
  void field(int var, Word decomp, int type) {
    const KnownVariable known = sverdrup_files().variable(call_->recorder(), file_, var);
    add(elements_of_part(sverdrup_files().part(decomp), known.cells), bytes_of_sverdrup_type(type));
  }
  void add(int64_t elements, int64_t value_bytes) {
    known_ = known_ && elements >= 0 && value_bytes >= 0;
    bytes_ += elements * value_bytes;
  }

 private:
  SverdrupCall &call_;
  Word file_;
  int n_;
  int64_t bytes_ = 0;
  bool known_ = true;
};

void sum_blocks(Sum &&sum, const int *vars, Lists counts, const int *types) {
  for (int v = 0; v < sum.variables(); ++v) {
    sum.block(vars[v], counts[v], bytes_of_sverdrup_type(types[v]));
  }
}

void sum_fields(Sum &&sum, const int *vars, const Word *decomps, const int *types) {
  for (int v = 0; v < sum.variables(); ++v) {
    sum.field(vars[v], decomps[v], types[v]);
  }
}

// `datatypes`: an array of MPI's handles, which are pointers or int.
void sum_items(Sum &&sum, const int64_t *items, const void *datatypes, const MpiLibrary &mpi) {
  for (int v = 0; v < sum.variables(); ++v) {
    sum.add(items[v], mpi.type_bytes(mpi.handle_in(datatypes, v)));
  }
}

#define SV_SV_BLOCKS(name)                                                                                        \
  SV_SV_CALL(name,                                                                                                \
             (Word file, int n, const int *vars, Lists starts, Lists counts, const int *types, void *const *data, \
              Lists strides),                                                                                     \
             (file, n, vars, starts, counts, types, data, strides), no_variable,                                  \
             sum_blocks({call, file, n}, vars, counts, types))
#define SV_SV_ITEMS(name)                                                                                             \
  SV_SV_CALL(name,                                                                                                    \
             (Word file, int n, const int *vars, Lists starts, Lists counts, void *const *data, const int64_t *items, \
              const void *datatypes),                                                                                 \
             (file, n, vars, starts, counts, data, items, datatypes), no_variable,                                    \
             sum_items({call, file, n}, items, datatypes, mpi_library(traced.address())))
#define SV_SV_FIELDS(name)                                                                                      \
  SV_SV_CALL(name,                                                                                              \
             (Word file, int n, const int *vars, const Word *decomps, const int64_t *records, const int *types, \
              void *const *data, Lists strides),                                                                \
             (file, n, vars, decomps, records, types, data, strides), no_variable,                              \
             sum_fields({call, file, n}, vars, decomps, types))

}  // namespace

SV_SV_FAMILY(sv_put, (), ())
SV_SV_FAMILY(sv_get, (), ())
SV_SV_FAMILY(sv_iput, (int64_t * request), (request))
SV_SV_FAMILY(sv_iget, (int64_t * request), (request))
SV_SV_FAMILY(sv_bput, (int64_t * request), (request))
SV_SV_BLOCKS(sv_mput_vara)
SV_SV_BLOCKS(sv_mget_vara)
SV_SV_ITEMS(sv_mput_vara_mpi)
SV_SV_ITEMS(sv_mget_vara_mpi)
SV_SV_FIELDS(sv_mput)
SV_SV_FIELDS(sv_mget)

SV_SV_CALL(sv_wait, (Word file, int n, int64_t *requests, int *statuses), (file, n, requests, statuses), no_variable,
           call->argument(Argument::requests, n))
SV_SV_CALL(sv_cancel, (Word file, int n, int64_t *requests, int *statuses), (file, n, requests, statuses), no_variable,
           call->argument(Argument::requests, n))
SV_SV_CALL(sv_attach_buffer, (Word file, int64_t bytes), (file, bytes), no_variable,
           call->argument(Argument::length, bytes))
SV_SV_CALL(sv_detach_buffer, (Word file), (file), no_variable)

// The file that it is about is the one that is written.
SV_TRACED int sv_copy_var(Word from, int from_var, int64_t from_record, Word to, int to_var, int64_t to_record) {
  static Traced<int(Word, int, int64_t, Word, int, int64_t)> traced(Layer::sverdrup, "sv_copy_var");
  SverdrupCall call(traced, to, to_var);
  if (call && to_record >= 0) {
    call->argument(Argument::record, to_record);
  }
  return call.returns(traced.real()(from, from_var, from_record, to, to_var, to_record));
}

}  // namespace sv::profile
