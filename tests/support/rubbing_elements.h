#pragma once

#include <functional>
#include <string>
#include <vector>

namespace voigt::testing {

// An element of friction from a reaction, at rest until a force or moment that grows moves it; then
// its acceleration follows from the time and μ alone. μ_s = 0.5, μ_k = 0.3.
struct RubbingElement {
  std::string name;
  std::string scene;  // with DROP for the drop speed
  double lever = 1;   // of its rate, for the speed of slip
  std::function<double(double t, double mu)> gain;

  std::string MakeScene(double drop_speed) const;
  double CalcStart() const;                  // s
  double CalcRate(double drop_speed) const;  // after 1 s, rad/s or m/s
};

std::vector<RubbingElement> ListRubbingElements();

}  // namespace voigt::testing
