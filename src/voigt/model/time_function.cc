#include "voigt/model/time_function.h"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "voigt/math/types.h"

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
}

CompiledTimeFunction::CompiledTimeFunction(CompiledTimeFunction&&) noexcept = default;
CompiledTimeFunction& CompiledTimeFunction::operator=(CompiledTimeFunction&&) noexcept = default;
CompiledTimeFunction::~CompiledTimeFunction() = default;

double CompiledTimeFunction::operator()(double t) const {
  if (!parser_) return constant_;
  parser_->t = t;
  return parser_->parser.Eval();
}

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

}  // namespace voigt
