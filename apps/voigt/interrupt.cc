#include "apps/voigt/interrupt.h"

#include <signal.h>

#include <atomic>

namespace voigt {
namespace {

// Any thread may ask for it.
std::atomic<int> noted_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler must not wait");

void NoteSignal(int number) { noted_signal = number; }

void SetHandler(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  // Back to the usual way after the first; what the program is writing goes on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  noted_signal = 0;
  SetHandler(SIGINT, NoteSignal);
  SetHandler(SIGTERM, NoteSignal);
}

InterruptWatch::~InterruptWatch() {
  SetHandler(SIGINT, SIG_DFL);
  SetHandler(SIGTERM, SIG_DFL);
}

int InterruptWatch::signal() const { return noted_signal; }

}  // namespace voigt
