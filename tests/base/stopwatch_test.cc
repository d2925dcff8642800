#include "voigt/base/stopwatch.h"

#include <gtest/gtest.h>

#include <thread>

namespace voigt {
namespace {

TEST(Stopwatch, CountsSeconds) {
  const Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double first = watch.Seconds();
  EXPECT_GE(first, 0.020);
  EXPECT_GE(watch.Seconds(), first);
}

}  // namespace
}  // namespace voigt
