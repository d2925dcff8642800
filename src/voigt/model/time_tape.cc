#include "voigt/model/time_tape.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "voigt/math/types.h"
#include "voigt/model/time_tape_parser.h"

namespace voigt {
namespace {

using Op = TimeTape::Op;

bool IsTrue(const TimeJet& x) { return CompareJets(x, {}) != 0; }

}  // namespace

TimeTape::TimeTape(const std::string& text,
                   const std::vector<std::pair<std::string, double>>& constants)
    : steps_(TimeTapeParser(text, constants).Parse()) {
  int depth = 0, deepest = 0;
  for (const Step& step : steps_) {
    depth += 1 - step.count;
    deepest = std::max(deepest, depth);
  }
  stack_.resize(deepest);
  Calc(0);  // every step is taken at any time: those with branches tell that there are pieces
}

TimeJet TimeTape::Calc(double t) {
  t_ = t;
  piece_ = 0;
  TimeJet* top = stack_.data();
  for (const Step& step : steps_) {
    top -= step.count;
    *top = Apply(step, top);
    ++top;
  }
  return stack_[0];
}

std::uint64_t TimeTape::CalcPiece(double t) {
  if (!has_pieces_) return 0;
  Calc(t);
  return piece_;
}

TimeJet TimeTape::Choose(bool condition, const TimeJet& a, const TimeJet& b) {
  Note(condition);
  return condition ? a : b;
}

TimeJet TimeTape::Compare(Op op, const TimeJet& a, const TimeJet& b) {
  const int order = CompareJets(a, b);
  bool holds = order == 0;
  if (op == Op::kLess || op == Op::kLessEqual) holds = order < 0;
  if (op == Op::kGreater || op == Op::kGreaterEqual) holds = order == 1;
  if (op == Op::kLessEqual || op == Op::kGreaterEqual) holds |= order == 0;
  if (op == Op::kUnequal) holds = order != 0;
  return Choose(holds, {1}, {0});
}

TimeJet TimeTape::PickExtreme(const Step& step, const TimeJet* x) {
  const int wanted = step.op == Op::kMin ? -1 : 1;
  int best = 0;
  for (int i = 1; i < step.count; ++i) {
    if (CompareJets(x[i], x[best]) == wanted) best = i;
  }
  Note(best);
  return x[best];
}

TimeJet TimeTape::Apply(const Step& step, const TimeJet* x) {
  switch (step.op) {
    case Op::kNumber:
      return {step.number};
    case Op::kTime:
      return {t_, 1};
    case Op::kAdd:
      return x[0] + x[1];
    case Op::kSubtract:
      return x[0] - x[1];
    case Op::kMultiply:
      return x[0] * x[1];
    case Op::kDivide:
      return x[0] / x[1];
    case Op::kRemainder: {
      const double whole = CountWhole(x[0], x[1]);
      Note(std::bit_cast<std::uint64_t>(whole));
      TimeJet out = x[0] - whole * x[1];
      // Of the many digits of large numbers that is what fmod has exactly.
      const double rest = std::fmod(x[0].value, x[1].value);
      if (rest != 0 || out.value == 0) out.value = rest;
      return out;
    }
    case Op::kPower:
      return Pow(x[0], x[1]);
    case Op::kNegate:
      return -x[0];
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kUnequal:
      return Compare(step.op, x[0], x[1]);
    case Op::kAnd:
      return Choose(IsTrue(x[0]) && IsTrue(x[1]), {1}, {0});
    case Op::kOr:
      return Choose(IsTrue(x[0]) || IsTrue(x[1]), {1}, {0});
    case Op::kChoose:
      return Choose(IsTrue(x[0]), x[1], x[2]);
    case Op::kSmooth:
      return step.function(x[0]);
    case Op::kAbs:
      return Choose(CompareJets(x[0], {}) == -1, -x[0], x[0]);
    case Op::kSign: {
      const int sign = CompareJets(x[0], {});
      Note(sign + 1);
      return {sign == 2 ? 0.0 : sign};
    }
    case Op::kRint: {
      // ½ rounds up, unless it is about to fall.
      double whole = std::floor(x[0].value + 0.5);
      if (whole == x[0].value + 0.5 && CompareJets(x[0], {whole - 0.5}) == -1) whole -= 1;
      Note(std::bit_cast<std::uint64_t>(whole));
      return {whole};
    }
    case Op::kStep:
      return Choose(CompareJets(x[0], {}) == -1, {0}, {1});
    case Op::kDegrees:
      return (kPi / 180) * x[0];
    case Op::kAtan2:
      Note(x[1].value < 0 && CompareJets(x[0], {}) == -1);
      return Atan2(x[0], x[1]);
    case Op::kSum:
    case Op::kAverage: {
      TimeJet sum;
      for (int i = 0; i < step.count; ++i) sum = sum + x[i];
      return step.op == Op::kSum ? sum : (1.0 / step.count) * sum;
    }
    case Op::kMin:
    case Op::kMax:
      return PickExtreme(step, x);
  }
  return {kNaN};
}

}  // namespace voigt
