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
  void on(const CreateFile &told);
  void on(const OpenFile &told);
  void on(const RedefineFile &told);
  void on(const PutField &field);
  void on(const GetField &field);
  void on(const DefineFixed &told);
  void on(const EndStep &told);
  void on(const SyncFile &told);
  void on(const FailFile &told);
  void on(const CloseFile &told);
  void on(const Flush &told);
  void on(const Finalize &told);

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
