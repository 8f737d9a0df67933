// The homes of files that the models' own ranks write behind their calls, by threads: of one file, which the lowest
// rank of each node, or of the first nodes, writes; and of a set, each of whose pieces its own rank writes. Everything
// else is as in the plain kinds.
#pragma once

#include "delivery/background_writer.hpp"
#include "file/set_home.hpp"

namespace sv {

/// What is under way to a file, from when it has its home to when that goes.
class UnderWay {
 public:
  /// `number`: from 1, of the files of the context. `file` outlives it.
  UnderWay(File &file, std::shared_ptr<BackgroundWriter> behind, int64_t number, bool in_pieces);
  ~UnderWay();
  UnderWay(const UnderWay &) = delete;
  /// Nothing of this rank is, any more.
  void rest() { behind_->rest(); }

 private:
  const std::shared_ptr<BackgroundWriter> behind_;
  WriteBehindFile later_;
};

class WriteBehindHome final : public Home {
 public:
  WriteBehindHome(File &file, StoreMaker its_maker, std::shared_ptr<BackgroundWriter> behind, int64_t number)
      : Home(file, std::move(its_maker)), under_way_(file, std::move(behind), number, false) {}

  void choose_writers() override;
  Readers readers() const override;
  /// When nothing is written to it behind the calls any more.
  Store &store() override;

 protected:
  Route new_route(const Layout &layout) const override;

 private:
  std::string remark_on(const std::string &key, int asked) const;
  bool has_chunks() const { return maker.kind().placing == Placing::by_chunk; }

  UnderWay under_way_;
};

class BehindSetHome final : public SetHome {
 public:
  BehindSetHome(File &file, StoreMaker its_maker, std::shared_ptr<BackgroundWriter> behind, int64_t number)
      : SetHome(file, std::move(its_maker)), under_way_(file, std::move(behind), number, true) {}

  /// When nothing is written to it behind the calls any more.
  Store &store() override;

 private:
  UnderWay under_way_;
};

}  // namespace sv
