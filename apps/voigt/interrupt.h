#pragma once

namespace voigt {

// While it lives, the first Ctrl-C (SIGINT) or SIGTERM is only noted, so that a run can end after
// its present step with everything written; the second one ends the program as usual.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  // The number of the signal that came, 0 for none.
  int signal() const;
};

}  // namespace voigt
