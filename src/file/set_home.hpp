// The home of a set of files: each piece is a file of its own, with one writer (the routes per_pe and per_domain); and
// of such a set that is opened as one file.
#pragma once

#include "file/home.hpp"
#include "store/division.hpp"

namespace sv {

class SetHome : public Home {
 public:
  using Home::Home;

  /// Finds what divides the file among its decompositions.
  void choose_writers() override;
  /// Collective. The same of a set that is there, whose first piece has these definitions; then the file has those of
  /// the whole, and its records.
  void find_pieces(const Schema &first_piece);
  std::unique_ptr<Store> new_store() override;
  Route route_of_ranges() const override { return route_; }
  std::vector<Territory> pieces(int variable) const override;
  bool is_owner() const override { return true; }
  bool has_offsets() const override { return false; }

 protected:
  Route new_route(const Layout &) const override { return route_; }

 private:
  void divide(Division &division);
  void check_division() const;
  void check_divided_once(Status status, const std::string &remedy) const;
  int64_t count_of(const PieceView &first) const;
  void read_places(const PieceView &first, std::vector<int64_t> &numbers) const;
  void read_place(const PieceView &first, int piece, std::vector<int64_t> &numbers) const;
  void check_overlap() const;
  std::string path_of(int64_t piece) const;

  std::shared_ptr<const Division> division_;
  Route route_;
};

}  // namespace sv
