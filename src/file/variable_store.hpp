// A file for each data variable as one store (docs/adr/0045-a-file-for-each-variable.md): every one of them is a store
// of its own, of any kind. It takes slabs of the whole and passes them on; a coordinate is written to each file that
// has it, and read from the first. The home of a file with this layout makes one in place of a single store, and calls
// it as any other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "file/stores.hpp"
#include "store/store.hpp"

namespace sv {

struct VariableStores {
  std::string path_template;  // store/variable_files.hpp
  const StoreKind *kind;
  std::function<std::unique_ptr<Store>(const std::string &path)> make;  // of one file
  Placement placement;                                                  // in each of them
  const int64_t *run;  // that writes them (store/set_run.hpp): known when they are made; it must outlive the store
  std::shared_ptr<FoundFiles> found;  // which files sv_open has found
  bool is_new;                        // it is made in this run; otherwise its files contain the positions of values
  bool together;                      // the reading ranks call it together with others
};

/// Its error is that of the first file that fails. Data of all are written before the first counts a record, and the
/// first file counts last: records that it counts are in all of them.
std::unique_ptr<Store> make_variable_store(VariableStores how);

/// Local. Of the files that are there by this template: the definitions of the whole, placed, with the records that all
/// have or can be made to have; nothing where there are none. Error(format) where files are missing or differ.
struct FoundVariableSet {
  PlacedSchema schema;
  const StoreKind *kind;
};
/// `found` gets to know which files these are.
std::optional<FoundVariableSet> find_variable_set(const std::string &path_template, const FileSettings &settings,
                                                  const Placement &placement, FoundFiles &found);

}  // namespace sv
