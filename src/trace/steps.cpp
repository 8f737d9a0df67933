#include "trace/steps.hpp"

#include <exception>

namespace sv::trace {

std::string_view name_of(Doing doing) {
  constexpr std::array<std::string_view, doings> names = {
      "open",     "read_meta", "read",     "write",      "close",       "pack",        "collect",
      "reorder",  "scatter",   "output",   "wait",       "wait_memory", "wait_answer", "flush",
      "end_step", "receive",   "assemble", "write_file", "idle",        "sync",        "send"};
  return names[static_cast<size_t>(doing)];
}

Steps::Steps(const Place &place) : recorder_(place) {
  for (int i = 0; i < doings; ++i)
    numbers_[static_cast<size_t>(i)] = recorder_.function(Layer::step, name_of(static_cast<Doing>(i)));
}

Steps::~Steps() { recorder_.finish(); }

void Steps::name(int rank, int of_ranks) {
  recorder_.header().rank = rank;
  recorder_.header().ranks = of_ranks;
}

void Steps::sent(Subject subject, int to, int64_t step, int64_t bytes) {
  Arguments arguments;
  arguments.add(Argument::peer, to);
  arguments.add(Argument::step, step);
  recorder_.add(recorder_.path(recorder_.current_path(), number(Doing::send)),
                {.start_ns = recorder_.now_ns(), .bytes = bytes, .file = subject.file, .variable = subject.variable},
                arguments);
}

Bracket::Bracket(Steps *steps, Doing doing, Subject subject) : steps_(steps) {
  if (steps == nullptr) return;
  exceptions_ = std::uncaught_exceptions();
  event_.file = subject.file;
  event_.variable = subject.variable;
  open_ = steps->recorder().begin(steps->number(doing));
  if (subject.file != 0) steps->recorder().about(subject.file, subject.variable);
}

Bracket::~Bracket() {
  if (steps_ == nullptr) return;
  Recorder &recorder = steps_->recorder();
  event_.start_ns = open_.start_ns;
  event_.duration_ns = recorder.now_ns() - open_.start_ns;
  event_.failed = std::uncaught_exceptions() > exceptions_;
  Arguments arguments;
  if (step_ >= 0) arguments.add(Argument::step, step_);
  recorder.end(open_, event_, arguments);
}

}  // namespace sv::trace
