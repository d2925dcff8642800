#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>

#include "voigt/io/flat_triangles.h"
#include "voigt/io/mesh_builder.h"
#include "voigt/io/mesh_file.h"
#include "voigt/io/mesh_text.h"
#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

// The corners of a triangle, given as three numbers; one complaint is enough.
std::array<int, 3> ReadCorners(ObjectReader* reader, const Vec3& numbers, const YamlValue& where) {
  std::array<int, 3> corners{};
  for (int k = 0; k < 3; ++k) {
    if (!(std::abs(numbers[k]) <= 1e9 && numbers[k] == std::round(numbers[k]))) {
      reader->Fail(
          where, "triangles",
          fmt::format("{}, expected whole numbers that count vertices from 0", numbers[k]));
      break;
    }
    corners[k] = static_cast<int>(numbers[k]);
  }
  return corners;
}

TriangleMesh ReadInlineMesh(ObjectReader* reader) {
  TriangleMesh mesh;
  mesh.vertices = reader->Points("vertices");
  const std::vector<Vec3> triangles = reader->Points("triangles");
  for (size_t i = 0; i < triangles.size(); ++i) {
    mesh.triangles.push_back(
        ReadCorners(reader, triangles[i], reader->Find("triangles")->items[i]));
  }
  return mesh;
}

// Tells what was repaired, once where shapes are repeated.
void Notice(ObjectReader* reader, const SourceLocation& where, const std::string& element,
            const std::string& message) {
  const std::string path = reader->path() + (element.empty() ? "" : ", " + element);
  const std::string line = Problem{where, path, message}.ToString();
  const auto told = [&](const std::string& other) {
    return other.starts_with(where.ToString() + ":") && other.ends_with(message);
  };
  std::vector<std::string>& notices = reader->context()->notices;
  if (std::none_of(notices.begin(), notices.end(), told)) notices.push_back(line);
}

// Programs write the corners of each face anew, which would leave a closed surface a set of sheets:
// inline meshes are joined as those of files are. Mistakes are the model's to report, with the
// numbers that the scene has.
TriangleMesh JoinInlineMesh(ObjectReader* reader, TriangleMesh mesh) {
  const auto is_flat = [&](const std::array<int, 3>& t) {
    return IsFlatTriangle(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  };
  if (DescribeSurfaceDefect(mesh) ||
      std::any_of(mesh.triangles.begin(), mesh.triangles.end(), is_flat)) {
    return mesh;
  }
  MeshReport report(reader->where().file);
  MeshBuilder builder(Vec3::Ones(), &report);
  const MeshPlace start{reader->where().line, reader->where().column};
  for (const Vec3& vertex : mesh.vertices) builder.AddVertex(vertex, start);
  const std::vector<YamlValue>& items = reader->Find("triangles")->items;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const SourceLocation& where = items[i].where;
    builder.AddTriangle(mesh.triangles[i], {where.line, where.column, -1, static_cast<int>(i)});
  }
  builder.JoinVerticesIfOpen();
  TriangleMesh joined = builder.Finish();
  if (report.has_problems()) return mesh;
  for (const Problem& notice : report.Notices()) {
    Notice(reader, notice.where.line > 0 ? notice.where : reader->where(), notice.element,
           notice.message);
  }
  return joined;
}

// Each point once.
std::vector<Vec3> JoinPoints(ObjectReader* reader, std::string_view key, std::vector<Vec3> points) {
  std::set<std::array<std::uint64_t, 3>> seen;
  const auto is_repeated = [&](const Vec3& p) {
    std::array<std::uint64_t, 3> bits{};
    for (int k = 0; k < 3; ++k) bits[k] = std::bit_cast<std::uint64_t>(p[k] + 0.0);  // -0 is 0
    return !seen.insert(bits).second;
  };
  const size_t count = points.size();
  const size_t repeated = std::erase_if(points, is_repeated);
  if (repeated > 0) {
    Notice(reader, reader->Find(key)->where, std::string(key),
           fmt::format("{} of {} points repeat others: left out", repeated, count));
  }
  return points;
}

// A file that the scene names, relative to the scene's own folder.
std::string FindFile(ObjectReader* reader) {
  const std::filesystem::path file = reader->RequiredText("file");
  if (file.empty()) return "";
  return (std::filesystem::path(reader->where().file).parent_path() / file).string();
}

// One number for all, or as many as there are axes.
template <int count>
Eigen::Vector<double, count> ReadPerAxis(ObjectReader* reader, std::string_view key,
                                         std::string_view what) {
  const Eigen::Vector<double, count> ones = Eigen::Vector<double, count>::Ones();
  const size_t before = reader->CountProblems();
  const std::vector<double> numbers = reader->RequiredNumbers(key, what);
  if (reader->CountProblems() > before) return ones;
  if (numbers.size() == 1) return numbers[0] * ones;
  if (numbers.size() == count)
    return Eigen::Map<const Eigen::Vector<double, count>>(numbers.data());
  const YamlValue& value = *reader->Find(key);
  reader->Fail(value, key, fmt::format("{}, expected {}", value.Describe(), what));
  return ones;
}

// Bodies that are repeated name the same file many times; it is read once.
TriangleMesh ReadMeshFile(ObjectReader* reader) {
  for (const char* key : {"vertices", "triangles"}) {
    if (const YamlValue* value = reader->Find(key)) {
      reader->Fail(*value, key, "given beside 'file': keep one of them");
    }
  }
  const Vec3 scale = reader->Has("scale") ? ReadPerAxis<3>(reader, "scale", "one number or three")
                                          : Vec3(Vec3::Ones());
  const std::string path = FindFile(reader);
  if (path.empty()) return {};
  ReadContext* context = reader->context();
  const std::string key = fmt::format("{} {} {} {}", path, scale[0], scale[1], scale[2]);
  const auto [entry, is_new] = context->meshes.try_emplace(key);
  if (!is_new) return entry->second;
  try {
    MeshFile file = LoadMesh(path, scale);
    entry->second = std::move(file.mesh);
    for (const Problem& notice : file.notices) context->notices.push_back(notice.ToString());
  } catch (const InputError& error) {
    // What is wrong with the file as a whole is told where the scene names it.
    for (const Problem& problem : error.problems()) {
      if (problem.where.line > 0) {
        context->problems.Add(problem.where, reader->path(), problem.message);
      } else {
        reader->Fail(*reader->Find("file"), "file", fmt::format("'{}': {}", path, problem.message));
      }
    }
  }
  return entry->second;
}

// Rows of numbers of one length; their number along x is the first one's.
void AppendRow(const std::vector<double>& row, HeightField* field) {
  if (field->ny == 0) field->nx = static_cast<int>(row.size());
  ++field->ny;
  field->heights.insert(field->heights.end(), row.begin(), row.end());
}

std::string DescribeRow(const HeightField& field, size_t count) {
  return fmt::format("a row of {} heights, expected {} as in the first row", count, field.nx);
}

void ReadInlineHeights(ObjectReader* reader, HeightField* field) {
  const char* const what = "a list of rows, each a list of numbers";
  const YamlValue* rows = reader->Require("heights", what);
  if (rows == nullptr) return;
  if (!rows->IsList()) {
    reader->Fail(*rows, "heights", fmt::format("{}, expected {}", rows->Describe(), what));
    return;
  }
  for (const YamlValue& row : rows->items) {
    if (!row.IsList()) {
      reader->Fail(row, "heights", fmt::format("{}, expected {}", row.Describe(), what));
      continue;
    }
    const std::vector<double> numbers = reader->ToNumbers(row, "heights");
    if (field->ny > 0 && static_cast<int>(numbers.size()) != field->nx) {
      reader->Fail(row, "heights", DescribeRow(*field, numbers.size()));
    }
    AppendRow(numbers, field);
  }
}

// A text of numbers, one row of the grid a line; # begins a comment.
void ReadHeightFile(const std::string& path, HeightField* field) {
  const std::string text = ReadTextFile(path);
  MeshReport report(path);
  MeshLines lines(text, MeshLines::Style::kObj);
  std::vector<MeshWord> words;
  std::vector<double> row;
  while (lines.Next(&words)) {
    row.clear();
    for (const MeshWord& word : words) row.push_back(ReadMeshNumber(word, &report).value_or(0));
    if (field->ny > 0 && static_cast<int>(row.size()) != field->nx) {
      report.Fail(words[0].place, "row", DescribeRow(*field, row.size()));
    }
    AppendRow(row, field);
  }
  if (field->ny == 0) report.Fail({}, "empty", "is empty, expected rows of heights");
  report.ThrowIfAny();
}

}  // namespace

Shape ReadContactPoints(ObjectReader* reader) {
  return ContactPoints{JoinPoints(reader, "positions", reader->Points("positions"))};
}

Shape ReadHull(ObjectReader* reader) {
  return ConvexHull{JoinPoints(reader, "points", reader->Points("points"))};
}

Shape ReadMesh(ObjectReader* reader) {
  // Both kinds of keys are known, so that one of them without the other is called missing.
  const bool is_convex = reader->Flag("convex", false);
  const YamlValue* const scale = reader->Find("scale");
  const bool has_file = reader->Has("file");
  if (scale != nullptr && !has_file) reader->Fail(*scale, "scale", "needs 'file' beside it");
  if (has_file) {
    TriangleMesh mesh = ReadMeshFile(reader);
    if (is_convex) return ConvexHull{std::move(mesh.vertices)};
    return mesh;
  }
  const size_t before = reader->CountProblems();
  TriangleMesh mesh = ReadInlineMesh(reader);
  if (reader->CountProblems() > before) return mesh;
  if (is_convex) return ConvexHull{JoinPoints(reader, "vertices", std::move(mesh.vertices))};
  return JoinInlineMesh(reader, std::move(mesh));
}

Shape ReadHeightField(ObjectReader* reader) {
  HeightField field;
  field.spacing = ReadPerAxis<2>(reader, "spacing", "one number or two");
  const bool has_file = reader->Has("file");
  if (!has_file) {
    ReadInlineHeights(reader, &field);
    return field;
  }
  if (const YamlValue* heights = reader->Find("heights")) {
    reader->Fail(*heights, "heights", "given beside 'file': keep one of them");
  }
  try {
    if (const std::string path = FindFile(reader); !path.empty()) ReadHeightFile(path, &field);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      reader->context()->problems.Add(problem.where, reader->path(), problem.message);
    }
  }
  return field;
}

}  // namespace voigt
