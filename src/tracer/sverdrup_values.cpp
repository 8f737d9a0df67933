// Sverdrup: puts and gets. Bytes: of this rank's values in memory.
#include "tracer/mpi.hpp"
#include "tracer/sverdrup_calls.hpp"

namespace sv::profile {
namespace {

using Lists = const int64_t *const *;

// sv_source and sv_target, sv_mpi_source and sv_mpi_target. MPI's handles are pointers or int.
struct Values {
  int type;
  void *data;
  const int64_t *strides;
};
struct Items {
  void *data;
  int64_t count;
  Word datatype;
};

// `type`: of the values. `form`, `passed`: the parameters behind those that all have.
#define SV_SV_FIELD(name, type, form, passed)                                     \
  SV_SV_CALL(name, (Word file, int var, Word decomp, int64_t record SV_AND form), \
             (file, var, decomp, record SV_AND passed), var, call.field(decomp, record, type))
#define SV_SV_WHOLE(name, type, form, passed)                                                                \
  SV_SV_CALL(name, (Word file, int var, int64_t record SV_AND form), (file, var, record SV_AND passed), var, \
             call.whole(record, type))
#define SV_SV_BLOCK(name, type, form, passed)                                                    \
  SV_SV_CALL(name, (Word file, int var, const int64_t *start, const int64_t *count SV_AND form), \
             (file, var, start, count SV_AND passed), var, call.block(start, count, type))
#define SV_SV_STRIDED(name, type, form, passed)                                                                        \
  SV_SV_CALL(name, (Word file, int var, const int64_t *start, const int64_t *count, const int64_t *apart SV_AND form), \
             (file, var, start, count, apart SV_AND passed), var, call.block(start, count, type))
#define SV_SV_REGIONS(name, type, form, passed)                                         \
  SV_SV_CALL(name, (Word file, int var, int n, Lists starts, Lists counts SV_AND form), \
             (file, var, n, starts, counts SV_AND passed), var, call.blocks(n, starts, counts, type))

#define SV_SV_CALLS(head)                                                                             \
  SV_SV_FIELD(head, type, (int type, void *data, const int64_t *stride), (type, data, stride))        \
  SV_SV_WHOLE(head##_var, type, (int type, void *data, const int64_t *stride), (type, data, stride))  \
  SV_SV_BLOCK(head##_vara, type, (int type, void *data, const int64_t *stride), (type, data, stride)) \
  SV_SV_STRIDED(head##_vars, values.type, (Values values), (values))                                  \
  SV_SV_REGIONS(head##_varn, type, (int type, void *data), (type, data))
#define SV_SV_REQUESTS(head)                                                                     \
  SV_SV_FIELD(head, values.type, (Values values, int64_t * request), (values, request))          \
  SV_SV_WHOLE(head##_var, values.type, (Values values, int64_t * request), (values, request))    \
  SV_SV_BLOCK(head##_vara, values.type, (Values values, int64_t * request), (values, request))   \
  SV_SV_STRIDED(head##_vars, values.type, (Values values, int64_t * request), (values, request)) \
  SV_SV_REGIONS(head##_varn, values.type, (Values values, int64_t * request), (values, request))

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

void sum_blocks(Sum &&sum, const int *vars, Lists counts, const Values *values) {
  for (int v = 0; v < sum.variables(); ++v) {
    sum.block(vars[v], counts[v], bytes_of_sverdrup_type(values[v].type));
  }
}

void sum_fields(Sum &&sum, const int *vars, const Word *decomps, const Values *values) {
  for (int v = 0; v < sum.variables(); ++v) {
    sum.field(vars[v], decomps[v], values[v].type);
  }
}

void sum_items(Sum &&sum, const Items *items, const MpiLibrary &mpi) {
  for (int v = 0; v < sum.variables(); ++v) {
    sum.add(items[v].count, mpi.type_bytes(mpi.handle_in(&items[v].datatype, 0)));
  }
}

#define SV_SV_BLOCKS(name)                                                                                \
  SV_SV_CALL(name, (Word file, int n, const int *vars, Lists starts, Lists counts, const Values *values), \
             (file, n, vars, starts, counts, values), no_variable, sum_blocks({call, file, n}, vars, counts, values))
#define SV_SV_ITEMS(name)                                                                               \
  SV_SV_CALL(name, (Word file, int n, const int *vars, Lists starts, Lists counts, const Items *items), \
             (file, n, vars, starts, counts, items), no_variable,                                       \
             sum_items({call, file, n}, items, mpi_library(traced.address())))
#define SV_SV_FIELDS(name)                                                                                          \
  SV_SV_CALL(                                                                                                       \
      name, (Word file, int n, const int *vars, const Word *decomps, const int64_t *records, const Values *values), \
      (file, n, vars, decomps, records, values), no_variable, sum_fields({call, file, n}, vars, decomps, values))

}  // namespace

SV_SV_CALLS(sv_put)
SV_SV_CALLS(sv_get)
SV_SV_REQUESTS(sv_iput)
SV_SV_REQUESTS(sv_iget)
SV_SV_REQUESTS(sv_bput)
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

SV_SV_CALL(sv_mcopy,
           (Word from, Word file, int n, const int *from_vars, const int64_t *from_records, const int *vars,
            const int64_t *records),
           (from, file, n, from_vars, from_records, vars, records), no_variable, call->argument(Argument::requests, n))

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
