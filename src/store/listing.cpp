#include "store/listing.hpp"

#include <bit>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/signature.hpp"

namespace sv {

namespace {

/// Takes a listing as a text.
struct Words {
  std::string text;

  void add(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) text += part;  // in place, for files have thousands of them
  }
};

/// Takes it as a number, without making the text.
struct Sum {
  uint64_t signature = 0;

  void add(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
      signature = std::rotl(signature, 7) * 0x9e3779b97f4a7c15 ^ passing_signature_of(part);
  }
};

template <class Listed>
void list(Listed &listed, const Attribute &attribute, std::string_view owner) {
  const std::string_view bytes(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size());
  listed.add({"attribute '", attribute.name, "' of ", owner, ", ", name_of(attribute.type), ", "});
  if (attribute.type == Type::text && bytes.find('\n') == std::string_view::npos)
    listed.add({"'", bytes, "'\n"});
  else
    listed.add({std::to_string(attribute.count), " values with the hash ", std::to_string(signature_of(bytes)), "\n"});
}

template <class Listed>
void list(Listed &listed, const Schema &schema, const std::map<int, int> &axes) {
  for (const Dimension &dim : schema.dims)
    listed.add({"dimension '", dim.name, "' of ", dim.is_record ? "records" : std::to_string(dim.length), "\n"});
  for (const Attribute &attribute : schema.attributes) list(listed, attribute, "the file");
  std::string owner;
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    listed.add({"variable '", variable.name, "', ", name_of(variable.type), ", on dimensions"});
    for (const int dim : variable.dims) listed.add({" '", schema.dims[static_cast<size_t>(dim)].name, "'"});
    const auto declared = axes.find(static_cast<int>(v));
    if (declared != axes.end()) listed.add({", decomposed from dimension ", std::to_string(declared->second)});
    listed.add({"\n"});
    owner.assign("'").append(variable.name).append("'");
    for (const Attribute &attribute : variable.attributes) list(listed, attribute, owner);
  }
}

}  // namespace

std::string listing_of(const Schema &schema, const std::map<int, int> &axes) {
  Words words;
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
