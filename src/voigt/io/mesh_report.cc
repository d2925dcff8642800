#include "voigt/io/mesh_report.h"

#include <fmt/format.h>

#include <utility>

namespace voigt {
namespace {

constexpr int kMostAlike = 3;
constexpr size_t kLongestQuote = 40;

std::string ElementAt(const MeshPlace& place) {
  if (place.triangle >= 0) return fmt::format("triangle {}", place.triangle);
  if (place.facet < 0) return "";
  if (place.line > 0) return fmt::format("facet {}", place.facet);
  return fmt::format("facet {} at byte {}", place.facet, StlFacetOffset(place.facet));
}

}  // namespace

MeshReport::MeshReport(std::string file) : file_(std::move(file)) {}

void MeshReport::Add(const MeshPlace& place, std::string_view kind, std::string message,
                     List* list) const {
  auto found = list->kinds.find(kind);
  if (found == list->kinds.end()) found = list->kinds.emplace(kind, List::Kind()).first;
  if (++found->second.count > kMostAlike) return;
  found->second.last = list->entries.size();
  list->entries.push_back(
      {{file_, place.line, place.column}, ElementAt(place), std::move(message)});
}

void MeshReport::Fail(const MeshPlace& place, std::string_view kind, std::string message) {
  Add(place, kind, std::move(message), &problems_);
}

void MeshReport::Note(const MeshPlace& place, std::string_view kind, std::string message) {
  Add(place, kind, std::move(message), &notices_);
}

std::vector<Problem> MeshReport::WithCounts(const List& list) {
  std::vector<Problem> out = list.entries;
  for (const auto& [name, kind] : list.kinds) {
    if (kind.count <= kMostAlike) continue;
    out[kind.last].message += fmt::format(", and {} more like it", kind.count - kMostAlike);
  }
  return out;
}

void MeshReport::ThrowIfAny() const {
  if (!problems_.entries.empty()) throw InputError(WithCounts(problems_));
}

std::vector<Problem> MeshReport::Notices() const { return WithCounts(notices_); }

std::string QuoteForReport(std::string_view text) {
  std::string out = "'";
  for (char c : text.substr(0, kLongestQuote)) {
    const bool is_printable = c >= 0x20 && c < 0x7f;
    out += is_printable ? std::string(1, c) : fmt::format("\\x{:02x}", c & 0xff);
  }
  return out + (text.size() > kLongestQuote ? "…'" : "'");
}

}  // namespace voigt
