// The messages between models and servers, in the order of the model's calls, one struct for each kind. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "file/servers.hpp"
#include "layout/layout.hpp"
#include "plan/route.hpp"
#include "store/owner.hpp"
#include "transport/mail.hpp"

namespace sv {

// Messages of a model to a group of servers. If a message contains more than plain bytes, `fields` passes on its
// members.

struct RegisterLayout {
  int64_t id = 0;
  std::vector<int64_t> numbers{};  // the result of layout_numbers

  static void fields(auto &message, auto &pass) { pass(message.id, message.numbers); }
};
/// The models' knowledge of a file.
struct FileDescription {
  std::string path{}, place{};  // as the model gave it; and absolute
  Format format = Format::automatic;
  Surroundings surroundings{};
  std::vector<std::byte> header{};
  std::vector<std::byte> found{};  // which file they have found, FoundFiles::encoded

  static void fields(auto &message, auto &pass) {
    pass(message.path, message.place, message.format, message.surroundings, message.header, message.found);
  }
};
struct CreateFile : FileDescription {
  Kind kind = Kind::published;
  bool exclusive = false;

  static void fields(auto &message, auto &pass) {
    FileDescription::fields(message, pass), pass(message.kind, message.exclusive);
  }
};
struct OpenFile : FileDescription {
  bool writes = false;

  static void fields(auto &message, auto &pass) { FileDescription::fields(message, pass), pass(message.writes); }
};
struct RedefineFile {
  std::vector<std::byte> header{};

  static void fields(auto &message, auto &pass) { pass(message.header); }
};
/// A field that is put or got: of this layout, in rounds that are counted over all files.
struct MovedField {
  int variable = 0;
  int64_t record = 0;
  int64_t layout = 0;
  int first_axis = 0;
  int64_t first_round = 0;
};
struct PutField : MovedField {};
struct GetField : MovedField {};
/// Variables without records, to be read before they are put.
struct DefineFixed {
  std::vector<int> variables{};

  static void fields(auto &message, auto &pass) { pass(message.variables); }
};
struct EndStep {};  // of all files
struct SyncFile {};
/// It has failed with another file, which these servers may not have.
struct FailFile {
  int64_t status = 0;
  std::string text{};

  static void fields(auto &message, auto &pass) { pass(message.status, message.text); }
};
struct CloseFile {
  bool completes = true;  // otherwise the file is given up
};
struct Flush {
  Level level = Level::handed_over;
};
struct Finalize {};  // the last one

struct Command {
  using What = std::variant<RegisterLayout, CreateFile, OpenFile, RedefineFile, PutField, GetField, DefineFixed,
                            EndStep, SyncFile, FailFile, CloseFile, Flush, Finalize>;
  What what{};
  int64_t file = 0;  // a number of the component's

  template <class Kind>
  bool is() const {
    return std::holds_alternative<Kind>(what);
  }
  /// Of a put or a get; otherwise nullptr.
  const MovedField *field() const;
};
/// Layouts that both sides remember: the last ones.
constexpr int64_t most_layouts = 64;

EncodedMessage encoded(const Command &command);
/// Throws Error(internal) if it is no command.
Command decoded(const EncodedMessage &message);

/// A layout in numbers, and back; of points, how many each rank owns. `ranks`: of the communicator in which its patches
/// have ranks.
std::vector<int64_t> layout_numbers(const Layout &layout);
std::shared_ptr<const Layout> layout_of_numbers(const int64_t *numbers, int ranks);

/// A server's report to its client.
struct Report {
  enum class Kind : int64_t { step, trouble, alive, answer };  // answer: to get, flush and finalize
  Kind kind = Kind::step;
  int64_t steps = 0, durable_steps = 0;  // that are committed; that are on the disk
  int64_t file = 0;                      // trouble: of this one
  int64_t status = 0;
  double receive_seconds = 0, write_seconds = 0, processor_seconds = 0;  // so far
  int64_t written_bytes = 0, direct_bytes = 0, writes = 0, memory_bytes = 0;
  std::string text{};

  static void fields(auto &message, auto &pass) {
    pass(message.kind, message.steps, message.durable_steps, message.file, message.status);
    pass(message.receive_seconds, message.write_seconds, message.processor_seconds);
    pass(message.written_bytes, message.direct_bytes, message.writes, message.memory_bytes, message.text);
  }
};
EncodedMessage encoded(const Report &report);
Report decoded_report(const EncodedMessage &message);

EncodedMessage message_of(const std::string &text);
/// The tag of a letter that ends it all: why, in words. From anybody to servers, also on other nodes.
constexpr int lost_tag = 32767;       // the highest that every MPI has
constexpr int collected_tag = 32766;  // of a primary to the servers of its group: a round has come
constexpr int command_tag(int component) { return 4 * component + 1; }
constexpr int report_tag(int component) { return 4 * component + 2; }
constexpr int lists_tag(int component) { return 4 * component + 4; }  // of points; 3 is that of data

}  // namespace sv
