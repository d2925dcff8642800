#include "voigt/base/stopwatch.h"

#include <gtest/gtest.h>

#include <thread>

namespace voigt {
namespace {

TEST(Stopwatch, CountsSecondsAndRestarts) {
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double first = watch.Seconds();
  EXPECT_GE(first, 0.020);
  EXPECT_GE(watch.Seconds(), first);
  // Were Restart() without effect, the watch would show the sum of both sleeps.
  const Stopwatch reference;
  watch.Restart();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const double after = watch.Seconds();
  EXPECT_GE(after, 0.002);
  EXPECT_LE(after, reference.Seconds());
}

}  // namespace
}  // namespace voigt
