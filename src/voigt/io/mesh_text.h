#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "voigt/io/mesh_report.h"

namespace voigt {

struct MeshWord {
  std::string_view text;
  MeshPlace place;
};

// A text without the mark that some editors put before its first character.
std::string_view WithoutByteOrderMark(std::string_view text);

// The words of a text, line by line. Lines end in LF, CR LF or CR. In OBJ a '#'
// begins a comment, and a backslash at the end of a line continues it.
class MeshLines {
 public:
  enum class Style { kPlain, kObj };
  MeshLines(std::string_view text, Style style)
      : text_(WithoutByteOrderMark(text)), style_(style) {}

  // The words of the next line that has any; false at the end.
  bool Next(std::vector<MeshWord>* words);

  // Where reading stopped.
  MeshPlace place() const { return {line_, static_cast<int>(at_ - line_start_) + 1, -1}; }

 private:
  bool IsAtLineEnd(size_t at) const;
  void PassLineEnd();
  void ReadLine(std::vector<MeshWord>* words);

  std::string_view text_;
  Style style_;
  size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

// Whether the words are the same but for capital letters of `text`; `lower` is in small letters.
bool IsMeshKeyword(std::string_view text, std::string_view lower);

// A finite number written with a decimal point whatever the locale; anything else is a problem.
std::optional<double> ReadMeshNumber(const MeshWord& word, MeshReport* report);

}  // namespace voigt
