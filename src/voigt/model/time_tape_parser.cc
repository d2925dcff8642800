#include "voigt/model/time_tape_parser.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "voigt/math/types.h"

namespace voigt {
namespace {

using Op = TimeTape::Op;

constexpr int kDeepest = 1000;  // each level takes a few hundred bytes of the machine's stack

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

struct NamedOp {
  std::string_view name;
  Op op;
  int count;  // −1 for any
};

constexpr std::array<NamedOp, 9> kCalls = {{{"abs", Op::kAbs, 1},
                                            {"sign", Op::kSign, 1},
                                            {"rint", Op::kRint, 1},
                                            {"step", Op::kStep, 1},
                                            {"atan2", Op::kAtan2, 2},
                                            {"sum", Op::kSum, -1},
                                            {"avg", Op::kAverage, -1},
                                            {"min", Op::kMin, -1},
                                            {"max", Op::kMax, -1}}};

// Longer ones first: "<" begins "<=".
constexpr std::array<NamedOp, 6> kComparisons = {{{"<=", Op::kLessEqual, 2},
                                                  {">=", Op::kGreaterEqual, 2},
                                                  {"==", Op::kEqual, 2},
                                                  {"!=", Op::kUnequal, 2},
                                                  {"<", Op::kLess, 2},
                                                  {">", Op::kGreater, 2}}};

}  // namespace

std::vector<TimeTape::Step> TimeTapeParser::Parse() {
  ReadChoice();
  SkipSpace();
  if (at_ < text_.size()) Fail("something follows the expression");
  return std::move(steps_);
}

void TimeTapeParser::Fail(const std::string& reason) const {
  throw std::invalid_argument(reason + " at position " + std::to_string(at_));
}

void TimeTapeParser::SkipSpace() {
  while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= ' ') ++at_;
}

bool TimeTapeParser::Take(std::string_view token) {
  SkipSpace();
  if (text_.compare(at_, token.size(), token) != 0) return false;
  at_ += token.size();
  return true;
}

void TimeTapeParser::Demand(std::string_view token) {
  if (!Take(token)) Fail("expected '" + std::string(token) + "'");
}

// A list of pieces, "a ? b : c ? d : …", may be long: it is no nesting.
void TimeTapeParser::ReadChoice() {
  if (++depth_ > kDeepest) Fail("parentheses, signs or powers are nested too deeply");
  int choices = 0;
  ReadOr();
  while (Take("?")) {
    ReadChoice();
    Demand(":");
    ReadOr();
    ++choices;
  }
  for (; choices > 0; --choices) Add(Op::kChoose, 3);
  --depth_;
}

void TimeTapeParser::ReadOr() {
  ReadAnd();
  while (Take("||")) {
    ReadAnd();
    Add(Op::kOr, 2);
  }
}

void TimeTapeParser::ReadAnd() {
  ReadComparison();
  while (Take("&&")) {
    ReadComparison();
    Add(Op::kAnd, 2);
  }
}

void TimeTapeParser::ReadComparison() {
  ReadSum();
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const NamedOp& comparison : kComparisons) {
      if (!Take(comparison.name)) continue;
      ReadSum();
      Add(comparison.op, 2);
      goes_on = true;
      break;
    }
  }
}

void TimeTapeParser::ReadSum() {
  ReadProduct();
  for (;;) {
    const bool adds = Take("+");
    if (!adds && !Take("-")) return;
    ReadProduct();
    Add(adds ? Op::kAdd : Op::kSubtract, 2);
  }
}

void TimeTapeParser::ReadProduct() {
  ReadSigned();
  for (;;) {
    const Op op = Take("*")   ? Op::kMultiply
                  : Take("/") ? Op::kDivide
                  : Take("%") ? Op::kRemainder
                              : Op::kNumber;
    if (op == Op::kNumber) return;
    ReadSigned();
    Add(op, 2);
  }
}

void TimeTapeParser::ReadSigned() {
  bool is_negative = false;
  for (;;) {
    if (Take("-")) {
      is_negative = !is_negative;
    } else if (!Take("+")) {
      break;
    }
  }
  ReadPower();
  if (is_negative) Add(Op::kNegate, 1);
}

void TimeTapeParser::ReadPower() {
  if (++depth_ > kDeepest) Fail("parentheses, signs or powers are nested too deeply");
  ReadDegrees();
  if (Take("^")) {
    ReadSigned();
    Add(Op::kPower, 2);
  }
  --depth_;
}

void TimeTapeParser::ReadDegrees() {
  ReadOne();
  for (;;) {
    SkipSpace();
    const size_t before = at_;
    if (TakeName() != "deg") {
      at_ = before;
      return;
    }
    Add(Op::kDegrees, 1);
  }
}

std::string TimeTapeParser::TakeName() {
  size_t end = at_;
  while (end < text_.size() && (IsLetter(text_[end]) || IsDigit(text_[end]))) ++end;
  std::string name = text_.substr(at_, end - at_);
  at_ = end;
  return name;
}

void TimeTapeParser::ReadOne() {
  if (Take("(")) {
    ReadChoice();
    return Demand(")");
  }
  SkipSpace();
  if (at_ < text_.size() && IsLetter(text_[at_])) return ReadName();
  ReadNumber();
}

void TimeTapeParser::ReadNumber() {
  TimeTape::Step step;
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), step.number);
  // Too small or too large for a number: 0, or what is no expression to muParser.
  if (error == std::errc::result_out_of_range) step.number = std::strtod(begin, nullptr);
  if (error == std::errc::invalid_argument) Fail("expected a number");
  at_ += end - begin;
  steps_.push_back(step);
}

void TimeTapeParser::ReadName() {
  const std::string name = TakeName();
  if (Take("(")) return ReadCall(name);
  if (name == "t") return Add(Op::kTime, 0);
  AddConstant(name);
}

void TimeTapeParser::AddConstant(const std::string& name) {
  const auto add = [this](double value) {
    TimeTape::Step step;
    step.number = value;
    steps_.push_back(step);
  };
  for (const auto& [known, value] : constants_) {
    if (known == name) return add(value);
  }
  if (name == "pi" || name == "_pi") return add(kPi);
  if (name == "inf") return add(kInfinity);
  if (name == "_e") return add(2.71828182845904523536);
  Fail("unknown name '" + name + "'");
}

void TimeTapeParser::ReadCall(const std::string& name) {
  int count = 0;
  do {
    ReadChoice();
    ++count;
  } while (Take(","));
  Demand(")");
  if (const JetFunction function = FindJetFunction(name.c_str())) {
    if (count != 1) Fail("one argument expected by '" + name + "'");
    steps_.push_back({Op::kSmooth, 1, 0, function});
    return;
  }
  for (const NamedOp& call : kCalls) {
    if (call.name != name) continue;
    if (call.count > 0 && call.count != count) Fail("wrong count of arguments of '" + name + "'");
    return Add(call.op, count);
  }
  Fail("unknown function '" + name + "'");
}

}  // namespace voigt
