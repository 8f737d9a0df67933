#include "cdl.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "cdl_tokens.hpp"
#include "cdl_values.hpp"

namespace sv_bench {

namespace {

const std::map<std::string, int> &type_names() {
  static const std::map<std::string, int> names{
      {"byte", SV_BYTE}, {"char", SV_CHAR},     {"short", SV_SHORT}, {"int", SV_INT},       {"integer", SV_INT},
      {"long", SV_INT},  {"float", SV_FLOAT},   {"real", SV_FLOAT},  {"double", SV_DOUBLE}, {"ubyte", SV_UBYTE},
      {"uint", SV_UINT}, {"ushort", SV_USHORT}, {"int64", SV_INT64}, {"uint64", SV_UINT64}};
  return names;
}

/// What ncdump -s makes up.
bool is_virtual(const std::string &attribute) {
  static const std::set<std::string> names{"_Format",       "_Storage",      "_ChunkSizes", "_DeflateLevel",
                                           "_Shuffle",      "_Endianness",   "_NoFill",     "_Fletcher32",
                                           "_NCProperties", "_IsNetcdf4",    "_Filter",     "_SuperblockVersion",
                                           "_Codecs",       "_NCTraceScope", "_Szip",       "_NCProperties"};
  return names.contains(attribute);
}

class CdlParser {
 public:
  CdlParser(const std::string &text, const std::string &origin) : origin_(origin), tokens_(cdl_tokens(text, origin)) {}

  Header parse() {
    take_word("netcdf");
    while (!is("{") && !at_end()) ++at_;  // a name, of any characters
    take("{");
    while (!is("}") && !is_section("data")) part();
    storage_.resize(schema_.variables.size());
    return {std::move(schema_), std::move(storage_)};
  }

 private:
  using Kind = CdlToken::Kind;

  const CdlToken &now(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return now().kind == Kind::end; }
  bool is(const char *symbol, size_t ahead = 0) const {
    return now(ahead).kind == Kind::symbol && now(ahead).text == symbol;
  }
  /// "data:", but not the attribute of a variable of that name.
  bool is_section(const char *name) const {
    const bool attribute = vars_.contains(name) && now(2).line == now(1).line;
    return now().kind == Kind::word && now().text == name && is(":", 1) && !attribute;
  }
  [[noreturn]] void fail(const std::string &cause) const { throw cdl_error(origin_, now().line, cause); }

  void take(const char *symbol) {
    if (!is(symbol)) fail(std::string("'") + symbol + "' is missing before '" + now().text + "'");
    ++at_;
  }
  void take_word(const char *word) {
    if (now().kind != Kind::word || now().text != word) fail(std::string("'") + word + "' is missing");
    ++at_;
  }
  std::string name() {
    if (now().kind != Kind::word) fail("a name is missing before '" + now().text + "'");
    if (now().text.size() >= SV_MAX_NAME) fail("a name is longer than " + std::to_string(SV_MAX_NAME - 1) + " bytes");
    return tokens_[at_++].text;
  }

  void part() {
    for (const char *section : {"dimensions", "variables"}) {
      if (!is_section(section)) continue;
      in_dimensions_ = section[0] == 'd';
      at_ += 2;
      return;
    }
    if (is_section("types")) fail("types of the user's cannot be replayed");
    if (now().kind == Kind::word && now().text == "group" && is(":", 1) && is("{", 3))
      fail("groups cannot be replayed: give the header of one group as a file of its own");
    const std::string &word = now().text;
    const bool type = (word == "string" || type_names().contains(word)) && !vars_.contains(word);
    if (is(":") || (is(":", 1) && !type)) return attribute(0);
    in_dimensions_ ? dimension() : variables();
  }

  void dimension() {
    do {
      const std::string called = name();
      take("=");
      const CdlToken length = now();
      ++at_;
      const bool unlimited = length.text == "UNLIMITED" || length.text == "unlimited";
      char *end = nullptr;
      const int64_t cells = unlimited ? 0 : std::strtoll(length.text.c_str(), &end, 10);
      if (!unlimited && (length.kind != Kind::word || *end != '\0' || cells < 1 || cells > most_cells))
        fail("dimension '" + called + "': '" + length.text + "' is no length");
      if (dims_.contains(called)) fail("there are two dimensions '" + called + "'");
      if (unlimited && records_) fail("more than one unlimited dimension cannot be replayed: '" + called + "'");
      dims_[called] = static_cast<int>(schema_.dims.size());
      schema_.dims.push_back({called, cells});
      records_ = records_ || unlimited;
      // ncdump: "time = UNLIMITED ; // (12 currently)"
      if (unlimited) schema_.records = std::max<int64_t>({0, now().records, length.records});
    } while (comma());
    take(";");
  }

  bool comma() {
    if (!is(",")) return false;
    ++at_;
    return true;
  }

  void variables() {
    const auto type = type_names().find(now().text);
    if (now().kind != Kind::word) fail("'" + now().text + "' is unexpected");
    if (type == type_names().end())
      fail("type '" + now().text + "' cannot be replayed: only numbers and characters can");
    ++at_;
    if (is(":") || is(":", 1)) return attribute(type->second);
    do {
      Variable variable{name(), element_type(type->second), {}};
      if (is("(")) shape(variable);
      if (!vars_.emplace(variable.name, schema_.variables.size()).second)
        fail("there are two variables '" + variable.name + "'");
      schema_.variables.push_back(variable);
    } while (comma());
    take(";");
  }

  void shape(Variable &variable) {
    take("(");
    while (!is(")")) {
      const auto dim = dims_.find(name());
      if (dim == dims_.end()) fail("variable '" + variable.name + "' has an unknown dimension");
      variable.dims.push_back(dim->second);
      if (variable.dims.size() > SV_MAX_DIMS) fail("variable '" + variable.name + "' has too many dimensions");
      if (!is(")") && !comma()) fail("',' or ')' is missing before '" + now().text + "'");
    }
    ++at_;
  }

  void attribute(int type) {
    const std::string of = is(":") ? "" : name();
    take(":");
    const CdlToken first = now();
    const std::string called = name();
    take("=");
    std::vector<CdlToken> values;
    while (!is(";")) {
      if (at_end() || now().kind == Kind::symbol) fail("attribute '" + called + "' has no values");
      values.push_back(tokens_[at_++]);
      if (!comma() && !is(";")) fail("',' or ';' is missing before '" + now().text + "'");
    }
    ++at_;
    const auto var = vars_.find(of);
    if (is_virtual(called)) {
      if (var != vars_.end()) store(var->second, called, values);
      return;
    }
    if (!of.empty() && var == vars_.end())
      throw cdl_error(origin_, first.line, "there is no variable '" + of + "' for the attribute '" + called + "'");
    auto &list = of.empty() ? schema_.attributes : schema_.variables[var->second].attributes;
    const auto same = [&called](const Attribute &one) { return one.name == called; };
    if (std::any_of(list.begin(), list.end(), same))
      throw cdl_error(origin_, first.line, "there are two attributes '" + called + "'");
    // ncdump prints the fill value of an unsigned or 64-bit variable without its type.
    if (called == "_FillValue" && var != vars_.end()) type = schema_.variables[var->second].type.number;
    list.push_back(cdl_attribute(called, type, values, origin_));
  }

  /// Virtual attributes of ncdump -s; those that are not numbers are ignored.
  void store(size_t var, const std::string &called, const std::vector<CdlToken> &values) {
    storage_.resize(schema_.variables.size());
    Storage &storage = storage_[var];
    const auto number = [](const CdlToken &token) { return std::strtoll(token.text.c_str(), nullptr, 10); };
    if (called == "_DeflateLevel" && !values.empty()) storage.deflate = static_cast<int>(number(values.front()));
    if (called == "_Shuffle" && !values.empty()) storage.shuffle = values.front().text == "true";
    if (called != "_ChunkSizes") return;
    for (const CdlToken &value : values) storage.chunks.push_back(number(value));
    const bool positive = std::all_of(storage.chunks.begin(), storage.chunks.end(), [](int64_t n) { return n > 0; });
    if (!positive || storage.chunks.size() != schema_.variables[var].dims.size())
      fail("the chunk sizes of '" + schema_.variables[var].name + "' do not fit its dimensions");
  }

  static constexpr int64_t most_cells = int64_t{1} << 50;
  const std::string &origin_;
  const std::vector<CdlToken> tokens_;
  size_t at_ = 0;
  bool in_dimensions_ = false, records_ = false;
  Schema schema_;
  std::vector<Storage> storage_;
  std::map<std::string, int> dims_;
  std::map<std::string, size_t> vars_;
};

}  // namespace

bool looks_like_cdl(const std::string &text) {
  size_t at = 0;
  while (at < text.size()) {
    if (text.compare(at, 2, "//") == 0) at = std::min(text.find('\n', at), text.size());
    if (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) == 0) break;
    ++at;
  }
  return text.compare(std::min(at, text.size()), 6, "netcdf") == 0;
}

Header header_of_cdl(const std::string &text, const std::string &origin) { return CdlParser(text, origin).parse(); }

}  // namespace sv_bench
