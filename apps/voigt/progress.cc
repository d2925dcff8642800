#include "apps/voigt/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace voigt {
namespace {

constexpr double kSilentSeconds = 1, kRedrawSeconds = 0.1;
constexpr int kBarWidth = 16;  // all of it fits in 80 columns

}  // namespace

ProgressBar::ProgressBar(double t_start, double t_end)
    : t_start_(t_start), t_end_(t_end), on_terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::Update(double t, int contacts) {
  if (!on_terminal_) return;
  const double now = stopwatch_.Seconds();
  if (now < kSilentSeconds || now < last_drawn_ + kRedrawSeconds) return;
  last_drawn_ = now;
  visible_ = true;
  const double fraction = std::clamp(t / t_end_, 0.0, 1.0);
  const int filled = static_cast<int>(fraction * kBarWidth);
  fmt::print(stderr, "\r[{}{}] {:3.0f} %  t = {:.3f} of {:g} s  {:.3g} x real time  {} contacts   ",
             std::string(filled, '#'), std::string(kBarWidth - filled, '.'), 100 * fraction, t,
             t_end_, (t - t_start_) / now, contacts);
}

void ProgressBar::Clear() {
  if (visible_) fmt::print(stderr, "\r{}\r", std::string(90, ' '));
  visible_ = false;
}

}  // namespace voigt
