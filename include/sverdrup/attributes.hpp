// Sverdrup in C++20: attributes of files, groups and variables. SPDX-License-Identifier: Apache-2.0
//
// sverdrup.hpp includes this header; its conventions hold.
#ifndef SVERDRUP_ATTRIBUTES_HPP
#define SVERDRUP_ATTRIBUTES_HPP

#include "decomposition.hpp"

namespace sverdrup {

namespace detail {

// As C takes strings; valid as long as these are.
inline std::vector<const char *> pointers(const std::vector<std::string> &strings) {
  std::vector<const char *> texts;
  for (const std::string &each : strings) texts.push_back(each.c_str());
  return texts;
}
// The strings that a call of C returns.
template <class Call>
std::vector<std::string> taken(int64_t count, const Call &call) {
  std::vector<char *> texts(static_cast<std::size_t>(std::max<int64_t>(count, 0)));
  check(call(texts.data()));
  std::vector<std::string> values(texts.begin(), texts.end());
  check(sv_free_string(static_cast<int64_t>(texts.size()), texts.data()));
  return values;
}

}  // namespace detail

// The attributes of a File (its own), Group or Variable. All calls are local.
class Attributed {
 public:
  template <class Text>
  requires std::convertible_to<const Text &, std::string>
  void put_att(const std::string &name, const Text &text) const {
    detail::check(sv_put_att_text(file_, var_, name.c_str(), std::string(text).c_str()));
  }
  template <class Values>
  requires(!std::convertible_to<const Values &, std::string> &&
           (Value<Values> || ContiguousValues<const Values>)) void put_att(const std::string &name,
                                                                           const Values &values) const {
    const detail::Memory memory = detail::memory(values);
    detail::check(sv_put_att(file_, var_, name.c_str(), memory.type, memory.extents[0], memory.data));
  }
  template <Value T>
  [[nodiscard]] std::vector<T> get_att(const std::string &name) const {
    std::vector<T> values(static_cast<std::size_t>(att_count(name)));
    detail::check(sv_get_att(file_, var_, name.c_str(), type_of<T>(), values.data()));
    return values;
  }
  [[nodiscard]] std::string get_att_text(const std::string &name) const {
    std::string text(static_cast<std::size_t>(att_count(name)), '\0');
    detail::check(sv_get_att(file_, var_, name.c_str(), SV_CHAR, text.data()));
    return text;
  }
  // Attributes of type SV_STRING.
  void put_att_strings(const std::string &name, const std::vector<std::string> &values) const {
    const auto count = static_cast<int64_t>(values.size());
    detail::check(sv_put_att_string(file_, var_, name.c_str(), count, detail::pointers(values).data()));
  }
  [[nodiscard]] std::vector<std::string> get_att_strings(const std::string &name) const {
    const int64_t count = att_type(name) == SV_CHAR ? 1 : att_count(name);
    return detail::taken(count, [&](char **values) { return sv_get_att_string(file_, var_, name.c_str(), values); });
  }
  [[nodiscard]] int64_t att_count(const std::string &name) const {
    int64_t count = 0;
    detail::check(sv_inq_att(file_, var_, name.c_str(), nullptr, &count));
    return count;
  }
  [[nodiscard]] int att_type(const std::string &name) const {
    int type = 0;
    detail::check(sv_inq_att(file_, var_, name.c_str(), &type, nullptr));
    return type;
  }
  [[nodiscard]] int att_id(const std::string &name) const {
    int index = -1;
    detail::check(sv_inq_attid(file_, var_, name.c_str(), &index));
    return index;
  }
  [[nodiscard]] std::vector<std::string> att_names() const {
    int natts = 0;
    detail::check(var_ > SV_GLOBAL ? sv_inq_var(file_, var_, nullptr, nullptr, nullptr, nullptr, &natts)
                                   : sv_inq_grp_natts(file_, SV_GLOBAL - var_, &natts));
    std::vector<std::string> names;
    for (int index = 0; index < natts; ++index) {
      char name[SV_MAX_NAME];
      detail::check(sv_inq_attname(file_, var_, index, name));
      names.emplace_back(name);
    }
    return names;
  }
  void rename_att(const std::string &name, const std::string &new_name) const {
    detail::check(sv_rename_att(file_, var_, name.c_str(), new_name.c_str()));
  }
  void del_att(const std::string &name) const { detail::check(sv_del_att(file_, var_, name.c_str())); }
  void copy_att(const std::string &name, const Attributed &to) const {
    detail::check(sv_copy_att(file_, var_, name.c_str(), to.file_, to.var_));
  }

 protected:
  Attributed(detail::Shared io, sv_file *file, int var) : io_(std::move(io)), file_(file), var_(var) {}

  detail::Shared io_;
  sv_file *file_;
  int var_;
};

}  // namespace sverdrup

#endif
