#include "voigt/base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/allocation_counter.h"

namespace voigt {
namespace {

TEST(WorkerPool, RunsEveryTaskOnceAndTellsWhoseMemoryItHas) {
  for (int threads : {1, 2, 3, 8}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.thread_count(), threads);
    for (int count : {0, 1, 2, 7, 500}) {
      std::vector<int> runs(count);
      std::vector<long> sums(threads);
      pool.Run(count, [&](int i, int thread) {
        ++runs[i];
        sums[thread] += i;
      });
      long sum = 0;
      for (long part : sums) sum += part;
      EXPECT_EQ(sum, count * (count - 1L) / 2);
      EXPECT_EQ(runs, std::vector<int>(count, 1));
    }
  }
}

// Each task waits until the other one has begun: one thread alone would wait forever.
TEST(WorkerPool, ThreadsWorkAtTheSameTime) {
  WorkerPool pool(2);
  std::atomic<int> begun = 0;
  pool.Run(2, [&](int, int) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 2);
}

TEST(WorkerPool, TheFirstExceptionGoesToTheCallerAndTheNextRunIsAsGoodAsNew) {
  for (int threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    for (int repeat = 0; repeat < 100; ++repeat) {
      std::vector<char> has_run(40, false);
      std::string caught;
      try {
        pool.Run(40, [&](int i, int) {
          has_run[i] = true;
          if (i == 11 || i == 12 || i == 30) throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      ASSERT_EQ(caught, "11") << threads << " threads";
      for (int i = 0; i <= 11; ++i) EXPECT_TRUE(has_run[i]);
      std::atomic<int> count = 0;
      pool.Run(40, [&](int, int) { ++count; });
      ASSERT_EQ(count, 40);
    }
  }
}

TEST(WorkerPool, RunsWithoutAllocating) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  WorkerPool pool(3);
  std::vector<double> x(100);
  const auto run = [&] { pool.Run(100, [&](int i, int) { x[i] += i; }); };
  run();
  const long before = testing::CountAllocations();
  for (int i = 0; i < 20; ++i) run();
  EXPECT_EQ(testing::CountAllocations(), before);
}

TEST(WorkerPool, RefusesCountsThatMakeNoSense) {
  for (int threads : {0, -1, kMaxThreads + 1}) {
    EXPECT_THROW(WorkerPool pool(threads), std::logic_error);
  }
}

}  // namespace
}  // namespace voigt
