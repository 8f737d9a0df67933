// The delivery of a file that servers write, or read, on the side of the models: calls become letters and data for
// them. Nothing waits for servers, except where the function says so.
#pragma once

#include "delivery/file_delivery.hpp"
#include "servers/client.hpp"

namespace sv {

class Service;

class ServedDelivery final : public FileDelivery {
 public:
  /// `service` outlives it.
  ServedDelivery(File &file, Service &service, const Client::Served &served);

  bool can_grow() const override { return false; }

  void conclude(const std::string &, const std::optional<Error> &) override {}
  /// Waits.
  void settle() override;
  void fail(const Error &error) override;
  /// Servers commit by themselves when a step ends.
  bool commit() override;
  /// Waits.
  void sync() override;
  void close(bool completes) override;

  bool create(bool exclusive) override;
  bool open(bool writing) override;
  void redefine() override;
  bool define_fixed(const std::vector<int> &variables) override;
  void put(const FieldJob &job, const FieldPieces<PackRow> &pieces) override;
  std::optional<Error> get(const FieldJob &job, const FieldPieces<UnpackRow> &pieces,
                           OutOfRange &range_errors) override;

 private:
  FileDescription begin_file();
  void send(Command::What what);

  Service &service_;
  const Client::Served served_;
};

}  // namespace sv
