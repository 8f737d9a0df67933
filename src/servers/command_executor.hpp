// A command of a component, which a server carries out: it makes the calls that the models have made, and moves their
// data. All servers of a group carry out the same commands in one order, and make these calls together.
#pragma once

#include "servers/component.hpp"

namespace sv {

class CommandExecutor {
 public:
  /// All must outlive it. The next command of the component.
  CommandExecutor(ServerContext &server_context, Component &component);

  void carry_out();

 private:
  void on(const RegisterLayout &) {}  // known since it came
  void on(const CreateFile &command);
  void on(const OpenFile &command);
  void on(const RedefineFile &command);
  void on(const PutField &field);
  void on(const GetField &field);
  void on(const DefineFixed &command);
  void on(const EndStep &command);
  void on(const SyncFile &command);
  void on(const FailFile &command);
  void on(const CloseFile &command);
  void on(const Flush &command);
  void on(const Finalize &command);

  ServedFile &served() { return component_.files.at(entry_.command.file); }
  File &file() { return *served().file; }
  FileSettings settings_for(const std::string &path) const;
  void keep(std::shared_ptr<File> file);
  bool await_writing();
  void put_on_disk();

  ServerContext &server_context_;
  Component &component_;
  QueuedCommand entry_;
};

}  // namespace sv
