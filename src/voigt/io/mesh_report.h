#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/errors.h"

namespace voigt {

// Where a piece of a mesh file stands: line and column of a text, or the facet of a binary STL,
// which is known by its number alone. Triangles of a scene's own list have their number beside.
struct MeshPlace {
  int line = 0, column = 0;
  int facet = -1;
  int triangle = -1;
};

// The first byte of a binary STL's facet.
constexpr long StlFacetOffset(long facet) { return 84 + 50 * facet; }

// Problems and notices of one mesh file. A slip of the program that wrote it repeats in every line:
// of each kind the first three are listed, the last of them with the count of the others.
class MeshReport {
 public:
  explicit MeshReport(std::string file);

  // `kind` tells what is alike; it is not shown.
  void Fail(const MeshPlace& place, std::string_view kind, std::string message);
  void Note(const MeshPlace& place, std::string_view kind, std::string message);

  bool has_problems() const { return !problems_.entries.empty(); }
  void ThrowIfAny() const;
  std::vector<Problem> Notices() const;

 private:
  struct List {
    std::vector<Problem> entries;
    struct Kind {
      int count = 0;
      size_t last = 0;  // entry that stands for those left out
    };
    std::map<std::string, Kind, std::less<>> kinds;
  };

  void Add(const MeshPlace& place, std::string_view kind, std::string message, List* list) const;
  static std::vector<Problem> WithCounts(const List& list);

  std::string file_;
  List problems_, notices_;
};

// Text of a file as it may be shown: in quotes, short, and printable.
std::string QuoteForReport(std::string_view text);

}  // namespace voigt
