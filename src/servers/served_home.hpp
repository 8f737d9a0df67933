// The home of a file that servers write, or read, on the side of the models: every call becomes letters and data for
// them. A file that is being written may also be read by the models' own ranks, where its store is ours.
#pragma once

#include "delivery/remote_writer.hpp"
#include "file/home.hpp"
#include "servers/client.hpp"

namespace sv {

class Service;

class ServedHome final : public Home, public RemoteWriter {
 public:
  /// `service` outlives it.
  ServedHome(File &file, StoreMaker maker, Service &service, const Client::Served &served);

  void choose_writers() override;
  void create(const std::string &call, bool exclusive) override;
  void open(const std::string &call, bool writing) override;
  RemoteWriter *carrier() override { return this; }
  Route route_of_ranges() const override;
  Readers readers() const override;
  bool is_owner() const override { return false; }

  void put(const FieldJob &job, const FieldPieces<PackRow> &pieces) override;
  std::optional<Error> get(const FieldJob &job, const FieldPieces<UnpackRow> &pieces,
                           OutOfRange &range_errors) override;
  void redefine() override;
  void define_fixed(const std::vector<int> &variables) override;
  void commits() override;
  void sync() override;
  void settle() override;
  void fail(const Error &error) override;
  void close(bool completes) override;
  std::vector<int> trace_writers() const override;

 protected:
  Route new_route(const Layout &) const override { return route_of_ranges(); }

 private:
  void tell(Command::What what);
  void make_own();
  ServedFileReports served_file_reports() const;
  void check_primaries() const;

  Service &service_;
  const Client::Served served_;
};

}  // namespace sv
