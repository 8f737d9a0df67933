// Files of very many dimensions, variables and attributes: the cost of each step of defining, writing and opening them
// grows with their number, and not with its square. DIMS, VARIABLES and ATTRIBUTES set how many.
// run: ranks=2 limit=90
#include <algorithm>
#include <ctime>

#include "support/files.hpp"
#include "support/points.hpp"

namespace {

using namespace svtest;

struct Many {
  int64_t dims, variables, attributes;  // these of the file, and as many of the variables
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Adds what each step takes of this process.
class Steps {
 public:
  void end(const std::string &name) {
    const double now = processor_seconds();
    seconds[name] += now - begun_;
    begun_ = processor_seconds();
  }
  std::map<std::string, double> seconds;

 private:
  double begun_ = processor_seconds();
};

std::string name_of(const char *kind, int64_t i) { return kind + std::to_string(i); }

void define(sv_file *file, const Many &many, Steps &steps) {
  int id = -1;
  for (int64_t i = 0; i < many.dims; ++i) SV_MUST(sv_def_dim(file, name_of("dimension_", i).c_str(), 1 + i % 3, &id));
  steps.end("dimensions");
  for (int64_t i = 0; i < many.variables; ++i) {
    const int dim = static_cast<int>(i % many.dims);
    SV_MUST(sv_def_var(file, name_of("variable_", i).c_str(), SV_DOUBLE, 1, &dim, &id));
  }
  steps.end("variables");
  for (int64_t i = 0; i < many.attributes; ++i)
    SV_MUST(sv_put_att_text(file, SV_GLOBAL, name_of("attribute_", i).c_str(), "value"));
  steps.end("attributes of the file");
  for (int64_t i = 0; i < many.attributes; ++i)
    SV_MUST(sv_put_att_text(file, static_cast<int>(i % many.variables), name_of("attribute_", i).c_str(), "value"));
  steps.end("attributes of variables");
  for (const char *kind : {"renamed_", "variable_"})
    for (int64_t i = 0; i < many.variables; ++i)
      SV_MUST(sv_rename_var(file, static_cast<int>(i), name_of(kind, i).c_str()));
  for (const char *kind : {"renamed_", "dimension_"})
    for (int64_t i = 0; i < many.dims; ++i) SV_MUST(sv_rename_dim(file, static_cast<int>(i), name_of(kind, i).c_str()));
  steps.end("renaming");
}

void inquire(sv_file *file, const Many &many, Steps &steps) {
  int id = -1;
  for (int64_t i = 0; i < many.dims; ++i) SV_MUST(sv_inq_dimid(file, name_of("dimension_", i).c_str(), &id));
  for (int64_t i = 0; i < many.variables; ++i) SV_MUST(sv_inq_varid(file, name_of("variable_", i).c_str(), &id));
  steps.end("looking up names");
  for (int64_t i = 0; i < many.attributes; ++i)
    SV_MUST(sv_inq_att(file, SV_GLOBAL, name_of("attribute_", i).c_str(), nullptr, nullptr));
  steps.end("looking up attributes");
}

std::map<std::string, double> measured(const Many &many) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  sv_file *file = nullptr;
  Steps steps;
  SV_MUST(sv_create(io, "many.nc", 0, &file));
  define(file, many, steps);
  SV_MUST(sv_enddef(file));
  steps.end("sv_enddef");
  inquire(file, many, steps);
  const std::vector<double> values(3, 1);
  for (int v = 0; v < many.variables / 2; ++v)
    SV_MUST(sv_put_var(file, v, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  steps.end("putting half of the variables");
  SV_MUST(sv_close(file));
  steps.end("sv_close");
  SV_MUST(sv_open(io, "many.nc", SV_WRITE, &file));
  steps.end("sv_open");
  SV_MUST(sv_redef(file));
  int id = -1;
  SV_MUST(sv_def_dim(file, "more", 3, &id));
  SV_MUST(sv_enddef(file));
  steps.end("sv_redef to sv_enddef");
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  return steps.seconds;
}

using Seconds = std::map<std::string, double>;

/// Collective. The step that costs more and more for each definition, or none: a linear growth, twice over,
/// with the error of a clock on a loaded machine; 16 times is a growth with the square.
std::string too_slow(const Seconds &all, const Seconds &few, int64_t parts) {
  std::string found;
  for (const auto &[step, seconds] : all) {
    int slow = seconds > 2 * static_cast<double>(parts) * few.at(step) + 0.2;
    MPI_Allreduce(MPI_IN_PLACE, &slow, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (slow && found.empty()) found = step;
  }
  return found;
}

/// The least of both.
void take_least(Seconds &least, const Seconds &other) {
  for (auto &[step, seconds] : least) seconds = std::min(seconds, other.at(step));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Many many{number_of("DIMS", 5000), number_of("VARIABLES", 8000), number_of("ATTRIBUTES", 40000)};
  const int64_t parts = 4;
  const Seconds few = measured({many.dims / parts, many.variables / parts, many.attributes / parts});
  Seconds all = measured(many);
  // A rank that waits for a processor counts the wait as its own: a growth in only one run of three is not ours.
  for (int run = 1; run < 3 && !too_slow(all, few, parts).empty(); ++run) take_least(all, measured(many));
  for (const auto &[step, seconds] : all)
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::printf("%-26s %8.3f s, %8.3f s of a %lldth\n", step.c_str(), seconds, few.at(step),
                  static_cast<long long>(parts));
  const std::string found = too_slow(all, few, parts);
  require(found.empty(), found + " costs more and more for each definition");
  return MPI_Finalize();
}
