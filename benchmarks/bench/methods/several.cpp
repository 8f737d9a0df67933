#include "methods/schedule.hpp"

#include <algorithm>
#include <stdexcept>

#include "rounds.hpp"

namespace sv_bench {

namespace {

std::unique_ptr<SteppedMethod> stepped(std::unique_ptr<Method> method) {
  auto *const found = dynamic_cast<SteppedMethod *>(method.get());
  if (found == nullptr) throw std::logic_error("a method that writes several files goes step by step");
  method.release();
  return std::unique_ptr<SteppedMethod>(found);
}

}  // namespace

void Several::run(const std::string &path) {
  phases_ = {};
  seconds_.emplace_back(parts_.size());
  size_t computed = 0;
  Clock clock;
  for (const Moment &moment : schedule_.moments) {
    if (moment.computes) compute(computed++, clock);
    if (moment.computes && computed == 1) first_output_ = MPI_Wtime();
    for (const Moment::Part &part : moment.parts) move(part, path, clock);
    if (moment.computes) lead().end_step();
    phases_.transfer += clock.lap();
  }
  if (schedule_.as_loop) {
    phases_.transfer += phases_.open + phases_.close;
    phases_.open = phases_.close = 0;
  }
  lead().settle();
  phases_.close += clock.lap();
  phases_.output = MPI_Wtime() - first_output_;
}

Traffic Several::traffic() {
  Traffic all{{}, {}, 0};
  for (size_t f = 0; f < parts_.size(); ++f) {
    const Traffic one = parts_[f]->traffic();
    if (reads(f)) continue;
    all.messages = all.messages && one.messages ? std::optional(*all.messages + *one.messages) : std::nullopt;
  }
  return all;
}

std::optional<bool> Several::check(const std::string &path) {
  bool right = true;
  for (size_t f = 0; f < parts_.size(); ++f) {
    const size_t steps = parts_[f]->workload().steps(), each = steps_of_a_file(f);
    for (size_t step = 0; step < steps; step += each) {
      const std::optional<bool> one = parts_[f]->check_steps(path_of(f, step, path), step, step + each);
      if (!one) return {};
      right = right && *one;
    }
  }
  return right;
}

void Several::remove(const std::string &path) {
  for (size_t f = 0; f < parts_.size(); ++f) {
    for (size_t step = 0; step < parts_[f]->workload().steps(); step += steps_of_a_file(f))
      parts_[f]->remove(path_of(f, step, path));
  }
}

nlohmann::json Several::more() {
  nlohmann::json streams = nlohmann::json::array();
  for (size_t f = 0; f < parts_.size(); ++f) {
    std::vector<double> seconds;
    for (const std::vector<double> &run : seconds_) seconds.push_back(run[f]);
    MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, team_.comm);
    if (seconds.size() > 1) seconds.erase(seconds.begin());  // the cold one
    const Workload &workload = parts_[f]->workload();
    streams.push_back({{"name", schedule_.files[f].name},
                       {"reads", reads(f)},
                       {"files", workload.steps() / steps_of_a_file(f)},
                       {"bytes", workload.bytes()},
                       {"calls", workload.accesses().size()},
                       {"blocked", median_of(seconds)}});
  }
  return {{"streams", streams}};
}

void Several::finish() {
  for (const auto &part : parts_) part->finish();
}

size_t Several::steps_of_a_file(size_t file) const {
  const Workload &workload = parts_[file]->workload();
  return workload.has_file_per_step() ? 1 : std::max<size_t>(1, workload.steps());
}

std::string Several::path_of(size_t file, size_t step, const std::string &path) const {
  if (reads(file)) return schedule_.files[file].input;
  std::string name = path.substr(0, path.rfind(".nc"));
  name.append(".").append(schedule_.files[file].name);
  if (parts_[file]->workload().has_file_per_step()) name.append(".").append(std::to_string(step + 1));
  return name.append(".nc");
}

SteppedMethod &Several::lead() {
  size_t file = 0;
  while (file + 1 < parts_.size() && reads(file)) ++file;
  return *parts_[file];
}

void Several::compute(size_t step, Clock &clock) {
  Computed computed;
  if (schedule_.model) computed = schedule_.model->compute(step, [this](bool begins) { lead().communicates(begins); });
  phases_.communication += computed.communication;
  phases_.compute += clock.lap();
}

void Several::move(const Moment::Part &part, const std::string &path, Clock &clock) {
  SteppedMethod &method = *parts_[part.file];
  const size_t each = steps_of_a_file(part.file), steps = method.workload().steps();
  method.workload().advance(part.step);
  phases_.compute += clock.lap();
  double open = 0, close = 0;
  if (part.step % each == 0) {
    method.open(path_of(part.file, part.step, path));
    phases_.open += open = clock.lap();
  }
  method.move(part.step);
  const double moving = clock.lap();
  (reads(part.file) ? phases_.read : phases_.transfer) += moving;
  if (part.step % each + 1 == each || part.step + 1 == steps) {
    method.close();
    phases_.close += close = clock.lap();
  }
  seconds_.back()[part.file] += open + moving + close;
}

std::vector<Moment> one_after_the_other(const std::vector<ModelFile> &files, const std::string &computing) {
  std::vector<Moment> moments;
  for (size_t f = 0; f < files.size(); ++f) {
    for (size_t step = 0; step < files[f].workload->steps(); ++step)
      moments.push_back({files[f].name == computing, {{f, step}}});
  }
  return moments;
}

Peer several_peer(const std::string &name, const Schedule &schedule,
                  const std::function<Peer(const ModelFile &file)> &peer_of_file) {
  std::vector<Peer> peers;
  Peer all{name, false, "", {}};
  for (const ModelFile &file : schedule.files) {
    peers.push_back(peer_of_file(file));
    if (all.missing.empty()) all.missing = peers.back().missing;
  }
  all.make = [schedule, peers] {
    Parts parts;
    for (const Peer &peer : peers) parts.push_back(stepped(peer.make()));
    return std::make_unique<Several>(schedule, std::move(parts));
  };
  return all;
}

const Workload &first_written(const Schedule &schedule) {
  const auto found = std::find_if(schedule.files.begin(), schedule.files.end(),
                                  [](const ModelFile &file) { return file.input.empty(); });
  if (found == schedule.files.end()) throw std::logic_error("a model that writes nothing");
  return *found->workload;
}

}  // namespace sv_bench
