#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "voigt/model/time_jet.h"

namespace voigt {

// Names and values that expressions may use.
using NamedConstants = std::vector<std::pair<std::string, double>>;

// A scalar of time, written as a constant or as an expression in t such as
// "5*sin(2*pi*t)", "30 deg" or "t < 1 ? 3 : 0". Immutable and free to copy; a CompiledTimeFunction
// of one's own evaluates it, so that one Model can serve several threads.
class TimeFunction {
 public:
  TimeFunction(double constant = 0) : constant_(constant) {}  // NOLINT: a number is a function

  // Throws std::invalid_argument with the reason if the text is no expression of t and constants.
  static TimeFunction Parse(const std::string& text, NamedConstants constants = {});

  bool is_constant() const { return text_.empty(); }
  double constant() const { return constant_; }
  const std::string& text() const { return text_; }
  const NamedConstants& constants() const { return constants_; }

 private:
  double constant_ = 0;
  std::string text_;  // empty for a constant
  NamedConstants constants_;
};

// Evaluates a TimeFunction without allocating. Not to be shared between threads.
class CompiledTimeFunction {
 public:
  explicit CompiledTimeFunction(const TimeFunction& function);
  CompiledTimeFunction(CompiledTimeFunction&&) noexcept;
  CompiledTimeFunction& operator=(CompiledTimeFunction&&) noexcept;
  ~CompiledTimeFunction();

  double operator()(double t) const;
  // With two exact derivatives. At a kink or jump all three are limits from the right; elsewhere
  // the value may differ from that of operator() by rounding.
  TimeJet CalcJet(double t) const;

  // A number that changes where the function may have a kink or jump: where a condition changes or
  // one of abs, sign, rint, step, min, max, % and atan2 switches.
  std::uint64_t CalcPiece(double t) const;
  bool has_pieces() const;

  bool is_constant() const { return parser_ == nullptr; }

 private:
  struct Parser;
  double constant_ = 0;
  std::unique_ptr<Parser> parser_;  // null for a constant
};

bool AreConstant(const std::vector<CompiledTimeFunction>& functions);

// The first moment in (t0, t1] at which another piece of one of the functions begins, or infinity.
// Both pieces that such a moment parts have to last for an eighth of t1 − t0 to be told apart.
double FindPieceEnd(const std::vector<CompiledTimeFunction>& functions, double t0, double t1);

// The value of an expression of named constants, for numbers in scene files. Throws
// std::invalid_argument with the reason.
double EvaluateExpression(const std::string& text, const NamedConstants& constants);

}  // namespace voigt
