#include "voigt/model/time_function.h"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "voigt/math/types.h"
#include "voigt/model/time_tape.h"

namespace voigt {
namespace {

// muParser knows sin, cos, exp, sqrt, abs, min, max, … and ?: already.
void DefineNames(const NamedConstants& constants, mu::Parser* parser) {
  parser->DefineConst("pi", kPi);
  parser->DefineConst("inf", kInfinity);
  parser->DefineFun("step", [](double x) { return x < 0 ? 0.0 : 1.0; });
  parser->DefineOprt("%", [](double a, double b) { return std::fmod(a, b); }, mu::prMUL_DIV);
  parser->DefinePostfixOprt("deg", [](double x) { return x * (kPi / 180); });
  for (const auto& [name, value] : constants) parser->DefineConst(name, value);
}

// "t = 1": an assignment to muParser, and a mistyped comparison to everybody else.
bool HasAssignment(const std::string& text) {
  for (size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    const bool is_comparison =
        at > 0 && std::string_view("=<>!").find(text[at - 1]) != std::string_view::npos;
    if (!is_comparison && text.compare(at, 2, "==") != 0) return true;
  }
  return false;
}

// muParser compiles, and reports errors, when it first evaluates.
double EvaluateFirst(const std::string& text, mu::Parser* parser) {
  if (HasAssignment(text)) throw std::invalid_argument("\"=\" compares nothing: write \"==\"");
  parser->SetExpr(text);
  const double value = parser->Eval();
  if (parser->GetNumResults() == 1) return value;
  throw std::invalid_argument("a list of values, expected one");
}

}  // namespace

struct CompiledTimeFunction::Parser {
  mu::Parser parser;
  double t = 0;
  std::optional<TimeTape> tape;  // for derivatives; made after muParser has accepted the text
};

TimeFunction TimeFunction::Parse(const std::string& text, NamedConstants constants) {
  if (text.empty()) throw std::invalid_argument("an empty expression");
  TimeFunction out;
  out.text_ = text;
  out.constants_ = std::move(constants);
  const CompiledTimeFunction check(out);
  return out;
}

CompiledTimeFunction::CompiledTimeFunction(const TimeFunction& function)
    : constant_(function.constant()) {
  if (function.is_constant()) return;
  parser_ = std::make_unique<Parser>();
  try {
    DefineNames(function.constants(), &parser_->parser);
    parser_->parser.DefineVar("t", &parser_->t);
    EvaluateFirst(function.text(), &parser_->parser);
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(error.GetMsg());
  }
  parser_->tape.emplace(function.text(), function.constants());
}

CompiledTimeFunction::CompiledTimeFunction(CompiledTimeFunction&&) noexcept = default;
CompiledTimeFunction& CompiledTimeFunction::operator=(CompiledTimeFunction&&) noexcept = default;
CompiledTimeFunction::~CompiledTimeFunction() = default;

double CompiledTimeFunction::operator()(double t) const {
  if (!parser_) return constant_;
  parser_->t = t;
  return parser_->parser.Eval();
}

TimeJet CompiledTimeFunction::CalcJet(double t) const {
  return parser_ ? parser_->tape->Calc(t) : TimeJet{constant_, 0, 0};
}

std::uint64_t CompiledTimeFunction::CalcPiece(double t) const {
  return parser_ ? parser_->tape->CalcPiece(t) : 0;
}

bool CompiledTimeFunction::has_pieces() const { return parser_ && parser_->tape->has_pieces(); }

double EvaluateExpression(const std::string& text, const NamedConstants& constants) {
  try {
    mu::Parser parser;
    DefineNames(constants, &parser);
    return EvaluateFirst(text, &parser);
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(error.GetMsg());
  }
}

bool AreConstant(const std::vector<CompiledTimeFunction>& functions) {
  return std::all_of(functions.begin(), functions.end(),
                     [](const CompiledTimeFunction& f) { return f.is_constant(); });
}

namespace {

// Of a function that is on one piece at `low` and on another at `high`, the first moment after the
// former: the bracket shrinks to two numbers that have none between them.
double BisectPieces(const CompiledTimeFunction& f, double low, double high) {
  const std::uint64_t before = f.CalcPiece(low);
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return high;
    (f.CalcPiece(middle) == before ? low : high) = middle;
  }
}

}  // namespace

double FindPieceEnd(const std::vector<CompiledTimeFunction>& functions, double t0, double t1) {
  constexpr int kSamples = 8;
  double first = kInfinity;
  for (const CompiledTimeFunction& f : functions) {
    if (!f.has_pieces()) continue;
    const std::uint64_t before = f.CalcPiece(t0);
    double low = t0;
    for (int k = 1; k <= kSamples && low < first; ++k) {
      const double high = k == kSamples ? t1 : t0 + k * (t1 - t0) / kSamples;
      if (f.CalcPiece(high) == before) {
        low = high;
        continue;
      }
      first = std::min(first, BisectPieces(f, low, high));
      break;
    }
  }
  return first;
}

}  // namespace voigt
