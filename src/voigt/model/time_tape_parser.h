#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "voigt/model/time_tape.h"

namespace voigt {

// Reads an expression, from what binds least to what binds most:
//
//   a ? b : c    ||    &&    < <= > >= == !=    + −    * / %    signs    ^ (from the right)    deg
//
// as muParser does. For texts that muParser accepts.
class TimeTapeParser {
 public:
  TimeTapeParser(const std::string& text,
                 const std::vector<std::pair<std::string, double>>& constants)
      : text_(text), constants_(constants) {}

  // The steps of a tape. Throws std::invalid_argument with the reason.
  std::vector<TimeTape::Step> Parse();

 private:
  void ReadChoice();
  void ReadOr();
  void ReadAnd();
  void ReadComparison();
  void ReadSum();
  void ReadProduct();
  void ReadSigned();
  void ReadPower();
  void ReadDegrees();
  void ReadOne();
  void ReadNumber();
  void ReadName();
  void ReadCall(const std::string& name);
  void AddConstant(const std::string& name);

  void SkipSpace();
  bool Take(std::string_view token);
  std::string TakeName();
  void Demand(std::string_view token);
  void Add(TimeTape::Op op, int count) { steps_.push_back({op, count, 0, nullptr}); }
  [[noreturn]] void Fail(const std::string& reason) const;

  const std::string& text_;
  const std::vector<std::pair<std::string, double>>& constants_;
  size_t at_ = 0;
  int depth_ = 0;  // of parentheses, signs and powers
  std::vector<TimeTape::Step> steps_;
};

}  // namespace voigt
