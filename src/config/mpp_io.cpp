#include "config/mpp_io.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "config/namelist.hpp"
#include "config/nearest.hpp"

namespace sv {

namespace {

const std::string group_name = "mpp_io_nml", layout_key = "io_layout";

// Those of the paper, and those of FMS itself.
const std::vector<std::string> known_keys = {
    "parallel_netcdf", "parallel_read", "pnetcdf",      "parallel_chunk",    "chunk_layout",
    "io_layout",       "io_clocks_on",  "shuffle",      "header_buffer_val", "global_field_on_root_pe",
    "deflate",         "deflate_level", "cf_compliance"};

class Translation {
 public:
  Translation(const std::string &text, const std::string &path) : path_(path), groups_(parse_namelist(text, path)) {}

  MppIo run() {
    find_group();
    check_keys();
    const bool parallel = flag("parallel_netcdf");
    translate_route(parallel);
    translate_store(parallel);
    set("reading.ranks", flag("parallel_read") ? "collective" : "self", "parallel_read");
    if (entry("header_buffer_val"))
      set("header_reserve", std::to_string(number("header_buffer_val")), "header_buffer_val");
    if (entry("io_clocks_on")) set("summary.table", flag("io_clocks_on") ? "true" : "false", "io_clocks_on");
    for (const char *key : {"global_field_on_root_pe", "cf_compliance"}) without_effect(key, "it means nothing here");
    return std::move(found_);
  }

 private:
  std::string place(int line) const { return path_ + ":" + std::to_string(line); }
  std::string place(const std::string &key) const {
    const NamelistEntry *found = entry(key);
    return place(found ? found->line : group_->line);
  }
  Error error(int line, const std::string &cause, const std::string &remedy) const {
    return Error(Status::config, place(line) + ": " + cause, remedy);
  }
  Error bad(const NamelistEntry &of, const std::string &wanted) const {
    return error(of.line, "'" + of.key + "' has no value that it can have", "Give " + wanted);
  }

  void find_group() {
    std::vector<std::string> names;
    for (const NamelistGroup &group : groups_) {
      names.push_back(group.name);
      if (group.name != group_name) continue;
      if (group_) throw error(group.line, "the group '&" + group_name + "' is given a second time", "Keep one");
      group_ = &group;
    }
    if (!group_)
      throw Error(Status::config, path_ + ": there is no group '&" + group_name + "' in this namelist file",
                  "The nearest group is '&" + nearest(group_name, names) + "'");
  }

  void check_keys() const {
    for (auto one = group_->entries.begin(); one != group_->entries.end(); ++one) {
      if (std::find(known_keys.begin(), known_keys.end(), one->key) == known_keys.end())
        throw error(one->line, "unknown key '" + one->key + "' in '&" + group_name + "'",
                    "The nearest valid one is '" + nearest(one->key, known_keys) + "'");
      if (std::any_of(group_->entries.begin(), one, [&](const auto &before) { return before.key == one->key; }))
        throw error(one->line, "'" + one->key + "' is given a second time", "Keep one");
    }
  }

  const NamelistEntry *entry(const std::string &key) const {
    const auto &all = group_->entries;
    const auto at = std::find_if(all.begin(), all.end(), [&](const NamelistEntry &one) { return one.key == key; });
    return at == all.end() ? nullptr : &*at;
  }

  /// A logical as Fortran reads it; .false. where it is not given.
  bool flag(const std::string &key) const {
    const NamelistEntry *found = entry(key);
    if (!found) return false;
    std::string word = found->values.size() == 1 ? found->values[0] : "";
    std::erase(word, '.');
    for (char &c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == "t" || word == "true") return true;
    if (word == "f" || word == "false") return false;
    throw bad(*found, ".true. or .false.");
  }

  std::vector<int> numbers(const NamelistEntry &of, size_t count) const {
    std::vector<int> result;
    for (const std::string &text : of.values) {
      int value = 0;
      const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (wrong != std::errc() || end != text.data() + text.size()) break;
      result.push_back(value);
    }
    if (result.size() != of.values.size() || result.size() != count)
      throw bad(of, count == 1 ? "a whole number" : "two whole numbers, x first: 4, 2");
    return result;
  }
  /// 0 where it is not given.
  int number(const std::string &key) const { return entry(key) ? numbers(*entry(key), 1)[0] : 0; }

  void set(const std::string &key, const std::string &value, const std::string &from) {
    found_.settings.push_back({"", key, value, place(from)});
  }
  void without_effect(const std::string &key, const std::string &reason) {
    if (entry(key)) found_.notes.push_back(place(key) + ": '" + key + "' has no effect: " + reason);
  }

  /// That of our group; otherwise the one that other groups of the file agree on.
  const NamelistEntry *io_layout() const {
    if (entry(layout_key)) return entry(layout_key);
    const NamelistEntry *found = nullptr;
    for (const NamelistGroup &group : groups_)
      for (const NamelistEntry &one : group.entries) {
        if (one.key != layout_key) continue;
        if (found && found->values != one.values)
          throw error(one.line, "this '" + layout_key + "' differs from that of line " + std::to_string(found->line),
                      "Give the one for output in '&" + group_name + "'");
        found = &one;
      }
    return found;
  }

  /// 0, 0 is FMS's default: none was chosen. FMS gives the only file of 1, 1 no number, like that of a serial run.
  void translate_route(bool parallel) {
    const NamelistEntry *layout = io_layout();
    const std::vector<int> n = layout ? numbers(*layout, 2) : std::vector<int>{0, 0};
    if (n[0] < 0 || n[1] < 0 || (n[0] == 0) != (n[1] == 0))
      throw bad(*layout, "two numbers of I/O domains, x first: 4, 2");
    const bool layered = n[0] > 0;
    is_set_ = !parallel && n[0] * int64_t{n[1]} > 1;
    const std::string route = is_set_ ? "per_domain" : parallel ? "domains" : "serial";
    set("route", route, "parallel_netcdf");
    if (!is_set_ && !(parallel && layered)) return;
    found_.settings.push_back(
        {"", "io_layout", std::to_string(n[0]) + "," + std::to_string(n[1]), place(layout->line)});
  }

  void translate_store(bool parallel) {
    const bool pnetcdf = flag("pnetcdf"), chunked = flag("parallel_chunk");
    const bool chosen = parallel || (entry("pnetcdf") && !is_set_);
    if (chosen) set("store", pnetcdf ? "pnetcdf" : "netcdf4", "pnetcdf");
    if (is_set_) without_effect("pnetcdf", "the files of I/O domains are CDF");
    if (chosen && !pnetcdf) return translate_netcdf4(chunked);
    for (const char *key : {"parallel_chunk", "chunk_layout", "shuffle", "deflate", "deflate_level"})
      without_effect(key, "only netCDF-4 files have chunks");
  }

  void translate_netcdf4(bool chunked) {
    const NamelistEntry *layout = entry("chunk_layout");
    if (chunked && !layout)
      throw error(entry("parallel_chunk")->line, "'parallel_chunk' without 'chunk_layout'",
                  "Give chunk_layout = cx, cy");
    if (chunked) {
      const std::vector<int> n = numbers(*layout, 2);
      set("chunks.layout", std::to_string(n[0]) + "," + std::to_string(n[1]), "chunk_layout");
    } else {
      set("chunks.shape", "default", "parallel_chunk");
      without_effect("chunk_layout", "'parallel_chunk' is .false.");
    }
    if (entry("shuffle")) set("compression.shuffle", number("shuffle") != 0 ? "true" : "false", "shuffle");
    if (number("deflate") != 0)
      set("compression.codec", "deflate:" + std::to_string(std::max(number("deflate_level"), 1)),
          entry("deflate_level") ? "deflate_level" : "deflate");
    else
      without_effect("deflate_level", "'deflate' is 0");
  }

  std::string path_;
  std::vector<NamelistGroup> groups_;
  const NamelistGroup *group_ = nullptr;
  bool is_set_ = false;
  MppIo found_;
};

}  // namespace

MppIo read_mpp_io(const std::string &text, const std::string &path) { return Translation(text, path).run(); }

}  // namespace sv
