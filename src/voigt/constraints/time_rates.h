#pragma once

#include <vector>

#include "voigt/constraints/constraint.h"

// Rates of rows that functions of time move (Constraint::AddTimeRates).
namespace voigt {

// Of gaps φ = f(q) − s(t).
inline void AddRatesOfGaps(const std::vector<CompiledTimeFunction>& position, double t,
                           std::vector<TimeRates>* out) {
  for (const CompiledTimeFunction& s : position) {
    const TimeJet jet = s.CalcJet(t);
    out->push_back({-jet.rate, -jet.curvature});
  }
}

// Of a row G v = w(t).
inline void AddRatesOfSpeed(const CompiledTimeFunction& speed, double t,
                            std::vector<TimeRates>* out) {
  const TimeJet jet = speed.CalcJet(t);
  out->push_back({-jet.value, -jet.rate});
}

}  // namespace voigt
