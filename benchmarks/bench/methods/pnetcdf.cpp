// PnetCDF over the MPI-IO in force, without hints unless they are given. All its methods except the first are from
// Gao et al. 2009.
#include "methods/pnetcdf_file.hpp"

namespace sv_bench {

namespace {

/// An access in PnetCDF's types. Memory with guard cells is an MPI type, otherwise a number of values.
struct Call {
  int variable;
  std::vector<std::vector<MPI_Offset>> starts, counts;
  std::vector<MPI_Offset> apart;  // of a region whose cells are no neighbours
  std::vector<MPI_Offset *> start_pointers, count_pointers;
  int64_t place;
  MPI_Offset items;
  MPI_Datatype type;
  bool owns_type;
};

MPI_Datatype framed_type(const Access &access, MPI_Datatype element) {
  const Frame &frame = *access.frame;
  const std::vector<int64_t> &count = access.regions.front().count;
  const std::vector<int> whole(frame.shape.begin(), frame.shape.end()), part(count.begin(), count.end()),
      start(frame.shape.size(), 0);  // the access begins at its first value
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (MPI_Type_create_subarray(static_cast<int>(whole.size()), whole.data(), part.data(), start.data(), MPI_ORDER_C,
                               element, &type) != MPI_SUCCESS ||
      MPI_Type_commit(&type) != MPI_SUCCESS)
    throw std::runtime_error("pnetcdf: MPI makes no type of the memory with guard cells");
  return type;
}

Call call_of(const Workload &workload, const Access &access) {
  const MPI_Datatype element = workload.variable(access).type.mpi;
  const std::vector<int64_t> &apart = access.regions.front().apart;
  Call call{
      access.variable,         {}, {}, {apart.begin(), apart.end()}, {}, {}, access.place, access.elements(), element,
      access.frame.has_value()};
  if (access.frame) {
    call.type = framed_type(access, element);
    call.items = 1;
  }
  for (const Region &region : access.regions) {
    call.starts.emplace_back(region.start.begin(), region.start.end());
    call.counts.emplace_back(region.count.begin(), region.count.end());
  }
  for (size_t r = 0; r < call.starts.size(); ++r) {
    call.start_pointers.push_back(call.starts[r].data());
    call.count_pointers.push_back(call.counts[r].data());
  }
  return call;
}

class Pnetcdf : public SteppedMethod {
 public:
  Pnetcdf(const Workload &workload, bool reads, Way way, const Hints &hints)
      : SteppedMethod(workload, reads), way_(way), hints_(hints) {
    for (const Access &access : workload.accesses()) calls_.push_back(call_of(workload, access));
  }

  void open(const std::string &path) override {
    if (reads_)
      open_to_read(path);
    else
      file_ = create_pnetcdf(team_.comm, workload_.schema, path, hints_, variables_);
  }
  void move(size_t step) override {
    const bool last = step + 1 == workload_.steps();
    if (way_ == Way::together) {
      if (last) transfer_together();
      return;
    }
    const auto [first, end] = workload_.step(step);
    for (size_t c = first; c < end; ++c) way_ == Way::each ? transfer(calls_[c]) : record(calls_[c]);
    if (way_ == Way::step || (way_ == Way::all && last))
      check_pnetcdf(ncmpi_wait_all(file_, NC_REQ_ALL, nullptr, nullptr), "wait_all");
  }
  void close() override { check_pnetcdf(ncmpi_close(file_), "close"); }

  void finish() override {
    for (Call &call : calls_) {
      if (call.owns_type) MPI_Type_free(&call.type);
    }
  }

 private:
  void open_to_read(const std::string &path) {
    check_pnetcdf(ncmpi_open(team_.comm, path.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file_), "open");
    variables_.assign(workload_.schema.variables.size(), 0);
    for (size_t v = 0; v < variables_.size(); ++v)
      check_pnetcdf(ncmpi_inq_varid(file_, workload_.schema.variables[v].name.c_str(), &variables_[v]), "inq_varid");
  }

  int variable(const Call &call) const { return variables_[static_cast<size_t>(call.variable)]; }
  std::byte *memory(const Call &call) {
    // PnetCDF takes what it writes as void *, too.
    return (reads_ ? target() : const_cast<std::byte *>(source())) + call.place;
  }

  void transfer(Call &call) {
    MPI_Offset **starts = call.start_pointers.data(), **counts = call.count_pointers.data();
    const int n = static_cast<int>(call.starts.size()), var = variable(call);
    std::byte *at = memory(call);
    if (!call.apart.empty())
      check_pnetcdf(ncmpi_get_vars_all(file_, var, starts[0], counts[0], call.apart.data(), at, call.items, call.type),
                    "get_vars_all");
    else if (n == 1 && reads_)
      check_pnetcdf(ncmpi_get_vara_all(file_, var, starts[0], counts[0], at, call.items, call.type), "get_vara_all");
    else if (n == 1)
      check_pnetcdf(ncmpi_put_vara_all(file_, var, starts[0], counts[0], at, call.items, call.type), "put_vara_all");
    else if (reads_)
      check_pnetcdf(ncmpi_get_varn_all(file_, var, n, starts, counts, at, call.items, call.type), "get_varn_all");
    else
      check_pnetcdf(ncmpi_put_varn_all(file_, var, n, starts, counts, at, call.items, call.type), "put_varn_all");
  }

  void record(Call &call) {
    MPI_Offset **starts = call.start_pointers.data(), **counts = call.count_pointers.data();
    const int n = static_cast<int>(call.starts.size()), var = variable(call);
    std::byte *at = memory(call);
    if (n == 1 && reads_)
      check_pnetcdf(ncmpi_iget_vara(file_, var, starts[0], counts[0], at, call.items, call.type, nullptr), "iget_vara");
    else if (n == 1)
      check_pnetcdf(ncmpi_iput_vara(file_, var, starts[0], counts[0], at, call.items, call.type, nullptr), "iput_vara");
    else if (reads_)
      check_pnetcdf(ncmpi_iget_varn(file_, var, n, starts, counts, at, call.items, call.type, nullptr), "iget_varn");
    else
      check_pnetcdf(ncmpi_iput_varn(file_, var, n, starts, counts, at, call.items, call.type, nullptr), "iput_varn");
  }

  void transfer_together() {
    std::vector<int> variables;
    std::vector<MPI_Offset *> starts, counts;
    std::vector<void *> memories;
    std::vector<MPI_Offset> items;
    std::vector<MPI_Datatype> types;
    for (Call &call : calls_) {
      if (call.starts.size() != 1) throw std::runtime_error("pnetcdf: mput_vara takes one region of each variable");
      variables.push_back(variable(call));
      starts.push_back(call.start_pointers[0]);
      counts.push_back(call.count_pointers[0]);
      memories.push_back(memory(call));
      items.push_back(call.items);
      types.push_back(call.type);
    }
    const int n = static_cast<int>(calls_.size());
    if (reads_)
      check_pnetcdf(ncmpi_mget_vara_all(file_, n, variables.data(), starts.data(), counts.data(), memories.data(),
                                        items.data(), types.data()),
                    "mget_vara_all");
    else
      check_pnetcdf(ncmpi_mput_vara_all(file_, n, variables.data(), starts.data(), counts.data(), memories.data(),
                                        items.data(), types.data()),
                    "mput_vara_all");
  }

  const Way way_;
  const Hints hints_;
  std::vector<Call> calls_;
  int file_ = 0;
  std::vector<int> variables_;
};

}  // namespace

Peer pnetcdf_peer(const std::string &name, const Workload &workload, bool reads, Way way, const Hints &hints) {
  return peer_of<Pnetcdf>(name, workload, reads, way, hints);
}

namespace {

void put_attributes(int file, int var, const std::vector<Attribute> &attributes) {
  for (const Attribute &one : attributes)
    check_pnetcdf(ncmpi_put_att(file, var, one.name.c_str(), one.type, one.count, one.values.data()), "put_att");
}

}  // namespace

int create_pnetcdf(MPI_Comm comm, const Schema &schema, const std::string &path, const Hints &hints,
                   std::vector<int> &variables) {
  MPI_Info info = MPI_INFO_NULL;
  if (!hints.empty() && MPI_Info_create(&info) != MPI_SUCCESS) throw std::runtime_error("MPI makes no list of hints");
  for (const auto &[key, value] : hints) {
    if (MPI_Info_set(info, key.c_str(), value.c_str()) != MPI_SUCCESS)
      throw std::runtime_error("MPI does not take the hint '" + key + "'");
  }
  int file = 0;
  check_pnetcdf(ncmpi_create(comm, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info, &file), "create");
  if (info != MPI_INFO_NULL && MPI_Info_free(&info) != MPI_SUCCESS) throw std::runtime_error("MPI frees no hints");
  std::vector<int> dims(schema.dims.size());
  variables.assign(schema.variables.size(), 0);
  for (size_t d = 0; d < dims.size(); ++d)
    check_pnetcdf(ncmpi_def_dim(file, schema.dims[d].name.c_str(), schema.dims[d].length, &dims[d]), "def_dim");
  for (size_t v = 0; v < variables.size(); ++v) {
    const Variable &what = schema.variables[v];  // the numbers of the dimensions are those of the schema
    check_pnetcdf(ncmpi_def_var(file, what.name.c_str(), what.type.number, static_cast<int>(what.dims.size()),
                                what.dims.data(), &variables[v]),
                  "def_var");
  }
  put_attributes(file, NC_GLOBAL, schema.attributes);
  for (size_t v = 0; v < variables.size(); ++v) put_attributes(file, variables[v], schema.variables[v].attributes);
  check_pnetcdf(ncmpi_enddef(file), "enddef");
  return file;
}

std::string pnetcdf_version() { return ncmpi_inq_libvers(); }

}  // namespace sv_bench
