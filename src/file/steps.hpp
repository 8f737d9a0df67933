// Steps of the calls on a file: the work of each rank, and the gate after it. All code that makes such calls uses them.
#pragma once

#include <functional>
#include <string>

#include "base/function_ref.hpp"
#include "file/context.hpp"

namespace sv {

class File;

/// Collective. This rank does `local` and passes the gate (Context::agree): its error is thrown on every rank, with the
/// names of the file and the variable (−1: none).
Agreed agree(const File &file, const std::string &call, int variable, const std::function<void()> &local,
             const Agreed &values = {});
/// The same, with named values (transport/agreed.hpp).
template <AgreedValues Values>
Values agree(const File &file, const std::string &call, int variable, const std::function<void()> &local,
             const Values &values) {
  return read_words<Values>(agree(file, call, variable, local, words_with(values)));
}
/// Local. Calls `action`; its error names the file, the variable (−1: none) and this rank.
void name_errors(const File &file, int variable, FunctionRef<void()> action);
/// Calls `action`; its error, which every rank throws, fails the file.
void or_fail(File &file, const std::function<void()> &action);

}  // namespace sv
