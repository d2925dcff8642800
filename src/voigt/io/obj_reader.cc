#include "voigt/io/obj_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "voigt/io/mesh_text.h"
#include "voigt/io/polygon.h"

namespace voigt {
namespace {

constexpr double kMostUneven = 1e-3;

std::optional<int> ParseInteger(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class ObjReader {
 public:
  ObjReader(std::string_view text, MeshBuilder* builder, MeshReport* report)
      : lines_(text, MeshLines::Style::kObj), builder_(builder), report_(report) {}

  void Run() {
    while (lines_.Next(&words_)) {
      const std::string_view keyword = words_[0].text;
      if (keyword == "v") {
        ReadVertex();
      } else if (keyword == "f") {
        ReadFace();
      } else if (!IsHarmless(keyword)) {
        report_->Note(words_[0].place, "statement",
                      fmt::format("{} is not read, only vertices (v) and faces (f) are",
                                  QuoteForReport(keyword)));
      }
    }
    for (const Corner& corner : corners_) CheckRange(corner);
    // Polygons with a corner that could not be read would only give more problems.
    if (report_->has_problems()) return;
    for (const Face& face : faces_) CutFace(face);
    builder_->JoinVerticesIfOpen();
  }

 private:
  struct Corner {
    int vertex;  // from 0
    MeshPlace place;
  };
  struct Face {
    size_t begin, end;  // in corners_
    MeshPlace place;
  };

  static bool IsHarmless(std::string_view keyword) {
    for (const char* known : {"o", "g", "s", "usemtl", "mtllib", "vn", "vt"}) {
      if (keyword == known) return true;
    }
    return false;
  }

  // x y z, x y z w, x y z and a colour, or all of them.
  void ReadVertex() {
    const size_t count = words_.size() - 1;
    const bool has_weight = count == 4 || count == 7;
    if (count != 3 && count != 6 && !has_weight) {
      report_->Fail(words_[0].place, "vertex size",
                    fmt::format("{} numbers after 'v', expected 3, 4 with a weight, or 3 more with "
                                "a colour",
                                count));
    }
    Vec3 point = Vec3::Zero();
    for (size_t k = 0; k < count; ++k) {
      const double value = ReadMeshNumber(words_[k + 1], report_).value_or(0);
      if (k < 3) point[static_cast<int>(k)] = value;
      if (k == 3 && has_weight && value != 1) {
        report_->Note(words_[k + 1].place, "weight",
                      fmt::format("the weight {} of a vertex is not read, faces have no use for it",
                                  QuoteForReport(words_[k + 1].text)));
      }
    }
    // Bad ones count too: the numbers of the others depend on it.
    builder_->AddVertex(point, words_[0].place);
  }

  // The vertex number of "7", "7/2", "7//3" or "7/2/3".
  std::optional<int> ReadCorner(const MeshWord& word) {
    std::optional<int> vertex;
    std::string_view rest = word.text;
    for (int part = 0; part < 3; ++part) {
      const size_t slash = rest.find('/');
      const std::string_view text = rest.substr(0, slash);
      const std::optional<int> number = ParseInteger(text);
      const bool may_be_absent = part == 1 && slash != std::string_view::npos;
      if (!(number && *number != 0) && !(may_be_absent && text.empty())) return std::nullopt;
      if (part == 0) vertex = number;
      if (slash == std::string_view::npos) return vertex;
      rest.remove_prefix(slash + 1);
    }
    return std::nullopt;  // a third slash
  }

  void ReadFace() {
    const int vertex_count = static_cast<int>(builder_->vertices().size());
    Face face{corners_.size(), 0, words_[0].place};
    bool is_good = true;
    for (size_t k = 1; k < words_.size(); ++k) {
      const std::optional<int> number = ReadCorner(words_[k]);
      if (!number) {
        is_good = false;
        report_->Fail(words_[k].place, "corner",
                      fmt::format("{}, expected vertex numbers other than 0 as in 7, 7/2, 7//3 or "
                                  "7/2/3",
                                  QuoteForReport(words_[k].text)));
      } else if (*number < -vertex_count) {
        is_good = false;
        report_->Fail(words_[k].place, "corner range",
                      fmt::format("vertex {}, but there are only {} before this line", *number,
                                  vertex_count));
      } else {
        corners_.push_back({*number < 0 ? vertex_count + *number : *number - 1, words_[k].place});
      }
    }
    if (words_.size() < 4) {
      is_good = false;
      report_->Fail(face.place, "face size",
                    fmt::format("a face of {} corners, expected at least 3", words_.size() - 1));
    }
    face.end = corners_.size();
    if (is_good) faces_.push_back(face);
  }

  void CheckRange(const Corner& corner) {
    const int vertex_count = static_cast<int>(builder_->vertices().size());
    if (corner.vertex < vertex_count) return;
    report_->Fail(corner.place, "corner range",
                  fmt::format("vertex {}, expected 1 to {}, the number of vertices",
                              corner.vertex + 1L, vertex_count));
  }

  // The corners of a face, without those that repeat the one before.
  void CollectCorners(const Face& face) {
    ring_.clear();
    points_.clear();
    for (size_t k = face.begin; k < face.end; ++k) ring_.push_back(corners_[k].vertex);
    if (ring_.size() > 3) {
      const size_t before = ring_.size();
      ring_.erase(std::unique(ring_.begin(), ring_.end()), ring_.end());
      while (ring_.size() > 1 && ring_.front() == ring_.back()) ring_.pop_back();
      if (ring_.size() < before) {
        report_->Note(face.place, "face repeats",
                      fmt::format("{} corners of the face repeat the one before: left out",
                                  before - ring_.size()));
      }
    }
    for (int vertex : ring_) points_.push_back(builder_->vertices()[vertex]);
  }

  void CutFace(const Face& face) {
    CollectCorners(face);
    const std::string problem = cutter_.Cut(points_, &triangles_);
    if (!problem.empty()) {
      report_->Fail(face.place, "polygon",
                    fmt::format("a face of {} corners: {}", points_.size(), problem));
      return;
    }
    if (cutter_.unevenness() > kMostUneven) {
      report_->Note(
          face.place, "uneven",
          fmt::format("the corners of the face leave their plane by {:.3g} of its extent, "
                      "expected at most {}: how it is cut decides its shape",
                      cutter_.unevenness(), kMostUneven));
    }
    for (const auto& t : triangles_) {
      builder_->AddTriangle({ring_[t[0]], ring_[t[1]], ring_[t[2]]}, face.place);
    }
  }

  MeshLines lines_;
  MeshBuilder* builder_;
  MeshReport* report_;
  std::vector<MeshWord> words_;
  std::vector<Corner> corners_;
  std::vector<Face> faces_;
  std::vector<int> ring_;  // of the face at hand
  std::vector<Vec3> points_;
  PolygonCutter cutter_;
  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace

void ReadObj(std::string_view text, MeshBuilder* builder, MeshReport* report) {
  ObjReader(text, builder, report).Run();
}

}  // namespace voigt
