#include "store/listing.hpp"

#include <sstream>

#include "base/signature.hpp"

namespace sv {

namespace {

std::string text_of(const Attribute &attribute, const std::string &owner) {
  const std::string bytes(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size());
  std::string text =
      "attribute '" + attribute.name + "' of " + owner + ", " + std::string(name_of(attribute.type)) + ", ";
  if (attribute.type == Type::text && bytes.find('\n') == std::string::npos) return text + "'" + bytes + "'\n";
  return text + std::to_string(attribute.count) + " values with the hash " + std::to_string(signature_of(bytes)) + "\n";
}

}  // namespace

std::string listing_of(const Schema &schema, const std::map<int, int> &axes) {
  std::string text;
  for (const Dimension &dim : schema.dims)
    text += "dimension '" + dim.name + "' of " + (dim.is_record ? "records" : std::to_string(dim.length)) + "\n";
  for (const Attribute &attribute : schema.attributes) text += text_of(attribute, "the file");
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    text += "variable '" + variable.name + "', " + std::string(name_of(variable.type)) + ", on dimensions";
    for (const int dim : variable.dims) text += " '" + schema.dims[static_cast<size_t>(dim)].name + "'";
    const auto declared = axes.find(static_cast<int>(v));
    if (declared != axes.end()) text += ", decomposed from dimension " + std::to_string(declared->second);
    text += '\n';
    for (const Attribute &attribute : variable.attributes) text += text_of(attribute, "'" + variable.name + "'");
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
