#ifdef SV_HAVE_YAML
#include "config/yaml_source.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "config/variable_keys.hpp"

namespace sv {

namespace {

// Of all assignments: aliases may stand for much more than the text.
constexpr size_t most_assigned_bytes = size_t{64} << 20;

/// Sees where a document begins, and makes nothing of it.
class Beginning : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark &mark) override { mark_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override {}
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  const YAML::Mark &mark() const { return mark_; }

 private:
  YAML::Mark mark_;
};

class Reader {
 public:
  explicit Reader(const std::string &path) : path_(path) {}

  std::vector<Assignment> read(const std::string &text) {
    if (!is_one_document(text)) return {};
    const YAML::Node document = YAML::Load(text);
    if (document.IsNull()) return {};
    for_each(document, "the file", [this](const std::string &key, const YAML::Node &name, const YAML::Node &value) {
      if (key == files_section)
        read_files(value);
      else if (key != streams_section)
        read_key("", key, name, value);
    });
    return std::move(found_);
  }

  Error error(int line, const std::string &cause, const std::string &remedy) const {
    return Error(Status::config, place(line) + ": " + cause, remedy);
  }

 private:
  /// False for an empty text; throws where something follows the document. Not with YAML::LoadAll: where a character is
  /// left that can begin no document, such as a comma, it makes empty documents of it without end.
  bool is_one_document(const std::string &text) const {
    std::istringstream in(text);
    YAML::Parser parser(in);
    Beginning first, second;
    if (!parser.HandleNextDocument(first)) return false;
    if (!parser.HandleNextDocument(second)) return true;
    const YAML::Mark &mark = second.mark();
    const auto at = static_cast<size_t>(std::max(mark.pos, 0));
    if (at >= text.size() || text.compare(at, 3, "---") == 0)
      throw error(mark.line, "a second document begins here", "Keep one");
    throw error(mark.line, "this is not YAML: '" + text.substr(at, 1) + "' stands where a key is expected",
                "Write one 'key: value' per line");
  }
  std::string place(int line) const { return path_ + ":" + std::to_string(line + 1); }
  Error error(const YAML::Node &node, const std::string &cause, const std::string &remedy) const {
    return error(node.Mark().line, cause, remedy);
  }

  void read_files(const YAML::Node &patterns) {
    if (patterns.IsNull()) return;
    for_each(patterns, "'files'", [this](const std::string &pattern, const YAML::Node &name, const YAML::Node &keys) {
      push({pattern, "", "", place(name.Mark().line)}, name);
      if (keys.IsNull()) return;
      for_each(keys, "'" + pattern + "'",
               [&](const std::string &key, const YAML::Node &key_node, const YAML::Node &value) {
                 read_key(pattern, key, key_node, value);
               });
    });
  }

  /// A key of the whole file, or of a pattern of files:.
  void read_key(const std::string &pattern, const std::string &key, const YAML::Node &name, const YAML::Node &value) {
    if (key != variables_section) return read_group(pattern, "", key, name, value);
    if (value.IsNull()) return;
    for_each(value, "'variables'", [&](const std::string &variable, const YAML::Node &at, const YAML::Node &keys) {
      push({pattern, "", "", place(at.Mark().line), variable}, at);
      if (keys.IsNull()) return;
      for_each(keys, "'" + variable + "'",
               [&](const std::string &own, const YAML::Node &own_name, const YAML::Node &own_value) {
                 read_group(pattern, variable, own, own_name, own_value);
               });
    });
  }

  /// A key, or a group: a map whose name becomes the prefix of its keys, "async.mode".
  void read_group(const std::string &pattern, const std::string &variable, const std::string &key,
                  const YAML::Node &name, const YAML::Node &value) {
    if (!value.IsMap() || value.size() == 0)
      return push({pattern, key, text_of(value), place(name.Mark().line), variable}, name);
    for_each(value, "'" + key + "'", [&](const std::string &own, const YAML::Node &at, const YAML::Node &own_value) {
      push({pattern, key + '.' + own, text_of(own_value), place(at.Mark().line), variable}, at);
    });
  }

  /// Calls `visit` with every key of a map; a key that is given twice is an error, not a silent choice.
  template <class Visit>
  void for_each(const YAML::Node &map, const std::string &what, Visit visit) {
    if (!map.IsMap()) throw error(map, what + " is not a map", "Write one 'key: value' per line");
    std::set<std::string> seen;
    for (const auto &entry : map) {
      if (!entry.first.IsScalar()) throw error(entry.first, "a key is not a word", "Write 'key: value'");
      const std::string &name = entry.first.Scalar();
      if (name.empty()) throw error(entry.first, "a key is empty", "Write 'key: value'");
      if (!seen.insert(name).second) throw error(entry.first, "'" + name + "' is given a second time", "Keep one");
      visit(name, entry.first, entry.second);
    }
  }

  void push(Assignment assignment, const YAML::Node &node) {
    hold(sizeof assignment + assignment.pattern.size() + assignment.variable.size() + assignment.key.size() +
             assignment.origin.size(),
         node);
    found_.push_back(std::move(assignment));
  }

  void hold(size_t bytes, const YAML::Node &node) {
    bytes_ += bytes;
    if (bytes_ > most_assigned_bytes)
      throw error(node, "the file stands for more than 64 MiB of keys and values", "Use fewer aliases ('*name')");
  }

  std::optional<std::string> text_of(const YAML::Node &value) {
    if (value.IsNull()) return "";
    if (value.IsScalar()) {
      hold(value.Scalar().size(), value);
      return value.Scalar();
    }
    if (!value.IsSequence()) return std::nullopt;
    std::string text;
    for (const YAML::Node &item : value) {
      if (!item.IsScalar()) return std::nullopt;
      hold(item.Scalar().size() + 1, value);
      text += (text.empty() ? "" : ",") + item.Scalar();
    }
    return text;
  }

  std::string path_;
  std::vector<Assignment> found_;
  size_t bytes_ = 0;  // of the assignments
};

}  // namespace

std::vector<Assignment> parse_yaml(const std::string &text, const std::string &path) {
  Reader reader(path);
  try {
    return reader.read(text);
  } catch (const YAML::Exception &error) {
    throw reader.error(error.mark.line, "this is not YAML: " + error.msg, "Check indentation, quotes and colons");
  }
}

}  // namespace sv
#endif
