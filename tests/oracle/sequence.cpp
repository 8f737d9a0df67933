#include "sequence.hpp"

#include <sstream>

namespace svtest {

namespace {

const std::vector<int> narrow_types{SV_BYTE, SV_CHAR, SV_SHORT, SV_INT, SV_FLOAT, SV_DOUBLE};
const std::vector<int> all_types{SV_BYTE,  SV_CHAR,   SV_SHORT, SV_INT,   SV_FLOAT, SV_DOUBLE,
                                 SV_UBYTE, SV_USHORT, SV_UINT,  SV_INT64, SV_UINT64};
const std::vector<int> numbers{SV_BYTE,  SV_SHORT,  SV_INT,  SV_FLOAT, SV_DOUBLE,
                               SV_UBYTE, SV_USHORT, SV_UINT, SV_INT64, SV_UINT64};
constexpr int64_t most_records = 6;

const Attribute *find(const std::vector<Attribute> &all, const std::string &name) {
  for (const Attribute &each : all)
    if (each.name == name) return &each;
  return nullptr;
}

/// Makes the operations one by one from the definitions so far.
class Maker {
 public:
  Maker(Case &made, Random &random) : made_(made), random_(random) {}

  void make() {
    const int64_t dims = random_.between(1, 4), vars = random_.between(1, 5);
    if (random_.chance(85)) add_dim(0);
    for (int64_t d = 0; d < dims; ++d) add_dim(random_.between(1, 7));
    for (int64_t v = 0; v < vars; ++v) add_var();
    change_definitions(random_.between(0, 6));
    add({Step::enddef, {}, {}, {}, {}});
    for (int64_t left = random_.between(3, 25); left > 0; --left) add_any();
  }

 private:
  void add(Operation operation) {
    if (!world_.allows(operation)) return;
    world_.apply(operation);
    made_.operations.push_back(std::move(operation));
  }
  uint64_t salt() { return static_cast<uint64_t>(random_.between(1, 1 << 30)); }
  std::string new_id(const char *letter) { return letter + std::to_string(next_++); }
  bool wide() const { return made_.version == 5 || made_.version == 4; }
  int any_type() { return random_.one_of(wide() ? all_types : narrow_types); }

  void add_dim(int64_t length) {
    Operation made{Step::dim, new_id("d"), {}, {}, {}};
    made.name = length == 0 ? "time" : random_name(made.id);
    made.length = length;
    add(made);
  }
  std::string random_name(const std::string &id) {
    return id + std::string(static_cast<size_t>(random_.between(0, 9)), 'x');
  }

  void add_var() {
    Operation made{Step::var, new_id("v"), {}, {}, {}};
    made.name = random_name(made.id);
    made.type = any_type();
    made.fill = made.type != SV_CHAR && random_.chance(40);
    made.salt = salt();
    const bool records = !world_.dims.empty() && world_.dims[0].length == 0;
    if (records && random_.chance(65)) made.dims.push_back(world_.dims[0].id);
    const auto first = records ? 1 : 0, last = static_cast<int>(world_.dims.size()) - 1;
    if (first <= last)
      for (int64_t n = random_.between(0, 3); n > 0; --n)
        made.dims.push_back(world_.dims[static_cast<size_t>(random_.between(first, last))].id);
    add(made);
  }

  const VarCase &any_var() { return random_.one_of(world_.vars); }

  void change_definitions(int64_t times) {
    for (; times > 0; --times) {
      const std::string owner = random_.chance(25) || world_.vars.empty() ? "" : any_var().id;
      const std::string name = "a" + std::to_string(random_.between(0, 3)),
                        other = "b" + std::to_string(random_.between(0, 3));
      Operation made{Step::put_att, owner, name, other, {}};
      made.salt = salt();
      made.type = any_type();
      made.length = random_.between(1, 9);
      const int64_t what = random_.between(1, 12);
      if (what == 7) made.step = Step::del_att;
      if (what == 8) made.step = Step::rename_att;
      if (what == 9 && !world_.vars.empty()) {
        made.step = Step::copy_att;
        made.to = any_var().id;
      }
      if (what == 10 && !world_.vars.empty()) made = {Step::rename_var, any_var().id, {}, new_id("w"), {}};
      if (what == 11 && !world_.dims.empty())
        made = {Step::rename_dim, random_.one_of(world_.dims).id, {}, new_id("e"), {}};
      add(made);
    }
  }

  void redefine() {
    if (!made_.redefines) return;
    add({Step::redef, {}, {}, {}, {}});
    if (random_.chance(30)) add_dim(random_.between(1, 7));
    for (int64_t n = random_.chance(60) ? random_.between(1, 2) : 0; n > 0; --n) add_var();
    change_definitions(random_.between(0, 5));
    add({Step::enddef, {}, {}, {}, {}});
  }

  void add_any() {
    const int64_t what = random_.between(1, 100);
    Operation made{Step::put, {}, {}, {}, {}};
    made.salt = salt();
    if (what <= 50) {
      made.puts.push_back(any_put(any_var(), false));
    } else if (what <= 64) {
      made.step = Step::together;
      made.together = static_cast<Together>(random_.between(0, 3));
      for (const VarCase &var : world_.vars)
        if (random_.chance(60)) made.puts.push_back(any_put(var, true));
      if (made.puts.empty()) return;
    } else if (what <= 78) {
      made.step = Step::end_step;
    } else if (what <= 84) {
      made.step = Step::sync;
    } else if (what <= 90) {
      made.step = Step::get;
      made.id = any_var().id;
    } else if (what <= 95) {
      return redefine();
    } else {
      made.step = Step::reopen;
    }
    add(made);
  }

  Put any_put(const VarCase &var, bool together) {
    Put made{var.id, Call::vara, {}, {}, {}, SV_CHAR, salt()};
    if (var.type != SV_CHAR) made.memory = random_.chance(50) ? var.type : random_.one_of(numbers);
    const Numbers shape = world_.shape(var);
    const size_t fixed = shape.size() - (var.records ? 1 : 0);
    std::vector<Call> calls{Call::replicated};
    if (fixed > 0) calls.insert(calls.end(), {Call::field, Call::points});
    if (!shape.empty()) calls.insert(calls.end(), {Call::vara, Call::vara, Call::vars, Call::strided, Call::varn});
    made.call = random_.one_of(calls);
    if (together && (made.call == Call::field || made.call == Call::replicated || made.call == Call::points) &&
        !shape.empty())
      made.call = Call::vara;
    const bool whole = made.call == Call::field || made.call == Call::replicated || made.call == Call::points;
    for (size_t d = 0; d < shape.size(); ++d) {
      const bool record = var.records && d == 0;
      const int64_t length = record ? most_records : shape[d];
      const int64_t start = whole && !record ? 0 : random_.between(0, length - 1);
      const int64_t apart = made.call == Call::vars ? random_.between(1, 3) : 1;
      const int64_t most = (length - start + apart - 1) / apart;
      made.start.push_back(start);
      made.apart.push_back(apart);
      made.count.push_back(whole ? (record ? 1 : length)
                                 : random_.between(1, record ? std::min<int64_t>(most, 3) : most));
    }
    return made;
  }

  Case &made_;
  Random &random_;
  World world_;
  int next_ = 0;
};

std::vector<std::string> any_options(Random &random, int ranks, const std::string &store) {
  const bool served = ranks > 1 && random.chance(30);
  const int64_t servers = served ? random.between(1, ranks - 1) : 0, models = ranks - servers;
  const int64_t writers = served ? servers : models;
  std::vector<std::string> options{"store=" + store};
  if (served) options.push_back("async=servers:" + std::to_string(servers));
  const int64_t route = random.between(1, 6);
  if (route == 1) options.emplace_back("route=serial");
  if (route == 2) options.emplace_back("route=shared");
  if (route == 3)
    options.insert(options.end(), {"route=ranges", "writers=" + std::to_string(random.between(1, writers))});
  if (random.chance(30)) options.emplace_back("transport.window=64KiB");
  if (random.chance(50)) options.emplace_back("file_system.stripe=4096");
  if (random.chance(15)) options.emplace_back("transport=send");
  if (random.chance(35)) options.emplace_back("combine=step");
  if (random.chance(20)) options.push_back("combine.memory=" + std::to_string(random.between(50000, 60000)));
  if (random.chance(40)) options.push_back("testing.ranks_per_node=" + std::to_string(random.between(1, ranks)));
  if (random.chance(50)) options.push_back("header_reserve=" + std::to_string(random.between(0, 300)));
  if (random.chance(20)) options.emplace_back("reading=self");
  if (random.chance(5)) options.emplace_back("durability=on_disk");
  return options;
}

}  // namespace

int World::dim(const std::string &id) const {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i].id == id) return static_cast<int>(i);
  return -1;
}

int World::var(const std::string &id) const {
  for (size_t i = 0; i < vars.size(); ++i)
    if (vars[i].id == id) return static_cast<int>(i);
  return -1;
}

std::vector<Attribute> &World::attributes_of(const std::string &var_id) {
  return var_id.empty() ? attributes : vars[static_cast<size_t>(var(var_id))].attributes;
}

Numbers World::shape(const VarCase &of) const {
  Numbers shape;
  for (const int dim : of.dims) shape.push_back(dims[static_cast<size_t>(dim)].length);
  return shape;
}

bool World::allows(const Operation &op) {
  const auto known = [&](const std::string &id) { return id.empty() || var(id) >= 0; };
  const auto has = [&](const std::string &id, const std::string &name) {
    return find(attributes_of(id), name) != nullptr;
  };
  switch (op.step) {
    case Step::dim:
      return defining;
    case Step::var: {
      if (!defining) return false;
      for (const std::string &id : op.dims)
        if (dim(id) < 0) return false;
      return true;
    }
    case Step::put_att:
      return defining && known(op.id);
    case Step::del_att:
      return defining && known(op.id) && has(op.id, op.name);
    case Step::rename_att:
      return defining && known(op.id) && has(op.id, op.name) && !has(op.id, op.to);
    case Step::copy_att:
      return defining && known(op.id) && var(op.to) >= 0 && op.id != op.to && has(op.id, op.name);
    case Step::rename_dim:
      return defining && dim(op.id) >= 0;
    case Step::rename_var:
      return defining && var(op.id) >= 0;
    case Step::enddef:
      return defining && !vars.empty();
    case Step::get:
      return !defining && var(op.id) >= 0;
    case Step::put:
    case Step::together:
      if (defining) return false;
      for (const Put &put : op.puts)
        if (var(put.var) < 0) return false;
      return true;
    default:
      return !defining;
  }
}

void World::apply(const Operation &op) {
  const auto set = [&](const std::string &id, const Attribute &made) {
    std::vector<Attribute> &all = attributes_of(id);
    for (Attribute &each : all)
      if (each.name == made.name) {
        each = made;
        return;
      }
    all.push_back(made);
  };
  if (op.step == Step::enddef) defining = false;
  if (op.step == Step::redef) defining = true;
  if (op.step == Step::dim) dims.push_back({op.id, op.name, op.length});
  if (op.step == Step::rename_dim) dims[static_cast<size_t>(dim(op.id))].name = op.to;
  if (op.step == Step::rename_var) vars[static_cast<size_t>(var(op.id))].name = op.to;
  if (op.step == Step::put_att) set(op.id, {op.name, op.type, op.length});
  if (op.step == Step::copy_att) set(op.to, *find(attributes_of(op.id), op.name));
  if (op.step == Step::del_att)
    std::erase_if(attributes_of(op.id), [&](const Attribute &each) { return each.name == op.name; });
  if (op.step == Step::rename_att)
    for (Attribute &each : attributes_of(op.id))
      if (each.name == op.name) each.name = op.to;
  if (op.step != Step::var) return;
  VarCase made{op.id, op.name, op.type, {}, false, {}};
  for (const std::string &id : op.dims) made.dims.push_back(dim(id));
  made.records = !made.dims.empty() && dims[static_cast<size_t>(made.dims[0])].length == 0;
  if (op.fill) made.attributes.push_back({"_FillValue", op.type, 1});
  vars.push_back(made);
}

Case make_case(uint64_t seed, int ranks, const std::string &store) {
  Case made;
  Random random(seed);
  made.seed = seed;
  made.version =
      store.starts_with("netcdf4") ? (random.chance(70) ? 4 : 3) : random.one_of(std::vector<int>{1, 2, 2, 5, 5});
  made.kind = random.one_of(std::vector<int>{0, SV_PUBLISHED, SV_GROWING});
  made.redefines = store == "cdf";
  made.options = any_options(random, ranks, store);
  Maker(made, random).make();
  return made;
}

std::string describe(const Operation &op) {
  static const char *const steps[] = {"dim",        "var",      "put_att", "del_att", "rename_dim", "rename_var",
                                      "rename_att", "copy_att", "enddef",  "redef",   "put",        "together",
                                      "end_step",   "sync",     "get",     "reopen"};
  static const char *const calls[] = {"vara", "vars", "strided", "field", "replicated", "points", "varn"};
  static const char *const groups[] = {"mput_vara", "iput", "bput", "mput"};
  std::ostringstream out;
  const auto list = [&](const char *what, const Numbers &all) {
    out << what;
    for (size_t i = 0; i < all.size(); ++i) out << (i > 0 ? "," : "") << all[i];
  };
  out << steps[static_cast<int>(op.step)];
  if (op.step == Step::together) out << ' ' << groups[static_cast<int>(op.together)];
  if (!op.id.empty()) out << ' ' << op.id;
  if (!op.name.empty()) out << ' ' << op.name;
  if (!op.to.empty()) out << " to " << op.to;
  for (const std::string &dim : op.dims) out << ' ' << dim;
  if (op.step == Step::var || op.step == Step::put_att)
    out << " type " << op.type << (op.fill ? " with a fill value" : "");
  if (op.step == Step::dim || op.step == Step::put_att) out << " length " << op.length;
  for (const Put &put : op.puts) {
    out << " [" << put.var << ' ' << calls[static_cast<int>(put.call)] << " memory " << put.memory;
    list(" start ", put.start);
    list(" count ", put.count);
    list(" apart ", put.apart);
    out << ']';
  }
  return out.str();
}

std::vector<char> attribute_of(const Operation &op) {
  std::vector<char> bytes(static_cast<size_t>(op.length * bytes_of(op.type)));
  for (int64_t i = 0; i < op.length; ++i)
    store(op.type, bytes.data() + i * bytes_of(op.type),
          op.type == SV_CHAR ? 'a' + static_cast<double>((op.salt + static_cast<uint64_t>(i)) % 26)
                             : static_cast<double>((op.salt + static_cast<uint64_t>(i)) % 100));
  return bytes;
}

std::vector<char> fill_of(const Operation &op) {
  std::vector<char> bytes(static_cast<size_t>(bytes_of(op.type)));
  store(op.type, bytes.data(), static_cast<double>(op.salt % 121));
  return bytes;
}

double value_at(const Put &put, int type, int64_t place) {
  uint64_t hash = (static_cast<uint64_t>(place) + 1) * 0x9E3779B97F4A7C15ull ^ put.salt * 0xBF58476D1CE4E5B9ull;
  hash ^= hash >> 31;
  hash *= 0x94D049BB133111EBull;
  hash ^= hash >> 29;
  const auto whole = static_cast<double>(hash % 120);
  const auto is_signed = [](int of) { return of != SV_CHAR && (of < SV_UBYTE || of == SV_INT64); };
  const double sign = is_signed(type) && is_signed(put.memory) && hash % 3 == 0 ? -1 : 1;
  return sign * (is_real(type) && is_real(put.memory) ? whole + static_cast<double>(hash / 128 % 1000) / 1000 : whole);
}

}  // namespace svtest
