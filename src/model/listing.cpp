#include "model/listing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/printable.hpp"
#include "base/signature.hpp"
#include "model/enumeration.hpp"
#include "model/variable_storage.hpp"

namespace sv {

namespace {

/// Whose attributes are listed: in the text of each; the text before them shows it as well.
struct Owner {
  std::string_view name;  // "": the file
};

/// A number as it is read back to the same number. Every NaN has its bits.
template <class Number>
std::string text_of(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    using Bits = std::conditional_t<sizeof(Number) == 4, uint32_t, uint64_t>;
    if (std::isnan(number)) return "NaN of the bits " + std::to_string(std::bit_cast<Bits>(number));
  }
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

template <class Number>
std::string text_at(const std::byte *place) {
  Number number;
  std::memcpy(&number, place, sizeof number);
  return text_of(number);
}

std::string text_at(Type type, const std::byte *place) {
  switch (type) {
    case Type::int8:
      return text_at<int8_t>(place);
    case Type::text:
    case Type::uint8:
      return text_at<uint8_t>(place);
    case Type::int16:
      return text_at<int16_t>(place);
    case Type::uint16:
      return text_at<uint16_t>(place);
    case Type::int32:
      return text_at<int32_t>(place);
    case Type::uint32:
      return text_at<uint32_t>(place);
    case Type::int64:
      return text_at<int64_t>(place);
    case Type::uint64:
      return text_at<uint64_t>(place);
    case Type::float32:
      return text_at<float>(place);
    case Type::float64:
      return text_at<double>(place);
    case Type::string:
      break;
  }
  return "";
}

/// Characters between quotes, behind a blank, on one line: equal for equal ones only.
std::string quoted_text(std::string_view characters) {
  std::string text;
  for (const char c : characters) text.append(c == '\\' ? 2 : 1, c);
  return std::string(" '").append(printable(text)).append("'");
}

/// Where a line ends that begins with value `first`: not within a character of several bytes.
int64_t end_of_line(const Attribute &attribute, int64_t first, int64_t most) {
  if (attribute.count - first <= most) return attribute.count;
  const auto goes_on = [&](int64_t at) { return (attribute.values.data()[at] & std::byte{0xC0}) == std::byte{0x80}; };
  int64_t end = first + most;
  while (attribute.type == Type::text && end > first + most / 2 && goes_on(end)) --end;
  return end;
}

/// Takes a listing as a text.
struct Text {
  std::string text;

  void add(std::string_view part) { text += part; }  // in place, for files have thousands of them
  void add(int64_t number) { text += std::to_string(number); }
  void add(Owner owner) {
    if (owner.name.empty()) return add("the file");
    text.append("'").append(owner.name).append("'");
  }
  /// All values. Of many, each line has some, so that two listings differ in the line that has the values that differ.
  void add(const Attribute &attribute, Owner owner) {
    if (attribute.type == Type::string) return add_strings(attribute, owner);
    const int64_t most = attribute.type == Type::text ? 64 : 8;
    int64_t first = 0;
    do {
      const int64_t end = end_of_line(attribute, first, most);
      text.append("attribute '").append(attribute.name).append("' of ");
      add(owner);
      text.append(", ").append(name_of(attribute.type));
      if (attribute.count > most) text.append(", from number ").append(std::to_string(first + 1)).append(" on");
      text += attribute.count == 0 ? ", without values" : ":";
      add_values(attribute, first, end);
      text += '\n';
      first = end;
    } while (first < attribute.count);
  }

 private:
  void add_strings(const Attribute &attribute, Owner owner) {
    text.append("attribute '").append(attribute.name).append("' of ");
    add(owner);
    text.append(", ").append(name_of(attribute.type)).append(attribute.count == 0 ? ", without values" : ":");
    for (const std::string &each : strings_of(attribute)) text += quoted_text(each);
    text += '\n';
  }
  void add_values(const Attribute &attribute, int64_t first, int64_t end) {
    const std::byte *const values = attribute.values.data();
    if (attribute.type == Type::text && first < end)
      return add(quoted_text({reinterpret_cast<const char *>(values + first), static_cast<size_t>(end - first)}));
    for (int64_t i = first; i < end; ++i)
      text.append(" ").append(text_at(attribute.type, values + i * size_of(attribute.type)));
  }
};

/// Takes it as a number, without making the text. Of words that are always the same, their length stands for them.
struct SignatureSum {
  uint64_t signature = 0;

  template <size_t length>
  void add(const char (&)[length]) {
    add(length);
  }
  void add(std::string_view part) { add(run_local_hash(part)); }
  void add(int64_t number) { add(static_cast<uint64_t>(number)); }
  void add(uint64_t hash) { signature = passing_signature_after(signature, hash); }
  void add(const Attribute &attribute, Owner) {
    add(std::string_view(attribute.name));
    add(name_of(attribute.type));
    add(attribute.count);
    add(std::string_view(reinterpret_cast<const char *>(attribute.values.data()), attribute.values.size()));
  }
};

template <class Listed, class... Parts>
void add(Listed &listed, const Parts &...parts) {
  (listed.add(parts), ...);
}

template <class Listed>
void list(Listed &listed, const Schema &schema, const std::map<int, int> &axes) {
  for (const Dimension &dim : schema.dims) {
    add(listed, "dimension '", dim.name, "' of ");
    if (dim.is_unlimited())
      add(listed, dim.is_record ? "records\n" : "no fixed length\n");
    else
      add(listed, dim.length, "\n");
  }
  for (const Attribute &attribute : schema.attributes) listed.add(attribute, Owner{});
  for (const Group &group : schema.groups) {
    add(listed, "group '", std::string_view(group.name), "'\n");
    for (const Attribute &attribute : group.attributes) listed.add(attribute, Owner{group.name});
  }
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    add(listed, "variable '", variable.name, "', ", name_of(variable.type), ", on dimensions");
    for (const int dim : variable.dims) add(listed, " '", schema.dims[static_cast<size_t>(dim)].name, "'");
    const auto declared = axes.find(static_cast<int>(v));
    if (declared != axes.end()) add(listed, ", decomposed from dimension ", int64_t{declared->second});
    if (variable.storage != nullptr && !variable.storage->is_found)
      add(listed, ", stored with ", std::string_view(in_words(*variable.storage)));
    if (variable.no_fill) add(listed, ", not filled");
    if (variable.enumeration != nullptr) {
      add(listed, ", with the names '", std::string_view(variable.enumeration->name), "' of integers:");
      for (const auto &[name, value] : variable.enumeration->members)
        add(listed, " '", std::string_view(name), "' ", value);
    }
    add(listed, "\n");
    for (const Attribute &attribute : variable.attributes) listed.add(attribute, Owner{variable.name});
  }
}

}  // namespace

std::string listing_of(const Schema &schema, const std::map<int, int> &axes) {
  Text words;
  list(words, schema, axes);
  return std::move(words.text);
}

uint64_t run_local_hash(const Schema &schema, const std::map<int, int> &axes) {
  SignatureSum sum;
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
