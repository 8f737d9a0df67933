#include "store/listing.hpp"

#include <initializer_list>
#include <sstream>
#include <string_view>

#include "base/signature.hpp"

namespace sv {

namespace {

/// In place, for files have thousands of them.
void append(std::string &text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) text += part;
}

void append(std::string &text, const Attribute &attribute, std::string_view owner) {
  const std::string_view bytes(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size());
  append(text, {"attribute '", attribute.name, "' of ", owner, ", ", name_of(attribute.type), ", "});
  if (attribute.type == Type::text && bytes.find('\n') == std::string_view::npos)
    append(text, {"'", bytes, "'\n"});
  else
    append(text,
           {std::to_string(attribute.count), " values with the hash ", std::to_string(signature_of(bytes)), "\n"});
}

}  // namespace

std::string listing_of(const Schema &schema, const std::map<int, int> &axes) {
  std::string text;
  for (const Dimension &dim : schema.dims)
    text += "dimension '" + dim.name + "' of " + (dim.is_record ? "records" : std::to_string(dim.length)) + "\n";
  for (const Attribute &attribute : schema.attributes) append(text, attribute, "the file");
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    append(text, {"variable '", variable.name, "', ", name_of(variable.type), ", on dimensions"});
    for (const int dim : variable.dims) append(text, {" '", schema.dims[static_cast<size_t>(dim)].name, "'"});
    const auto declared = axes.find(static_cast<int>(v));
    if (declared != axes.end()) text += ", decomposed from dimension " + std::to_string(declared->second);
    text += '\n';
    const std::string owner = "'" + variable.name + "'";
    for (const Attribute &attribute : variable.attributes) append(text, attribute, owner);
  }
  return text;
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
