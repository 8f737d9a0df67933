// The home of a file that servers write, or read, on the side of the models. A file that is being written may also be
// read by the models' own ranks, where its store is ours.
#pragma once

#include "file/home.hpp"
#include "servers/client.hpp"

namespace sv {

class Service;

class ServedHome final : public Home {
 public:
  /// `service` outlives it.
  ServedHome(File &file, StoreMaker maker, Service &service, const Client::Served &served);

  void choose_writers() override;
  void create(const std::string &call, bool exclusive) override;
  void open(const std::string &call, bool writing) override;
  bool writes_here() const override { return false; }
  Route route_of_ranges() const override;
  Readers readers() const override;
  bool is_owner() const override { return false; }

 protected:
  Route new_route(const Layout &) const override { return route_of_ranges(); }

 private:
  void tell(Command::What what);
  void make_own();
  std::vector<int> trace_writers() const;
  ServedFileReports served_file_reports() const;
  void check_primaries() const;

  Service &service_;
  const Client::Served served_;
};

}  // namespace sv
