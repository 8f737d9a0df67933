// The home of a file that the models' own ranks write behind their calls: the lowest rank of each node, or of the first
// nodes, by a thread. Everything else is as in the plain kind.
#pragma once

#include "file/home.hpp"
#include "rounds/behind.hpp"

namespace sv {

class BehindHome final : public Home {
 public:
  /// `number`: from 1, of the files of the context.
  BehindHome(File &file, StoreMaker maker, std::shared_ptr<Behind> behind, int64_t number);
  ~BehindHome() override;

  void choose_writers() override;
  /// When nothing is written to it behind the calls any more.
  Store &store() override;

 protected:
  Route new_route(const Layout &layout) const override;

 private:
  std::string remark_on(const std::string &key, int asked) const;

  const std::shared_ptr<Behind> behind_;
  BehindFile later_;
};

}  // namespace sv
