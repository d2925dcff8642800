#include "voigt/model/time_function.h"

#include <muParser.h>

#include <stdexcept>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// muParser knows sin, cos, exp, sqrt, abs, min, max, … and ?: already.
void DefineNames(const NamedConstants& constants, mu::Parser* parser) {
  parser->DefineConst("pi", kPi);
  parser->DefineConst("inf", kInfinity);
  parser->DefineFun("step", [](double x) { return x < 0 ? 0.0 : 1.0; });
  parser->DefinePostfixOprt("deg", [](double x) { return x * (kPi / 180); });
  for (const auto& [name, value] : constants) parser->DefineConst(name, value);
}

}  // namespace

struct CompiledTimeFunction::Parser {
  mu::Parser parser;
  double t = 0;
};

TimeFunction TimeFunction::Parse(const std::string& text, NamedConstants constants) {
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
    parser_->parser.SetExpr(function.text());
    parser_->parser.Eval();  // muParser compiles, and reports errors, when it first evaluates
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
    parser.SetExpr(text);
    return parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(error.GetMsg());
  }
}

}  // namespace voigt
