#include "engine/serving.hpp"

#include "engine/closing.hpp"
#include "engine/commit.hpp"
#include "engine/creating.hpp"
#include "engine/durability.hpp"
#include "engine/ending.hpp"
#include "file/home.hpp"
#include "model/schema.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

Definition definition_of(const FileDescription &command) {
  return {decode_broadcast(command.header, command.format), command.surroundings, command.found};
}

FileName name_of(const FileDescription &command) { return FileName::given_elsewhere(command.path, command.place); }

class ServersCalls final : public FileCalls {
 public:
  std::shared_ptr<File> create(Context &context, const FileSettings &settings, const CreateFile &command) override {
    return create_defined(context, name_of(command), settings, definition_of(command), command.exclusive);
  }
  std::shared_ptr<File> open(Context &context, const FileSettings &settings, const OpenFile &command) override {
    return open_defined(context, name_of(command), settings, definition_of(command), command.writes);
  }
  void redefine(File &file, const RedefineFile &command) override {
    redefine_as(file, decode_broadcast(command.header, file.schema().format));
  }
  void define_fixed(File &file, const std::vector<int> &variables) override { sv::define_fixed(file, variables); }
  void sync(File &file) override { sv::sync(file); }
  void end_step(Context &context, const std::vector<File *> &files) override { commit_step(context, files, false); }
  void catch_up(File &file) override { commit(file, "sv_flush", false); }
  void put_on_disk(File &file) override { sv::put_on_disk(file); }
  void put_closed_on_disk(Context &context) override { sv::put_closed_on_disk(context); }
  void close(File &file) override {
    if (const auto complaint = complete(file)) throw Error(*complaint);
  }
  void abandon(File &file) noexcept override { sv::abandon(file); }
};

}  // namespace

std::unique_ptr<FileCalls> calls_of_servers() { return std::make_unique<ServersCalls>(); }

}  // namespace sv
