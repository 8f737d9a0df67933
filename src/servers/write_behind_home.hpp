// The home of one file that the models' own ranks write behind their calls, by threads: the lowest rank of each node,
// or of the first nodes, writes it. Everything else is as in the plain kind.
#pragma once

#include "file/home.hpp"

namespace sv {

class WriteBehindHome final : public Home {
 public:
  using Home::Home;

  void choose_writers() override;
  Readers readers() const override;

 protected:
  Route new_route(const Layout &layout) const override;

 private:
  std::string remark_on(const std::string &key, int asked) const;
  bool has_chunks() const { return maker.kind().placing == Placing::by_chunk; }
};

}  // namespace sv
