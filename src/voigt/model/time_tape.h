#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "voigt/model/jet_functions.h"

namespace voigt {

// An expression of time as a list of steps on a stack, which gives its value with two exact
// derivatives (forward differentiation), and tells its pieces apart: where a condition changes or
// one of abs, sign, rint, step, min, max, % and atan2 passes from one branch to another.
//
// Its language is that of TimeFunction, which muParser judges: the text of a tape is an expression
// that muParser has accepted.
class TimeTape {
 public:
  // Throws std::invalid_argument with the reason.
  TimeTape(const std::string& text, const std::vector<std::pair<std::string, double>>& constants);

  // At t, or just after it where that is not the same.
  TimeJet Calc(double t);
  // A number that is the same throughout a piece, and another in the next one.
  std::uint64_t CalcPiece(double t);
  bool has_pieces() const { return has_pieces_; }

  enum class Op {
    kNumber,
    kTime,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kPower,
    kNegate,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kUnequal,
    kAnd,
    kOr,
    kChoose,  // condition, then, else
    kSmooth,  // a function of jet_functions.h
    kAbs,
    kSign,
    kRint,
    kStep,
    kDegrees,
    kAtan2,
    kSum,
    kAverage,
    kMin,
    kMax,
  };
  struct Step {
    Op op = Op::kNumber;
    int count = 0;      // of what it takes from the stack
    double number = 0;  // of kNumber
    JetFunction function = nullptr;
  };

 private:
  TimeJet Apply(const Step& step, const TimeJet* x);
  TimeJet Choose(bool condition, const TimeJet& a, const TimeJet& b);
  TimeJet Compare(Op op, const TimeJet& a, const TimeJet& b);
  TimeJet PickExtreme(const Step& step, const TimeJet* x);
  void Note(std::uint64_t branch) {
    has_pieces_ = true;
    piece_ = (piece_ ^ (branch + 0x9e37)) * 0x100000001b3u;
  }

  std::vector<Step> steps_;
  std::vector<TimeJet> stack_;
  bool has_pieces_ = false;
  double t_ = 0;
  std::uint64_t piece_ = 0;  // of the last Calc
};

}  // namespace voigt
