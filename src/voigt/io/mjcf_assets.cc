#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "voigt/io/mesh_file.h"
#include "voigt/io/mjcf_context.h"
#include "voigt/math/rotation.h"
#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

constexpr size_t kAnyCount = std::string::npos;
constexpr int kMaxFieldSide = 20000;

std::string LowerCaseEnding(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending;
}

std::filesystem::path FindAssetFile(std::filesystem::path file, const MjcfContext& context) {
  if (context.compiler.strip_path) file = file.filename();
  return context.folder / context.compiler.mesh_folder / file;
}

// What stands in the attributes vertex and face; the hull of the vertices without faces.
std::optional<TriangleMesh> ReadInlineMesh(const XmlReader& reader) {
  TriangleMesh mesh;
  const std::vector<double> numbers = reader.Numbers("vertex", 12, kAnyCount);
  const std::vector<double> corners = reader.Numbers("face", 3, kAnyCount);
  if (numbers.empty()) {
    if (!reader.Has("vertex")) reader.Fail("'file' is missing, expected a file or vertices");
    return std::nullopt;
  }
  for (size_t i = 0; i + 2 < numbers.size(); i += 3) {
    mesh.vertices.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    std::array<int, 3>& triangle = mesh.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      triangle[k] = static_cast<int>(std::clamp(corners[i + k], -1.0, 1e9));
    }
  }
  if (numbers.size() % 3 != 0 || corners.size() % 3 != 0) {
    reader.Fail("vertices and faces have three numbers each");
    return std::nullopt;
  }
  if (mesh.triangles.empty()) {
    std::string defect;
    const auto hull = MakeConvexHullMesh(mesh.vertices, &defect);
    if (!hull) reader.Fail("no convex hull of its vertices: " + defect);
    return hull;
  }
  if (const auto defect = DescribeSurfaceDefect(mesh)) {
    reader.Fail(*defect);
    return std::nullopt;
  }
  return mesh;
}

std::optional<TriangleMesh> ReadMeshFile(const XmlReader& reader, const std::string& file,
                                         MjcfContext* context) {
  const std::filesystem::path path = FindAssetFile(file, *context);
  const std::string ending = LowerCaseEnding(path);
  if (ending != ".stl" && ending != ".obj") {
    context->Note(
        ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(),
        fmt::format("file '{}' is neither STL nor OBJ: geoms that need it are left out", file));
    return std::nullopt;
  }
  try {
    MeshFile loaded = LoadMesh(path);
    for (const Problem& notice : loaded.notices) {
      context->Note(ImportNote::Kind::kApproximated, notice.where, reader.element().Describe(),
                    notice.message);
    }
    return std::move(loaded.mesh);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      reader.Fail(problem.ToString());
    }
    return std::nullopt;
  }
}

// refpos and refquat name the frame of the file in which the mesh is wanted; then it is scaled.
void PlaceMesh(const XmlReader& reader, TriangleMesh* mesh) {
  const Vec3 origin = reader.Vector("refpos", Vec3::Zero());
  Vec4 quaternion = QuaternionIdentity();
  reader.Overwrite("refquat", 4, {quaternion.data(), 4});
  const Vec3 scale = reader.Vector("scale", Vec3::Ones());
  if (quaternion.stableNorm() < 1e-12 || scale.prod() == 0) {
    reader.Fail("'refquat' or 'scale' is zero, expected a rotation and factors");
    return;
  }
  const Mat3 R = QuaternionToMatrix(quaternion);
  for (Vec3& vertex : mesh->vertices) {
    vertex = scale.cwiseProduct(R.transpose() * (vertex - origin));
  }
  if (scale.prod() < 0) {
    for (auto& triangle : mesh->triangles) std::swap(triangle[1], triangle[2]);
  }
}

struct Elevation {
  int rows = 0, columns = 0;
  std::vector<double> data;  // row by row, from the lowest y
};

// MuJoCo's own file of heights: two sizes and 32-bit numbers.
std::optional<Elevation> ReadElevationFile(const XmlReader& reader, const std::string& file,
                                           MjcfContext* context) {
  const std::filesystem::path path = FindAssetFile(file, *context);
  if (LowerCaseEnding(path) == ".png") {
    context->Note(ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(),
                  "heights from a picture are not read: geoms that need it are left out");
    return std::nullopt;
  }
  std::string bytes;
  try {
    bytes = ReadTextFile(path.string());
  } catch (const InputError& error) {
    reader.Fail(error.what());
    return std::nullopt;
  }
  std::int32_t sizes[2] = {0, 0};
  if (bytes.size() >= 8) std::memcpy(sizes, bytes.data(), 8);
  const bool fits = sizes[0] > 0 && sizes[1] > 0 && sizes[0] <= kMaxFieldSide &&
                    sizes[1] <= kMaxFieldSide &&
                    bytes.size() == 8 + 4 * size_t(sizes[0]) * size_t(sizes[1]);
  if (!fits) {
    reader.Fail(fmt::format("file '{}' has {} bytes, expected two sizes and as many 32-bit numbers",
                            file, bytes.size()));
    return std::nullopt;
  }
  Elevation out{sizes[0], sizes[1], {}};
  for (size_t i = 8; i < bytes.size(); i += 4) {
    float value;
    std::memcpy(&value, bytes.data() + i, 4);
    out.data.push_back(value);
  }
  return out;
}

std::optional<Elevation> ReadElevation(const XmlReader& reader, MjcfContext* context) {
  if (const std::string file = reader.Text("file"); !file.empty()) {
    return ReadElevationFile(reader, file, context);
  }
  Elevation out{reader.Integer("nrow", 0), reader.Integer("ncol", 0), {}};
  if (out.rows < 2 || out.columns < 2 || out.rows > kMaxFieldSide || out.columns > kMaxFieldSide) {
    reader.Fail(fmt::format("{} rows and {} columns, expected 2 to {} of each", out.rows,
                            out.columns, kMaxFieldSide));
    return std::nullopt;
  }
  const size_t count = size_t(out.rows) * size_t(out.columns);
  if (!reader.Has("elevation")) {
    out.data.assign(count, 0.0);
    return out;
  }
  const std::vector<double> data = reader.Numbers("elevation", count, count);
  if (data.empty()) return std::nullopt;
  // Written as one looks at it: the first row is the one with the highest y.
  for (int row = out.rows - 1; row >= 0; --row) {
    out.data.insert(out.data.end(), data.begin() + size_t(row) * out.columns,
                    data.begin() + size_t(row + 1) * out.columns);
  }
  return out;
}

std::optional<HeightField> ReadMjcfHeightField(const XmlReader& reader, MjcfContext* context) {
  const std::vector<double> size = reader.Numbers("size", 4, 4);
  if (size.empty() || *std::min_element(size.begin(), size.end()) <= 0) {
    reader.Fail(
        "'size' is missing or not positive, expected half lengths along x and y, the "
        "largest height and the depth");
    return std::nullopt;
  }
  const auto elevation = ReadElevation(reader, context);
  if (!elevation) return std::nullopt;
  if (elevation->rows < 2 || elevation->columns < 2) {
    reader.Fail("has one row or column, expected at least two");
    return std::nullopt;
  }
  HeightField field{elevation->columns, elevation->rows, {}, {}};
  field.spacing = {2 * size[0] / (field.nx - 1), 2 * size[1] / (field.ny - 1)};
  const auto [low, high] = std::minmax_element(elevation->data.begin(), elevation->data.end());
  const double span = *high - *low;
  // Data are stretched to the largest height.
  for (double value : elevation->data) {
    field.heights.push_back(span > 1e-15 ? (value - *low) / span * size[2] : 0);
  }
  if (span > 1e-15) {
    context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                  "each cell is folded along its other diagonal; the ground has no bottom");
  }
  return field;
}

void AddAsset(const XmlElement& element, std::map<std::string, MjcfAsset>* assets,
              MjcfContext* context) {
  const XmlReader reader(element, &context->problems);
  std::string name = reader.Text("name");
  if (name.empty()) name = std::filesystem::path(element.Peek("file")).stem().string();
  MjcfAsset asset;
  asset.element = &element;
  const XmlReader with_class = context->ReaderOf(element, {"mesh"}, "");
  asset.defaults = context->defaults.Layers({"mesh"}, with_class.Text("class"));
  with_class.Ignore({"file", "vertex", "face", "normal", "texcoord", "refpos", "refquat", "scale",
                     "smoothnormal", "nrow", "ncol", "size", "elevation", "content_type", "inertia",
                     "maxhullvert"});
  if (!assets->emplace(name, asset).second) {
    reader.Fail(fmt::format("name '{}' is taken by another {}", name, element.name));
  }
}

MjcfAsset* FindAsset(const std::string& name, const XmlReader& user,
                     std::map<std::string, MjcfAsset>* assets) {
  const auto entry = assets->find(name);
  if (entry != assets->end()) return &entry->second;
  user.Fail(fmt::format("mesh or height field '{}' is not among the assets", name));
  return nullptr;
}

}  // namespace

void ReadMjcfAssets(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  for (const XmlElement& element : section.children) {
    if (element.name == "mesh") {
      AddAsset(element, &context->meshes, context);
    } else if (element.name == "hfield") {
      AddAsset(element, &context->fields, context);
    } else if (element.name == "texture" || element.name == "material" || element.name == "skin") {
      context->IgnoreElement(element, "has no effect on the motion");
    }
  }
}

const TriangleMesh* FindMjcfMesh(const std::string& name, const XmlReader& user,
                                 MjcfContext* context) {
  MjcfAsset* asset = FindAsset(name, user, &context->meshes);
  if (asset == nullptr || asset->failed) return nullptr;
  if (!asset->mesh) {
    const XmlReader reader(*asset->element, &context->problems, asset->defaults);
    const std::string file = reader.Text("file");
    asset->mesh = file.empty() ? ReadInlineMesh(reader) : ReadMeshFile(reader, file, context);
    asset->failed = !asset->mesh;
    if (asset->failed) return nullptr;
    PlaceMesh(reader, &*asset->mesh);
  }
  return &*asset->mesh;
}

const HeightField* FindMjcfField(const std::string& name, const XmlReader& user,
                                 MjcfContext* context) {
  MjcfAsset* asset = FindAsset(name, user, &context->fields);
  if (asset == nullptr || asset->failed) return nullptr;
  if (!asset->field) {
    asset->field = ReadMjcfHeightField(XmlReader(*asset->element, &context->problems), context);
    asset->failed = !asset->field;
  }
  return asset->field ? &*asset->field : nullptr;
}

}  // namespace voigt
