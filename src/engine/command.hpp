// What a model tells servers: letters, in the order of its calls. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "layout/layout.hpp"
#include "transport/mail.hpp"

namespace sv {

struct Command {
  enum class What : int64_t {
    layout,    // numbers: id, and what layout_numbers gives
    create,    // text: path; numbers: format, kind, exclusive, surroundings; header
    open,      // the same, but instead of the kind whether for writing: what the models know of the file
    redefine,  // header
    put,       // numbers: see engine/client.cpp
    get,       // the same
    define,    // numbers: variables without records, to be read before they are put
    end_step,  // of all files
    sync,
    close,
    abandon,
    flush,    // numbers: level
    finalize  // the last one
  };
  What what;
  int64_t file = 0;  // a number of the component's
  std::string text{};
  std::vector<int64_t> numbers{};
  std::vector<std::byte> header{};  // of a file
};
/// Layouts that both sides remember: the last ones.
constexpr int64_t most_layouts = 64;

Letter encoded(const Command &command);
/// Throws Error(internal) for what is no command.
Command decoded(const Letter &letter);

/// A layout in numbers, and back; of points, how many each rank owns. `ranks`: of the communicator in which its patches
/// have ranks.
std::vector<int64_t> layout_numbers(const Layout &layout);
std::shared_ptr<const Layout> layout_of_numbers(const int64_t *numbers, int ranks);

/// What a server tells the client from which it hears.
struct Report {
  enum class Kind : int64_t { step, trouble, alive, answer };  // answer: to flush and finalize
  Kind kind = Kind::step;
  int64_t steps = 0, durable_steps = 0;  // that are committed; that are on the disk
  int64_t file = 0;                      // trouble: of this one
  int64_t status = 0;
  double receive_seconds = 0, write_seconds = 0;  // answer: so far
  int64_t written_bytes = 0, writes = 0, memory_bytes = 0;
  std::string text{};
};
Letter encoded(const Report &report);
Report decoded_report(const Letter &letter);

Letter letter_of(const std::string &text);
/// The tag of a letter that ends it all: why, in words. From anybody to servers, also on other nodes.
constexpr int lost_tag = 32767;       // the highest that every MPI has
constexpr int collected_tag = 32766;  // of a primary to the servers of its group: a round has come
constexpr int command_tag(int component) { return 4 * component + 1; }
constexpr int report_tag(int component) { return 4 * component + 2; }
constexpr int lists_tag(int component) { return 4 * component + 4; }  // of points; 3 is that of data

}  // namespace sv
