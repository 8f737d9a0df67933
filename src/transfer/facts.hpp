// The facts by which the strategy of a put or get is chosen (strategy/strategy.hpp), as far as the context and the file
// decide; and the choice itself, which is counted for the summary. The transfers of fields and of requests add what
// they know of their own request. Local, and the same on all ranks; nothing here decides anything.
#pragma once

#include "file/file.hpp"
#include "strategy/strategy.hpp"

namespace sv {

/// The facts of a put into `variable` (−1: several ones).
Facts writing_facts(const File &file, int variable);
/// The facts of a get.
Facts reading_facts(const File &file);

/// How a put is written; tests force a strategy by the environment variable SV_FORCE_STRATEGY.
Strategy writing_strategy(const Facts &facts);
/// How a get is read.
Strategy reading_strategy(const Facts &facts);
/// For the summary: a collective call of this rank takes that strategy.
void count_writing(const File &file, Strategy strategy);
void count_reading(const File &file, Strategy strategy);

}  // namespace sv
