#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mesh_file.h"
#include "voigt/io/mjcf_context.h"
#include "voigt/math/rotation.h"
#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

constexpr size_t kAnyCount = std::string::npos;

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
  const std::filesystem::path path = FindMjcfAssetFile(file, *context);
  const std::string ending = LowerCaseMjcfEnding(path);
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

std::string LowerCaseMjcfEnding(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending;
}

std::filesystem::path FindMjcfAssetFile(std::filesystem::path file, const MjcfContext& context) {
  if (context.compiler.strip_path) file = file.filename();
  return context.folder / context.compiler.mesh_folder / file;
}

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
