#include "voigt/io/mesh_file.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "voigt/io/file_source.h"
#include "voigt/io/mesh_builder.h"
#include "voigt/io/mesh_report.h"
#include "voigt/io/obj_reader.h"
#include "voigt/io/stl_reader.h"

namespace voigt {
namespace {

// Lines, columns, vertices and triangles are counted in int.
constexpr std::uintmax_t kLargestFile = 2'000'000'000;

MeshFormat FormatOf(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".stl") return MeshFormat::kStl;
  if (ending == ".obj") return MeshFormat::kObj;
  throw InputError({path.string(), 0, 0}, "",
                   fmt::format("a mesh that ends in '{}', expected .stl or .obj", ending));
}

std::string ReadMeshBytes(const std::string& path) {
  const SourceLocation where{path, 0, 0};
  switch (FindPathKind(path)) {
    case PathKind::kMissing:
      throw InputError(where, "", "no such mesh file");
    case PathKind::kOther:
      throw InputError(where, "", "is not a file, expected a mesh");
    case PathKind::kFile:
      break;
  }
  return ReadFile(path);
}

void CheckScale(const std::string& name, const Vec3& scale) {
  for (int k = 0; k < 3; ++k) {
    if (std::isfinite(scale[k]) && scale[k] != 0) continue;
    throw InputError({name, 0, 0}, "",
                     fmt::format("the scale of axis {} is {}, expected a finite number, not zero",
                                 "xyz"[k], scale[k]));
  }
}

}  // namespace

MeshFile ParseMesh(std::string_view data, MeshFormat format, const std::string& name,
                   const Vec3& scale) {
  CheckScale(name, scale);
  if (data.size() > kLargestFile) {
    throw InputError({name, 0, 0}, "",
                     fmt::format("has {} bytes, expected at most {}", data.size(), kLargestFile));
  }
  MeshReport report(name);
  MeshBuilder builder(scale, &report);
  if (format == MeshFormat::kStl) {
    ReadStl(data, &builder, &report);
  } else {
    ReadObj(data, &builder, &report);
  }
  // A mesh that was not read as a whole cannot be judged as one.
  report.ThrowIfAny();
  MeshFile file;
  file.mesh = builder.Finish();
  report.ThrowIfAny();
  file.notices = report.Notices();
  return file;
}

MeshFile LoadMesh(const std::filesystem::path& path, const Vec3& scale) {
  const MeshFormat format = FormatOf(path);
  return ParseMesh(ReadMeshBytes(path.string()), format, path.string(), scale);
}

}  // namespace voigt
