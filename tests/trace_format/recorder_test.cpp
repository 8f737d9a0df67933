// The records of a Recorder are in its file at once, in the format, and stay there when the recorder is gone.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

#include "reading.hpp"
#include "trace/world.hpp"

namespace {

namespace fs = std::filesystem;
using svtest::Reading;
using namespace sv::trace;

class RecorderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::absolute(testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
  }
  Place place(int64_t ring_bytes = 1 << 20) const { return {folder, Producer::tracer, ring_bytes}; }
  fs::path folder;
};

TEST_F(RecorderTest, KeepsTheProcess) {
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "5", 1);
  Recorder recorder({folder / "deep", Producer::library, 1 << 20});
  unsetenv("OMPI_COMM_WORLD_RANK");
  unsetenv("OMPI_COMM_WORLD_SIZE");
  const Reading reading(folder / "deep");
  const Header &header = reading.header();
  EXPECT_EQ(std::memcmp(header.magic, magic, sizeof magic), 0);
  EXPECT_EQ(header.producer, Producer::library);
  EXPECT_EQ(header.file_bytes, static_cast<int64_t>(fs::file_size(reading.path())));
  EXPECT_EQ(header.pid, getpid());
  EXPECT_EQ(header.rank, 3);
  EXPECT_EQ(header.ranks, 5);
  EXPECT_EQ(header.flags & ended, 0U);
  EXPECT_EQ(fs::path(header.program).filename(), fs::read_symlink("/proc/self/exe").filename());
  EXPECT_EQ(reading.section(section_ring).capacity, (1 << 20) / 64);
  recorder.finish();
  EXPECT_EQ(Reading(folder / "deep").header().flags & ended, 1U);
  EXPECT_GT(Reading(folder / "deep").header().end_ns, 0);
}

TEST_F(RecorderTest, KeepsCallsWithinCalls) {
  Recorder recorder(place());
  const uint32_t file = recorder.file("/data/ocean.nc");
  const uint32_t variable = recorder.variable(file, 7, "temp");
  EXPECT_EQ(recorder.file("/data/ocean.nc"), file);
  EXPECT_EQ(recorder.variable(file, 7, "temp"), variable);
  EXPECT_NE(recorder.variable(file, 7, "salt"), variable);
  const Open outer = recorder.begin(recorder.function(Layer::netcdf, "nc_put_vara"));
  const Open inner = recorder.begin(recorder.function(Layer::posix, "pwrite"));
  recorder.about(file, variable);
  EXPECT_EQ(recorder.current_path(), inner.path);
  {
    const Reading during(folder);
    const auto *const threads = during.entries<Thread>(section_threads);
    EXPECT_EQ(threads[0].tid, gettid());
    ASSERT_EQ(threads[0].depth, 2);
    EXPECT_EQ(during.name_of(threads[0].frames[1].path), "nc_put_vara>pwrite");
    EXPECT_EQ(threads[0].frames[1].file, file);
    EXPECT_TRUE(during.events().empty());
  }
  Arguments arguments;
  const int64_t start[] = {4, 0, 0};
  arguments.add(Argument::start, start);
  recorder.end(inner, {inner.start_ns, 100, 4096, 512, file, variable, false});
  recorder.end(outer, {outer.start_ns, 300, 4096, -1, file, variable, true}, arguments);
  EXPECT_EQ(recorder.current_path(), no_caller);
  EXPECT_EQ(recorder.note(R"({"kind":"run"})", file), 0);

  const Reading reading(folder);
  const auto events = reading.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].path, "nc_put_vara>pwrite");
  EXPECT_EQ(events[0].event.offset, 512);
  EXPECT_EQ(events[1].path, "nc_put_vara");
  EXPECT_TRUE(events[1].event.failed);
  EXPECT_EQ(events[1].words, (std::vector<int64_t>{argument_word(Argument::start, 3), 4, 0, 0, 0, 0, 0}));
  const auto totals = reading.totals();
  const Total &pwrite = *totals.at("nc_put_vara>pwrite 1 1");
  EXPECT_EQ(pwrite.calls, 1);
  EXPECT_EQ(pwrite.bytes, 4096);
  EXPECT_EQ(pwrite.ns, 100);
  EXPECT_EQ(pwrite.sizes[13], 1U);  // 4096 <= bytes < 8192
  EXPECT_EQ(totals.at("nc_put_vara 1 1")->errors, 1);
  EXPECT_EQ(reading.file(file), "/data/ocean.nc");
  const Note &note = reading.entries<Note>(section_notes)[0];
  EXPECT_EQ(reading.text(note.text_offset, note.text_bytes), R"({"kind":"run"})");
  EXPECT_EQ(note.complete, 1U);
}

TEST_F(RecorderTest, KeepsArgumentsThatFit) {
  Arguments arguments;
  const std::vector<int64_t> many(200, 5);
  arguments.add(Argument::step, 1);
  arguments.add(Argument::count, many);
  arguments.add(Argument::record, 2);  // no room any more
  const auto words = arguments.words();
  ASSERT_EQ(words.size(), 70U);
  EXPECT_EQ(words[2], argument_word(Argument::count, 67));
  Recorder recorder(place());
  recorder.add(recorder.path(no_caller, recorder.function(Layer::mpi, "f")), {1, 1}, arguments);
  recorder.add(recorder.path(no_caller, recorder.function(Layer::mpi, "g")), {2, 1});
  const auto events = Reading(folder).events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(std::equal(words.begin(), words.end(), events[0].words.begin(), events[0].words.end()));
  EXPECT_EQ(events[1].number, 11);
}

// The latest events stay, whole, also where one goes over the end of the ring; totals have all.
TEST_F(RecorderTest, RingGoesRound) {
  Recorder recorder(place(4096));  // 64 slots
  const uint32_t path = recorder.path(no_caller, recorder.function(Layer::posix, "write"));
  Arguments arguments;
  arguments.add(Argument::record, std::vector<int64_t>(8, 9));  // three slots with the event
  for (int i = 1; i <= 1000; ++i) recorder.add(path, {i, 1, i}, arguments);
  const Reading reading(folder);
  const auto events = reading.events();
  ASSERT_EQ(events.size(), 21U);  // 63 of 64 slots
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].event.bytes, 980 + static_cast<int64_t>(i));
    EXPECT_EQ(events[i].words[8], 9);
  }
  EXPECT_EQ(reading.section(section_ring).used, 3000);
  EXPECT_EQ(reading.totals().at("write 0 0")->calls, 1000);
  EXPECT_EQ(reading.totals().at("write 0 0")->bytes, 500500);
}

TEST_F(RecorderTest, CallsDeeperThanTheListAreCounted) {
  Recorder recorder(place());
  const uint32_t function = recorder.function(Layer::step, "f");
  std::vector<Open> calls;
  for (int i = 0; i < deepest + 10; ++i) calls.push_back(recorder.begin(function));
  EXPECT_EQ(Reading(folder).entries<Thread>(section_threads)[0].depth, deepest + 10);
  for (; !calls.empty(); calls.pop_back()) recorder.end(calls.back(), {calls.back().start_ns, 1});
  EXPECT_EQ(recorder.current_path(), no_caller);
  EXPECT_EQ(Reading(folder).events().size(), static_cast<size_t>(deepest) + 10);
}

TEST_F(RecorderTest, ForgottenCallsLeaveNothing) {
  Recorder recorder(place());
  const Open call = recorder.begin(recorder.function(Layer::posix, "open"));
  recorder.forget(call);
  EXPECT_EQ(recorder.current_path(), no_caller);
  EXPECT_TRUE(Reading(folder).events().empty());
  EXPECT_TRUE(Reading(folder).totals().empty());
}

TEST_F(RecorderTest, NamesWithoutRoomAreNone) {
  Recorder recorder(place());
  for (int i = 1; i < 1024; ++i) EXPECT_EQ(recorder.function(Layer::mpi, "f" + std::to_string(i)), i);
  EXPECT_EQ(recorder.function(Layer::mpi, "one more"), 0U);
  EXPECT_EQ(recorder.function(Layer::mpi, "f77"), 77U);
  const Open none = recorder.begin(0);
  EXPECT_EQ(none.path, 0U);
  recorder.end(none, {1, 1});
  for (int i = 1; i < 2048; ++i) EXPECT_EQ(recorder.file("/" + std::to_string(i)), i);
  EXPECT_EQ(recorder.file("/one more"), 0U);
  for (int i = 0; i < 512; ++i) EXPECT_EQ(recorder.note("{}"), i);
  EXPECT_EQ(recorder.note("{}"), -1);
  const std::string long_name(600 << 10, 'x');
  EXPECT_EQ(recorder.variable(1, 1, long_name), 0U);
  const Reading reading(folder);
  EXPECT_EQ(reading.section(section_functions).lost, 1);
  EXPECT_EQ(reading.section(section_files).lost, 1);
  EXPECT_EQ(reading.section(section_notes).lost, 1);
  EXPECT_EQ(reading.section(section_notes).used, 512);
  EXPECT_EQ(reading.section(section_text).lost, 1);
  EXPECT_TRUE(reading.events().empty());
}

TEST_F(RecorderTest, PathsWithoutRoomLoseTheirCaller) {
  Recorder recorder(place());
  uint32_t functions[100];
  for (int i = 0; i < 100; ++i) functions[i] = recorder.function(Layer::mpi, "f" + std::to_string(i));
  uint32_t last = no_caller;
  for (int i = 0; i < 5000; ++i) {
    last = recorder.path(i % 50 == 0 ? no_caller : last, functions[(i / 50 + i) % 100]);
    ASSERT_NE(last, 0U);
  }
  for (uint32_t caller = 1; caller < 3000; ++caller) ASSERT_NE(recorder.path(caller, functions[caller % 100]), 0U);
  const uint32_t lost = recorder.path(3071, functions[9]);
  EXPECT_EQ(recorder.path(3070, functions[9]), lost);
  EXPECT_EQ(Reading(folder).name_of(lost), "?>f9");
  EXPECT_GT(Reading(folder).section(section_paths).lost, 0);
}

// Each call is in one of the two tables of totals.
TEST_F(RecorderTest, TotalsWithoutRoomGoToTheirPath) {
  Recorder recorder(place());
  const uint32_t path = recorder.path(no_caller, recorder.function(Layer::posix, "write"));
  for (uint32_t i = 1; i <= 5000; ++i) recorder.add(path, {1, 1, 10, 0, 1, i});
  const Reading reading(folder);
  const auto totals = reading.totals();
  EXPECT_EQ(totals.size(), 3585U);
  const int64_t rest = totals.at("write *")->calls;
  EXPECT_EQ(rest, 5000 - 3584);
  EXPECT_EQ(totals.at("write *")->bytes, rest * 10);
  EXPECT_EQ(reading.section(section_totals).lost, rest);
}

TEST_F(RecorderTest, ThreadsRecordAtOnce) {
  Recorder recorder(place(4 << 20));
  constexpr int n_threads = 8, n_calls = 2000;
  std::vector<std::thread> threads;
  for (int t = 0; t < n_threads; ++t)
    threads.emplace_back([&recorder] {
      for (int i = 0; i < n_calls; ++i) {
        const Open outer = recorder.begin(recorder.function(Layer::netcdf, "nc_put" + std::to_string(i % 50)));
        const Open inner = recorder.begin(recorder.function(Layer::posix, "write"));
        recorder.end(inner, {inner.start_ns, 1, 3, -1, recorder.file("/" + std::to_string(i % 20))});
        recorder.end(outer, {outer.start_ns, 1});
      }
    });
  for (std::thread &thread : threads) thread.join();
  const Reading reading(folder);
  EXPECT_EQ(reading.section(section_functions).used, 52);
  EXPECT_EQ(reading.section(section_files).used, 21);
  EXPECT_EQ(reading.section(section_paths).used, 101);
  EXPECT_EQ(reading.events().size(), 2U * n_threads * n_calls);
  int64_t calls = 0, bytes = 0;
  for (const auto &[name, total] : reading.totals()) {
    calls += total->calls;
    bytes += total->bytes;
    EXPECT_EQ(name.find("write>"), std::string::npos);
  }
  EXPECT_EQ(calls, 2 * n_threads * n_calls);
  EXPECT_EQ(bytes, 3 * n_threads * n_calls);
}

// More threads one after the other, and at once, than the table has room for.
TEST_F(RecorderTest, SlotsOfEndedThreadsAreUsedAgain) {
  Recorder recorder(place());
  const uint32_t function = recorder.function(Layer::posix, "write");
  const auto record = [&] {
    const Open call = recorder.begin(function);
    const bool nested = recorder.current_path() == call.path;
    recorder.end(call, {call.start_ns, 1});
    return nested;
  };
  for (int i = 0; i < 200; ++i) std::thread([&] { EXPECT_TRUE(record()); }).join();
  for (const auto &event : Reading(folder).events()) EXPECT_NE(event.thread, 0xffff);
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i)
    threads.emplace_back([&] {
      EXPECT_TRUE(record());
      ++done;
      while (done < 100) std::this_thread::yield();
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(Reading(folder).events().size(), 300U);
  EXPECT_GT(Reading(folder).section(section_threads).lost, 0);
}

// A process that is killed leaves what it recorded, and the calls that it was in.
TEST_F(RecorderTest, OutlivesTheProcess) {
  fs::create_directories(folder);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Recorder recorder(place());
    for (int i = 0; i < 100; ++i) {
      const Open call = recorder.begin(recorder.function(Layer::posix, "write"));
      recorder.end(call, {call.start_ns, 1, 1});
    }
    recorder.begin(recorder.function(Layer::posix, "fsync"));
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const Reading reading(folder);
  EXPECT_EQ(reading.header().flags & ended, 0U);
  EXPECT_EQ(reading.events().size(), 100U);
  const Thread &thread = reading.entries<Thread>(section_threads)[0];
  ASSERT_EQ(thread.depth, 1);
  EXPECT_EQ(reading.name_of(thread.frames[0].path), "fsync");
}

TEST_F(RecorderTest, RefusesAFolderThatCannotBe) {
  std::ofstream(folder) << "a file";
  try {
    Recorder recorder(place());
    FAIL() << "made a trace below a file";
  } catch (const std::system_error &error) {
    EXPECT_NE(std::string(error.what()).find(folder.string()), std::string::npos);
  }
}

// Files may not grow beyond RLIMIT_FSIZE: the ring is made to fit, or there is an error and nothing is left behind.
TEST_F(RecorderTest, FitsTheLimitOfFiles) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto limit = [&](rlim_t bytes) {
    const rlimit now{bytes, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &now), 0);
  };
  limit(4 << 20);
  {
    Recorder recorder(place(32 << 20));
    EXPECT_LE(recorder.header().file_bytes, 4 << 20);
    EXPECT_GT(recorder.header().sections[section_ring].capacity, 1000);
  }
  fs::remove_all(folder);
  limit(1 << 20);
  EXPECT_THROW(Recorder recorder(place()), std::system_error);
  limit(before.rlim_cur);
  EXPECT_TRUE(fs::is_empty(folder));
}

// A handler of a signal that comes while the thread records is not recorded, and does not wait for it.
TEST_F(RecorderTest, SignalsMayInterrupt) {
  static Recorder *known;
  static uint32_t function;
  static std::atomic<int> signals;
  signals = 0;
  Recorder recorder(place());
  known = &recorder;
  function = recorder.function(Layer::posix, "handler");
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) {
    ++signals;
    const Open call = known->begin(function);
    known->file("/" + std::to_string(signals));
    known->end(call, {call.start_ns, 1});
  };
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  std::atomic<bool> stop{false};
  const pthread_t target = pthread_self();
  std::thread sender([&] {
    while (!stop) {
      pthread_kill(target, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  int calls = 0;
  const uint32_t write = recorder.function(Layer::posix, "write");
  for (; signals < 200; ++calls) {
    const Open call = recorder.begin(write);
    const std::string name = std::to_string(calls);
    recorder.end(call, {call.start_ns, 1, 1, -1, recorder.file(name)});
  }
  stop = true;
  sender.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(recorder.current_path(), no_caller);
  int64_t counted = 0;
  const Reading reading(folder);
  for (const auto &[name, total] : reading.totals())
    if (name.starts_with("write ")) counted += total->calls;
  EXPECT_EQ(counted, calls);
}

TEST(World, IsWhatTheLauncherSays) {
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) unsetenv(name);
  EXPECT_EQ(world_of_environment().rank, -1);
  setenv("SLURM_PROCID", "6", 1);
  setenv("SLURM_NTASKS", "9", 1);
  EXPECT_EQ(world_of_environment().rank, 6);
  setenv("PMI_RANK", "2", 1);
  setenv("PMI_SIZE", "4", 1);
  EXPECT_EQ(world_of_environment().rank, 2);
  EXPECT_EQ(world_of_environment().ranks, 4);
  setenv("OMPI_COMM_WORLD_RANK", "none", 1);
  EXPECT_EQ(world_of_environment().rank, 2);
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_NTASKS"})
    unsetenv(name);
}

}  // namespace
