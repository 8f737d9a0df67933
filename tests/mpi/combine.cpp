// Random requests that are combined give the file that the same puts give one by one, byte for byte; and combined
// gets return the values of the file. COUNT is the number of files, SEED the first, STORE their store.
// run: ranks=3 limit=90 sanitize=no
// run: ranks=5 limit=90
// run: ranks=2 limit=90 name=pnetcdf env=STORE=pnetcdf;COUNT=10
// run: ranks=5 limit=90 name=netcdf4 env=STORE=netcdf4;COUNT=4
// run: ranks=5 limit=90 name=netcdf4_nodes env=STORE=netcdf4;COUNT=4;SV_TESTING_RANKS_PER_NODE=3
// run: ranks=3 limit=90 name=behind_netcdf4 behind env=STORE=netcdf4;COUNT=4;SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=90 name=netcdf4_library env=STORE=netcdf4_library;COUNT=4
// run: ranks=1 limit=60
// run: ranks=5 limit=90 name=behind behind
#include <cstdlib>
#include <sstream>

#include "support/files.hpp"
#include "support/random_case.hpp"

namespace {

using namespace svtest;

constexpr int pieces_each = 3;

/// One region of a variable, the record dimension included, and who puts it.
struct Piece {
  size_t spec;
  int rank;
  Block block;
  int64_t elements() const { return product(block.count); }
};

struct Case {
  std::string description;
  std::vector<std::string> options;
  int64_t records = 0;
  std::vector<Spec> specs;
  std::vector<Piece> pieces;
};

std::string text_of(const char *name, const char *otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

Numbers whole_shape(const Case &made, const Spec &spec) {
  Numbers shape = spec.shape;
  if (spec.records) shape.insert(shape.begin(), made.records);
  return shape;
}

Spec random_variable(Random &random, const std::string &name) {
  static const std::vector<int> types{SV_BYTE, SV_SHORT, SV_INT, SV_FLOAT, SV_DOUBLE};
  Spec spec;
  spec.name = name;
  spec.type = random.one_of(types);
  spec.memory = random.chance(60) ? spec.type : random.one_of(types);
  spec.records = random.chance(60);
  for (int64_t d = 0, dims = random.between(0, 3); d < dims; ++d) {
    spec.shape.push_back(random.between(1, 12));
    spec.dims.push_back("n" + std::to_string(spec.shape.back()));
  }
  return spec;
}

Case make_case(Random &random, uint64_t seed, int ranks) {
  Case made;
  made.options = random_options(random, ranks, false);
  std::erase_if(made.options, [](const std::string &each) { return each.rfind("combine", 0) == 0; });
  if (text_of("STORE", "cdf").starts_with("netcdf4")) std::erase(made.options, "format=cdf5");
  made.options.push_back("store=" + text_of("STORE", "cdf"));
  if (text_of("STORE", "cdf") == "netcdf4" && random.chance(60)) made.options.push_back("compression=deflate:1");
  made.records = random.between(1, 6);
  for (int v = 0, n = static_cast<int>(random.between(1, 8)); v < n; ++v)
    made.specs.push_back(random_variable(random, "v" + std::to_string(v)));
  for (size_t s = 0; s < made.specs.size(); ++s) {
    const Numbers shape = whole_shape(made, made.specs[s]);
    if (shape.empty()) {
      made.pieces.push_back({s, static_cast<int>(random.between(0, ranks - 1)), {}});
      continue;
    }
    const std::vector<Block> blocks = random_blocks(random, shape, pieces_each * ranks);
    for (size_t b = 0; b < blocks.size(); ++b)
      if (product(blocks[b].count) > 0 && random.chance(85))
        made.pieces.push_back({s, static_cast<int>(b % static_cast<size_t>(ranks)), blocks[b]});
  }
  random.shuffle(made.pieces);
  std::ostringstream description;
  description << "SEED=" << seed << " on " << ranks << " ranks:";
  for (const std::string &option : made.options) description << ' ' << option;
  made.description = description.str();
  return made;
}

/// The values of a region, contiguous.
std::vector<char> values_of(const Case &made, const Piece &piece) {
  const Spec &spec = made.specs[piece.spec];
  std::vector<char> values(static_cast<size_t>(piece.elements() * bytes_of(spec.memory)));
  char *to = values.data();
  for_each_index(piece.block.count, [&](const Numbers &at) {
    Numbers cell;
    for (size_t d = 0; d < at.size(); ++d) cell.push_back(piece.block.start[d] + at[d]);
    const int64_t record = spec.records ? cell[0] : -1;
    if (spec.records) cell.erase(cell.begin());
    store(spec.memory, to, truth(spec, record, linear(spec.shape, cell)));
    to += bytes_of(spec.memory);
  });
  return values;
}

/// A file of the case in writing.
struct Writer {
  const Case &made;
  Output out;

  Writer(const Case &of, sv_context *io, const std::string &path) : made(of), out{io, rank_in(MPI_COMM_WORLD)} {
    SV_MUST(sv_create(io, path.c_str(), 0, &out.file));
    define(out, made.specs);
    SV_MUST(sv_enddef(out.file));
  }
  int id(const Piece &piece) { return out.ids.at(made.specs[piece.spec].name); }
  int memory(const Piece &piece) const { return made.specs[piece.spec].memory; }
  void close() {
    SV_MUST(sv_end_step(out.io));
    SV_MUST(sv_close(out.file));
    SV_MUST(sv_flush(out.io, SV_WRITTEN));  // where threads write behind the calls
  }
};

void write_one_by_one(const Case &made, sv_context *io, const std::string &path) {
  Writer writer(made, io, path);
  for (const Piece &piece : made.pieces) {
    const Numbers nothing(piece.block.count.size(), 0);
    const bool mine = piece.rank == writer.out.rank || piece.block.count.empty();
    const std::vector<char> values = values_of(made, piece);
    if (piece.block.count.empty())
      SV_MUST(
          sv_put_var(writer.out.file, writer.id(piece), SV_NO_RECORD, writer.memory(piece), values.data(), nullptr));
    else
      SV_MUST(sv_put_vara(writer.out.file, writer.id(piece), mine ? piece.block.start.data() : nothing.data(),
                          mine ? piece.block.count.data() : nothing.data(), writer.memory(piece), values.data(),
                          nullptr));
  }
  writer.close();
}

/// What a rank puts, and the arrays behind it.
struct Lists {
  std::vector<int> vars;
  std::vector<const int64_t *> starts, counts;
  std::vector<sv_source> values;
};

/// Requests that wait: every piece by itself, as a buffered one, or several of a variable as regions of one.
void post(Writer &writer, Random &random, const std::vector<const Piece *> &mine,
          std::vector<std::vector<char>> &arrays) {
  for (size_t i = 0; i < mine.size(); ++i) {
    const Piece &piece = *mine[i];
    std::vector<const int64_t *> starts{piece.block.start.data()}, counts{piece.block.count.data()};
    arrays.push_back(values_of(writer.made, piece));
    std::vector<char> &values = arrays.back();
    while (i + 1 < mine.size() && mine[i + 1]->spec == piece.spec && random.chance(50)) {
      ++i;
      starts.push_back(mine[i]->block.start.data());
      counts.push_back(mine[i]->block.count.data());
      const std::vector<char> more = values_of(writer.made, *mine[i]);
      values.insert(values.end(), more.begin(), more.end());
    }
    sv_request request = SV_NO_REQUEST;
    const auto n = static_cast<int>(starts.size());
    if (random.chance(30)) {
      SV_MUST(sv_bput_varn(writer.out.file, writer.id(piece), n, starts.data(), counts.data(),
                           {writer.memory(piece), values.data(), nullptr}, &request));
      std::fill(values.begin(), values.end(), static_cast<char>(77));  // it may be reused at once
    } else if (n > 1) {
      SV_MUST(sv_iput_varn(writer.out.file, writer.id(piece), n, starts.data(), counts.data(),
                           {writer.memory(piece), values.data(), nullptr}, &request));
    } else {
      SV_MUST(sv_iput_vara(writer.out.file, writer.id(piece), starts[0], counts[0],
                           {writer.memory(piece), values.data(), nullptr}, &request));
    }
  }
}

void write_combined(const Case &made, sv_context *io, const std::string &path, Random &own) {
  Writer writer(made, io, path);
  const auto explicit_ones = made.pieces.size() * static_cast<size_t>(made.records) % 3;  // the same on all ranks
  std::vector<const Piece *> mine;
  for (const Piece &piece : made.pieces)
    if (piece.rank == writer.out.rank) mine.push_back(&piece);
  std::vector<std::vector<char>> arrays;
  arrays.reserve(mine.size());
  const size_t first = explicit_ones == 0 ? mine.size() : explicit_ones == 1 ? mine.size() / 2 : 0;
  Lists lists;
  for (size_t i = first; i < mine.size(); ++i) {
    arrays.push_back(values_of(made, *mine[i]));
    lists.vars.push_back(writer.id(*mine[i]));
    lists.starts.push_back(mine[i]->block.start.data());
    lists.counts.push_back(mine[i]->block.count.data());
    lists.values.push_back({writer.memory(*mine[i]), arrays.back().data(), nullptr});
  }
  post(writer, own, {mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(first)}, arrays);
  SV_MUST(sv_mput_vara(writer.out.file, static_cast<int>(lists.vars.size()), lists.vars.data(), lists.starts.data(),
                       lists.counts.data(), lists.values.data()));
  SV_MUST(sv_wait(writer.out.file, SV_ALL, nullptr, nullptr));
  writer.close();
}

/// Gets random regions, overlapping as they like, all of them with one wait.
void read_together(const Case &made, sv_context *io, const std::string &path, Random &own) {
  const NetcdfFile truth_file(path);
  sv_file *file = open_file(io, path);
  const int64_t records = truth_file.records();
  struct Wanted {
    const Spec *spec;
    Block block;
    std::vector<double> found;
  };
  std::vector<Wanted> all;
  for (int64_t i = 0, n = own.between(0, 6); i < n; ++i) {
    Wanted wanted{&own.one_of(made.specs), {}, {}};
    Numbers shape = wanted.spec->shape;
    if (wanted.spec->records) shape.insert(shape.begin(), records);
    if (product(shape) == 0) continue;
    for (const int64_t length : shape) {
      wanted.block.start.push_back(own.between(0, length - 1));
      wanted.block.count.push_back(own.between(1, length - wanted.block.start.back()));
    }
    wanted.found.assign(static_cast<size_t>(product(wanted.block.count)), -1);
    all.push_back(std::move(wanted));
  }
  for (Wanted &each : all) {
    const int id = var_id(file, each.spec->name);
    SV_MUST(sv_iget_vara(file, id, each.block.start.data(), each.block.count.data(),
                         {SV_DOUBLE, each.found.data(), nullptr}, nullptr));
  }
  SV_MUST(sv_wait(file, SV_ALL, nullptr, nullptr));
  for (const Wanted &each : all) {
    size_t i = 0;
    for_each_index(each.block.count, [&](const Numbers &at) {
      Numbers cell;
      for (size_t d = 0; d < at.size(); ++d) cell.push_back(each.block.start[d] + at[d]);
      const int64_t record = each.spec->records ? cell[0] : -1;
      if (each.spec->records) cell.erase(cell.begin());
      const double right = truth_file.values(each.spec->name, each.spec->shape,
                                             record)[static_cast<size_t>(linear(each.spec->shape, cell))];
      require(each.found[i++] == right, made.description + ": got another value of " + each.spec->name);
    });
  }
  SV_MUST(sv_close(file));
}

void compare(const Case &made) {
  const std::string one = "one_by_one.nc", combined = "combined.nc";
  if (!text_of("STORE", "cdf").starts_with("netcdf4"))
    return require(bytes_of_file(one) == bytes_of_file(combined), made.description + ": the files differ");
  const NetcdfFile a(one), b(combined);
  require(a.records() == b.records(), made.description + ": other records");
  for (const Spec &spec : made.specs)
    for (int64_t r = spec.records ? 0 : -1; r < (spec.records ? a.records() : 0); ++r)
      require(a.values(spec.name, spec.shape, r) == b.values(spec.name, spec.shape, r),
              made.description + ": other values of " + spec.name);
}

void run(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Random random(seed), own(seed * 1000 + static_cast<uint64_t>(rank));
  const Case made = make_case(random, seed, ranks);
  sv_context *io = start(MPI_COMM_WORLD, made.options);
  write_one_by_one(made, io, "one_by_one.nc");
  write_combined(made, io, "combined.nc", own);
  at_root([&] { compare(made); });
  read_together(made, io, "combined.nc", own);
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (const std::string store = text_of("STORE", "cdf"); store != "cdf" && !has_store(store)) return MPI_Finalize();
  const int64_t count = std::atoll(text_of("COUNT", "25").c_str());
  const auto seed = static_cast<uint64_t>(std::atoll(text_of("SEED", "1").c_str()));
  for (int64_t i = 0; i < count; ++i) run(seed + static_cast<uint64_t>(i));
  MPI_Finalize();
  return 0;
}
