#include "delivery/background_writer.hpp"

#include <algorithm>

#include "file/servers.hpp"

namespace sv {

/// Never destroyed: a forked process, in which no thread waits for it, could not end then.
Loan &hdf5() {
  static auto *const one = new Loan;
  return *one;
}

BackgroundWriter::BackgroundWriter(Context &context, int64_t ring_bytes)
    : context_(context),
      ring_(context.node, ring_bytes),
      bell_{},
      ordering_(bell_),
      writer_("sv-behind", [this] { bell_.ring(); }),
      writing_(writer_, context.metrics.steps, &ordering_),
      borrower_(hdf5(), writer_.begin()) {}

void BackgroundWriter::finish() {
  const Lent lent(hdf5());
  flush_now();
  writer_.wait();
}

void BackgroundWriter::rest() {
  const Lent lent(hdf5());
  flush_now();
  while (!writer_.wait(std::chrono::milliseconds(20))) {
    context_.node.check_poison();
    context_.node.waits();
  }
  if (const auto failed = writer_.failure()) throw Error(*failed);
}

void BackgroundWriter::ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) {
  asked_ = number;
  writing_.flush();                       // the held-back data precede this
  if (!is_on) return pass(number, jobs);  // the thread rests
  writer_.post([this, number, own = std::move(jobs)] { pass(number, own); });
}

void BackgroundWriter::pass(int64_t number, const std::vector<std::shared_ptr<SyncJob>> &jobs) {
  context_.disk.syncer().ask(number, jobs);
  const MutexLock lock(mutex_);
  passed_ = {number, busy_seconds(), processor_seconds()};
}

Passed BackgroundWriter::passed() const {
  const MutexLock lock(mutex_);
  return passed_;
}

int64_t BackgroundWriter::done() const {
  const int64_t number = passed().number;  // first: its pending data are requested before
  return std::min(number == asked_ ? INT64_MAX : number, context_.disk.syncer().done());
}

namespace {

BackgroundWriter *writer_of(const Context &context) {
  return context.servers == nullptr ? nullptr : context.servers->behind();
}

}  // namespace

int64_t done_requests(Context &context) {
  const BackgroundWriter *const writer = writer_of(context);
  return writer == nullptr ? context.disk.syncer().done() : writer->done();
}

void ask_writer(Context &context, int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) {
  if (BackgroundWriter *const writer = writer_of(context)) return writer->ask(number, std::move(jobs));
  context.disk.syncer().ask(number, std::move(jobs));
}

void await_writer(Context &context) {
  if (BackgroundWriter *const writer = writer_of(context)) writer->rest();
}

}  // namespace sv
