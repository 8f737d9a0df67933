#include "store/listing.hpp"

#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/signature.hpp"

namespace sv {

namespace {

/// Whose attributes are listed: in the text of each; what stands before them tells it as well.
struct Owner {
  std::string_view name;  // "": the file
};

/// Takes a listing as a text.
struct Text {
  std::string text;

  void add(std::string_view part) { text += part; }  // in place, for files have thousands of them
  void add(int64_t number) { text += std::to_string(number); }
  void add(uint64_t hash) { text += std::to_string(hash); }
  void add(Owner owner) {
    if (owner.name.empty()) return add("the file");
    text.append("'").append(owner.name).append("'");
  }
  static uint64_t hash_of(std::string_view bytes) { return signature_of(bytes); }
};

/// Takes it as a number, without making the text. Of words that are always the same, their length stands for them.
struct Sum {
  uint64_t signature = 0;

  template <size_t length>
  void add(const char (&)[length]) {
    add(length);
  }
  void add(std::string_view part) { add(passing_signature_of(part)); }
  void add(int64_t number) { add(static_cast<uint64_t>(number)); }
  void add(uint64_t hash) { signature = passing_signature_after(signature, hash); }
  void add(Owner) {}
  static uint64_t hash_of(std::string_view bytes) { return passing_signature_of(bytes); }
};

template <class Listed, class... Parts>
void add(Listed &listed, const Parts &...parts) {
  (listed.add(parts), ...);
}

template <class Listed>
void list(Listed &listed, const Attribute &attribute, Owner owner) {
  const std::string_view bytes(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size());
  add(listed, "attribute '", attribute.name, "' of ", owner, ", ", name_of(attribute.type), ", ");
  if (attribute.type == Type::text && bytes.find('\n') == std::string_view::npos)
    add(listed, "'", bytes, "'\n");
  else
    add(listed, attribute.count, " values with the hash ", Listed::hash_of(bytes), "\n");
}

template <class Listed>
void list(Listed &listed, const Schema &schema, const std::map<int, int> &axes) {
  for (const Dimension &dim : schema.dims) {
    add(listed, "dimension '", dim.name, "' of ");
    if (dim.is_record)
      add(listed, "records\n");
    else
      add(listed, dim.length, "\n");
  }
  for (const Attribute &attribute : schema.attributes) list(listed, attribute, Owner{});
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    add(listed, "variable '", variable.name, "', ", name_of(variable.type), ", on dimensions");
    for (const int dim : variable.dims) add(listed, " '", schema.dims[static_cast<size_t>(dim)].name, "'");
    const auto declared = axes.find(static_cast<int>(v));
    if (declared != axes.end()) add(listed, ", decomposed from dimension ", int64_t{declared->second});
    add(listed, "\n");
    for (const Attribute &attribute : variable.attributes) list(listed, attribute, Owner{variable.name});
  }
}

}  // namespace

std::string listing_of(const Schema &schema, const std::map<int, int> &axes) {
  Text words;
  list(words, schema, axes);
  return std::move(words.text);
}

uint64_t passing_signature_of(const Schema &schema, const std::map<int, int> &axes) {
  Sum sum;
  list(sum, schema, axes);
  return sum.signature;
}

std::string difference_of(const std::string &text_of_one, const std::string &text_of_other, const std::string &one,
                          const std::string &other) {
  std::istringstream ones(text_of_one), others(text_of_other);
  for (;;) {
    std::string expected, found;
    const bool more = static_cast<bool>(std::getline(ones, expected)),
               have = static_cast<bool>(std::getline(others, found));
    if (!more && !have) return {};
    if (expected == found) continue;
    return one + " has " + (more ? expected : "nothing more") + "; " + other + " has " +
           (have ? found : "nothing more");
  }
}

}  // namespace sv
