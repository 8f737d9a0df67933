// Writes one field for each line of a file of cases, through the public interface, and leaves two summaries of each:
// LINE.without.json of a run that writes nothing of the field, LINE.with.json of one that writes it. Their difference
// is what writing the field took.
//
//   real_run CASES        a line: levels rows columns px py BLOCKS KEY=VALUE...
//
// BLOCKS: "-", or the blocks that have a rank, x fastest, with commas between; or "random" or "strips": of px * py
// ranks, which have the points that sv-plan deals to them. Run it with a rank for each block,
// and for each of the servers that the options ask for.
#include <mpi.h>
#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

void must(int status, const char *call) {
  if (status == SV_OK) return;
  std::fprintf(stderr, "%s: %s\n", call, sv_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

struct Case {
  std::array<int64_t, 3> shape{};
  int px = 0, py = 0;
  std::string blocks;
  std::vector<std::string> options;

  bool has_points() const { return blocks == "random" || blocks == "strips"; }
  bool masked() const { return blocks != "-" && !has_points(); }
};

Case read_case(const std::string &line) {
  Case found;
  std::istringstream in(line);
  in >> found.shape[0] >> found.shape[1] >> found.shape[2] >> found.px >> found.py >> found.blocks;
  for (std::string option; in >> option;) {
    for (char &c : option)
      if (c == '_' && option.rfind("writers=", 0) == 0) c = ' ';  // "writers=1_per_node"
    found.options.push_back(option);
  }
  return found;
}

int block_of(const Case &each, int rank) {
  if (!each.masked()) return rank;
  std::istringstream in(each.blocks);
  std::string block;
  for (int r = 0; r <= rank; ++r) std::getline(in, block, ',');
  return std::stoi(block);
}

/// Block `index` of `parts` of a dimension: the first length % parts have one cell more.
std::array<int64_t, 2> part(int64_t length, int parts, int index) {
  const int64_t each = length / parts, longer = length % parts;
  return {index * each + std::min<int64_t>(index, longer), each + (index < longer ? 1 : 0)};
}

/// In order. Random: of a shuffled list, each rank has the cells that hold its part.
std::vector<int64_t> points_of(const Case &each, int rank) {
  const int64_t cells = each.shape[1] * each.shape[2];
  const int ranks = each.px * each.py;
  std::vector<int> owner(static_cast<size_t>(cells));
  for (int r = 0; r < ranks; ++r) {
    const auto [start, count] = part(cells, ranks, r);
    std::fill_n(owner.begin() + start, count, r);
  }
  if (each.blocks == "random") std::shuffle(owner.begin(), owner.end(), std::mt19937_64(1));
  std::vector<int64_t> own;
  for (int64_t cell = 0; cell < cells; ++cell)
    if (owner[static_cast<size_t>(cell)] == rank) own.push_back(cell);
  return own;
}

/// What this rank owns; `values` gets room for it.
sv_decomp *decomposed(const Case &each, sv_context *io, int rank, std::vector<double> &values) {
  sv_decomp *grid = nullptr;
  if (each.has_points()) {
    const std::vector<int64_t> own = points_of(each, rank);
    must(sv_def_points(io, 2, &each.shape[1], static_cast<int64_t>(own.size()), own.data(), 0, &grid), "sv_def_points");
    values.assign(static_cast<size_t>(each.shape[0]) * own.size(), rank);
    return grid;
  }
  const int block = block_of(each, rank);
  const auto y = part(each.shape[1], each.py, block / each.px), x = part(each.shape[2], each.px, block % each.px);
  const int64_t start[] = {y[0], x[0]}, count[] = {y[1], x[1]};
  values.assign(static_cast<size_t>(each.shape[0] * y[1] * x[1]), rank);
  const sv_decomp_options options{nullptr, nullptr, each.masked() ? SV_MASKED : 0};
  must(sv_def_decomp(io, 2, &each.shape[1], start, count, &options, &grid), "sv_def_decomp");
  return grid;
}

/// Masked fields are records: unwritten fixed variables would be filled, which is not compared.
void define_and_put(const Case &each, sv_file *file, sv_decomp *grid, const std::vector<double> *values) {
  int dims[4], var = 0;
  must(sv_def_dim(file, "time", SV_UNLIMITED, &dims[0]), "sv_def_dim");
  const char *names[] = {"lev", "lat", "lon"};
  for (int d = 0; d < 3; ++d)
    must(sv_def_dim(file, names[d], each.shape[static_cast<size_t>(d)], &dims[d + 1]), names[d]);
  const int first = each.masked() ? 0 : 1;
  must(sv_def_var(file, "field", SV_DOUBLE, 4 - first, dims + first, &var), "sv_def_var");
  must(sv_def_var_decomp_dim(file, var, each.masked() ? 2 : 1), "sv_def_var_decomp_dim");
  must(sv_enddef(file), "sv_enddef");
  if (values == nullptr) return;
  must(sv_put(file, var, grid, each.masked() ? 0 : SV_NO_RECORD, SV_DOUBLE, values->data(), nullptr), "sv_put");
}

void run(const Case &each, bool with, const std::string &summary) {
  std::vector<const char *> options;
  for (const std::string &option : each.options) options.push_back(option.c_str());
  options.push_back(each.masked() ? "fill=on" : "fill=off");
  const std::string shown = "summary=" + summary;  // at the end, when servers have reported
  options.push_back(shown.c_str());
  sv_context *io = nullptr;
  must(sv_init(MPI_COMM_WORLD, nullptr, static_cast<int>(options.size()), options.data(), &io), "sv_init");
  int computes = 0;
  must(sv_is_model(io, &computes), "sv_is_model");
  if (computes == 0) return must(sv_finalize(io), "sv_finalize");
  MPI_Comm models = MPI_COMM_NULL;
  must(sv_model_comm(io, &models), "sv_model_comm");
  int rank = 0;
  MPI_Comm_rank(models, &rank);
  std::vector<double> values;
  sv_decomp *const grid = decomposed(each, io, rank, values);
  sv_file *file = nullptr;
  // A name of its own: a set that replaces an older one has more in its header.
  must(sv_create(io, (summary + ".nc").c_str(), SV_CLOBBER, &file), "sv_create");
  define_and_put(each, file, grid, with ? &values : nullptr);
  must(sv_close(file), "sv_close");
  must(sv_finalize(io), "sv_finalize");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::ifstream cases(argc > 1 ? argv[1] : "");
  int number = 0;
  for (std::string line; std::getline(cases, line); ++number) {
    const Case each = read_case(line);
    for (const bool with : {false, true})
      run(each, with, std::to_string(number) + (with ? ".with.json" : ".without.json"));
  }
  if (number == 0) {
    std::fprintf(stderr, "real_run: no cases\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return MPI_Finalize();
}
