// Definitions that change: names and attributes, and going back to define mode (ADR 27).
#include <algorithm>

#include "engine/combine.hpp"
#include "engine/commit.hpp"
#include "engine/file.hpp"
#include "engine/file_trace.hpp"
#include "engine/orders.hpp"
#include "engine/owners.hpp"

namespace sv {

/// To be renamed, or to go.
Attribute &File::own_attribute(int variable, const std::string &name) {
  names_.attributes.erase(variable);
  for (Attribute &each : own_attributes(variable))
    if (each.name == name) return each;
  throw Error(Status::not_found, "there is no attribute '" + name + "'", "See ncdump -h").in_file(path_);
}

void File::rename_dim(int dim, const std::string &name) {
  require(Mode::define, "sv_rename_dim");
  check_new_name(name);
  const int known = find_dim(name);
  if (this->dim(dim).name != name && known >= 0)
    throw Error(Status::exists, "there is a dimension '" + name + "'", "Use another name").in_file(path_);
  schema_.dims[static_cast<size_t>(dim)].name = name;
  names_.dims.forget();
  for (Variable &each : schema_.variables)
    for (Attribute &mark : each.attributes)
      if (mark.name == order_attribute && each.dims == std::vector<int>{dim}) mark = order_mark(name);
}

void File::rename_variable(int variable, const std::string &name) {
  require(Mode::define, "sv_rename_var");
  check_new_name(name);
  if (this->variable(variable).name != name && find_variable(name) >= 0)
    throw Error(Status::exists, "there is such a variable", "Use another name").in_variable(name).in_file(path_);
  schema_.variables[static_cast<size_t>(variable)].name = name;
  names_.variables.forget();
}

void File::rename_attribute(int variable, const std::string &from, const std::string &to) {
  require(Mode::define, "sv_rename_att");
  check_new_name(to);
  Attribute &renamed = own_attribute(variable, from);
  if (from != to && sv::find_attribute(attributes(variable), to) != nullptr)
    throw Error(Status::exists, "there is an attribute '" + to + "'", "Use another name").in_file(path_);
  Attribute made = renamed;
  made.name = to;
  check_attribute(variable, made);
  renamed = std::move(made);
}

void File::delete_attribute(int variable, const std::string &name) {
  require(Mode::define, "sv_del_att");
  const Attribute *const deleted = &own_attribute(variable, name);
  std::vector<Attribute> &all = own_attributes(variable);
  all.erase(all.begin() + (deleted - all.data()));
}

void File::redefine() {
  context_.agree("sv_redef('" + path_ + "')", located(-1, caught(context_.rank(), [this] {
                   if (series_ != nullptr)
                     throw Error(Status::order, "the file is a series, whose files are defined once",
                                 "Define before sv_enddef");
                   if (mode_ == Mode::define)
                     throw Error(Status::order, "sv_redef in define mode", "Definitions can be made now");
                   require(Mode::data, "sv_redef");
                   if (is_set())
                     throw Error(Status::order, "the file is a set of files, which are defined once",
                                 "Define everything before sv_enddef, or choose a route that writes one file");
                 })));
  if (const auto complaint = complete_all(*this)) throw Error(*complaint);
  commit(*this, "sv_redef", false);
  before_ = std::make_unique<Schema>(schema_);
  mode_ = Mode::define;
}

void File::end_redefine() {
  if (trace_ != nullptr) trace_->redefined();
  if (is_served()) return end_redefine_served();
  try {
    bool stays = false;
    context_.agree("sv_enddef, redefined", located(-1, caught(context_.rank(), [&] {
                     stays = place_again(schema_, *before_, placement()) && !has_team();
                     if (stays && attached_) store_->redefine(schema_);
                   })));
    if (!stays) move_data();
    replaces_committed_ = !stays && settings_.kind == Kind::growing;
  } catch (const Error &failure) {
    fail(failure);
    throw;
  }
  before_.reset();
  ++redefinitions_;
  mode_ = Mode::data;
  touched_fixed_.resize(schema_.variables.size(), false);
  commit(*this, "sv_enddef", false);
}

void File::move_data() {
  const auto step = [this](const std::string &what, const std::function<void()> &action) {
    context_.agree("sv_enddef('" + path_ + "'), " + what, located(-1, caught(context_.rank(), action)));
  };
  // Whoever moves data opens the old file before the new one takes its temporary name, and keeps it open: of a
  // published file the old one has no name from then on.
  step("old data", [this] {
    if (has_team()) {  // it closes the file; then each opens it by itself
      detach();
      store_ = maker_.make(path_, settings_.kind);
    }
    const bool moves = std::count(range_owners_.begin(), range_owners_.end(), context_.rank()) > 0;
    if (moves && !attached_) store_->attach(*before_, true);
    attached_ = attached_ || moves;
  });
  count_store();
  counted_ = {};
  const std::unique_ptr<Store> old = std::exchange(store_, new_store());
  const bool was_attached = std::exchange(attached_, false);
  step("a new file", [&] {
    if (!is_owner()) return;
    old->let_go();
    store_->create(schema_, false);
    attached_ = true;
  });
  step("moved", [&] {
    for (int v = 0; v < static_cast<int>(schema_.variables.size()); ++v) {
      const bool known = v < static_cast<int>(before_->variables.size()), has_records = variable(v).has_records;
      if (!has_records && known && touched_fixed_[static_cast<size_t>(v)]) move_slab(*old, v, -1);
      for (int64_t record = 0; has_records && record < schema_.records; ++record) {
        if (known)
          move_slab(*old, v, record);
        else if (settings_.fill)
          fill_slab(*this, v, record);
      }
    }
  });
  step("old data left", [&] {
    if (was_attached) old->detach();
  });
}

void File::move_slab(Store &from, int variable, int64_t record) {
  const auto read = [&](const Share &share, std::span<std::byte> values) {
    from.read(slab_of(variable, record, share), values);
  };
  context_.metrics().moved_bytes += copy_slab(*this, variable, record, {from.byte_order(), read});
  moved_bytes_ += schema_.slab_elements(this->variable(variable)) * size_of(this->variable(variable).type);
}

}  // namespace sv
