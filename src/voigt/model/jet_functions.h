#pragma once

#include "voigt/model/time_jet.h"

namespace voigt {

// Functions and operators of expressions on jets of time: the chain rule to second order,
//
//   f(u)˙ = f′ u̇,   f(u)¨ = f″ u̇² + f′ ü.

TimeJet operator+(const TimeJet& a, const TimeJet& b);
TimeJet operator-(const TimeJet& a, const TimeJet& b);
TimeJet operator-(const TimeJet& a);
TimeJet operator*(const TimeJet& a, const TimeJet& b);
TimeJet operator/(const TimeJet& a, const TimeJet& b);
TimeJet operator*(double factor, const TimeJet& a);

TimeJet Pow(const TimeJet& x, const TimeJet& y);
TimeJet Atan2(const TimeJet& y, const TimeJet& x);

// Just after the moment: a < b is −1, a > b is 1, equal for some time 0, and 2 if a value is NaN.
int CompareJets(const TimeJet& a, const TimeJet& b);

// How often b goes into a, just after the moment: a % b = a − b CountWhole(a, b).
double CountWhole(const TimeJet& a, const TimeJet& b);

// A smooth function of one number by its name, as expressions have it, or null.
using JetFunction = TimeJet (*)(const TimeJet&);
JetFunction FindJetFunction(const char* name);

}  // namespace voigt
