#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"
#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

enum class GeomType {
  kPlane,
  kField,
  kSphere,
  kCapsule,
  kEllipsoid,
  kCylinder,
  kBox,
  kMesh,
  kOther
};

struct GeomNumbers {
  GeomType type = GeomType::kSphere;
  std::array<double, 3> size = {0, 0, 0};
  Pose X_EG;
  const TriangleMesh* mesh = nullptr;
  bool is_shell = false;
};

// How many sizes a type has that must be positive.
int CountSizes(GeomType type) {
  switch (type) {
    case GeomType::kSphere:
      return 1;
    case GeomType::kCapsule:
    case GeomType::kCylinder:
      return 2;
    case GeomType::kEllipsoid:
    case GeomType::kBox:
      return 3;
    default:
      return 0;
  }
}

// A shape of another type that stands for a mesh, with the size of the mesh's box of inertia.
void FitToMesh(const XmlReader& reader, MjcfContext* context, GeomNumbers* geom) {
  const MassProperties mass =
      CalcMjcfMeshMass(*geom->mesh, context->compiler.exact_mesh_inertia, false);
  if (!(mass.mass > 0)) return;  // sizes stay zero, which is reported
  const MjcfInertiaBox box = FitInertiaBox(mass);
  const Vec3 half = box.half * reader.Number("fitscale", 1);
  switch (geom->type) {
    case GeomType::kSphere:
      geom->size[0] = half.mean();
      break;
    case GeomType::kCapsule:
    case GeomType::kCylinder:
      geom->size[0] = (half[0] + half[1]) / 2;
      geom->size[1] =
          half[2] - (geom->type == GeomType::kCapsule ? std::min(geom->size[0] / 2, half[2]) : 0);
      break;
    default:
      geom->size = {half[0], half[1], half[2]};
  }
  geom->X_EG = geom->X_EG * Pose{box.axes, mass.com};
  geom->mesh = nullptr;
  if (context->compiler.fit_box) {
    context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                  "fitaabb: fitted to the mesh's inertia, not to its bounds");
  }
}

// False where a value is bad, which is reported.
bool ReadGeomNumbers(const XmlReader& reader, MjcfContext* context, GeomNumbers* geom) {
  const size_t problems = context->problems.problems().size();
  geom->type = reader
                   .Choice<GeomType>("type", {{"plane", GeomType::kPlane},
                                              {"hfield", GeomType::kField},
                                              {"sphere", GeomType::kSphere},
                                              {"capsule", GeomType::kCapsule},
                                              {"ellipsoid", GeomType::kEllipsoid},
                                              {"cylinder", GeomType::kCylinder},
                                              {"box", GeomType::kBox},
                                              {"mesh", GeomType::kMesh},
                                              {"sdf", GeomType::kOther}})
                   .value_or(GeomType::kSphere);
  reader.Overwrite("size", 1, geom->size);
  geom->is_shell = reader.Flag("shellinertia", false);
  double half_length = 0;
  if (const auto X = ReadMjcfEnds(reader, &half_length)) {
    geom->X_EG = *X;
    geom->size[1] = half_length;
    if (geom->type == GeomType::kEllipsoid || geom->type == GeomType::kBox) {
      geom->size = {geom->size[0], geom->size[0], half_length};
    } else if (geom->type != GeomType::kCapsule && geom->type != GeomType::kCylinder) {
      reader.Fail("'fromto' belongs to capsules, cylinders, ellipsoids and boxes");
    }
  } else {
    geom->X_EG = ReadMjcfPose(reader, context->compiler);
  }
  return context->problems.problems().size() == problems;
}

// The shape, or nothing where it cannot be had, which is reported.
std::optional<Shape> MakeMjcfShape(const XmlReader& reader, const GeomNumbers& geom,
                                   MjcfContext* context) {
  const auto& [a, b, c] = geom.size;
  switch (geom.type) {
    case GeomType::kPlane:
      return HalfSpace{};
    case GeomType::kSphere:
      return Sphere{a};
    case GeomType::kCapsule:
      return Capsule{a, 2 * b};
    case GeomType::kCylinder:
      return Cylinder{a, 2 * b};
    case GeomType::kEllipsoid:
      return Ellipsoid{Vec3(a, b, c)};
    case GeomType::kBox:
      return Box{2 * Vec3(a, b, c)};
    case GeomType::kField: {
      const HeightField* field = FindMjcfField(reader.Text("hfield"), reader, context);
      return field == nullptr ? std::nullopt : std::optional<Shape>(*field);
    }
    case GeomType::kMesh: {
      if (geom.mesh == nullptr) return std::nullopt;
      std::string defect;
      const auto hull = MakeConvexHullMesh(geom.mesh->vertices, &defect);
      if (!hull) {
        reader.Fail("no convex hull of its mesh: " + defect);
        return std::nullopt;
      }
      context->NoteTogether(ImportNote::Kind::kApproximated, reader.where(), "geom",
                            "the convex hull of its mesh touches others, as in MuJoCo");
      return ConvexHull{hull->vertices};
    }
    case GeomType::kOther:
      break;
  }
  context->Note(ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(),
                "signed distance fields are left out");
  return std::nullopt;
}

// With density 1, in the geom's frame.
MassProperties CalcUnitMass(const XmlReader& reader, const GeomNumbers& geom,
                            MjcfContext* context) {
  if (geom.type == GeomType::kMesh) {
    if (geom.mesh == nullptr) return {};
    const bool exact = context->compiler.exact_mesh_inertia;
    const MassProperties mass = CalcMjcfMeshMass(*geom.mesh, exact, geom.is_shell);
    const double solid = CalcMjcfMeshMass(*geom.mesh, true, geom.is_shell).mass;
    if (!exact && std::abs(mass.mass - solid) > 1e-6 * std::abs(solid)) {
      context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                    fmt::format("its volume is taken as {:.6g} m³, that of the box with the mesh's "
                                "inertia, as in MuJoCo 2; exactmeshinertia=\"true\" takes {:.6g}",
                                mass.mass, solid));
    }
    return mass;
  }
  if (CountSizes(geom.type) == 0) return {};
  if (geom.is_shell) {
    context->Note(ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(),
                  "shellinertia: the shape is solid");
  }
  std::string defect;
  return *CalcShapeMassProperties(*MakeMjcfShape(reader, geom, context), 1, &defect);
}

void AddGeomMass(const XmlReader& reader, const GeomNumbers& geom, const Pose& X_BG,
                 std::vector<MassProperties>* masses, MjcfContext* context) {
  const int group = reader.Integer("group", 0);
  if (group < context->compiler.first_inertia_group ||
      group > context->compiler.last_inertia_group) {
    return;
  }
  const double density = reader.Number("density", 1000);
  const bool has_mass = reader.Has("mass");
  const double given = reader.Number("mass", 0);
  if (density < 0 || given < 0) {
    reader.Fail(given < 0 ? fmt::format("mass is {}, expected a number ≥ 0", given)
                          : fmt::format("density is {}, expected a number ≥ 0", density));
    return;
  }
  MassProperties mass;
  if (has_mass ? given > 0 : density > 0) mass = CalcUnitMass(reader, geom, context);
  // Planes have none, nor do meshes that were reported.
  if (mass.mass > 1e-15) {
    const double factor = has_mass ? given / mass.mass : density;
    mass.inertia *= factor;
    mass.mass *= factor;
  } else {
    mass = {};
  }
  masses->push_back(Transform(X_BG, mass));
}

bool CheckSizes(const XmlReader& reader, const GeomNumbers& geom) {
  for (int i = 0; i < CountSizes(geom.type); ++i) {
    if (geom.size[i] > 0) continue;
    reader.Fail(fmt::format("size {} is {}, expected {} positive numbers", i + 1, geom.size[i],
                            CountSizes(geom.type)));
    return false;
  }
  return true;
}

void NoteGeomExtras(const XmlReader& reader, MjcfContext* context) {
  if (reader.Number("margin", 0) != 0 || reader.Number("gap", 0) != 0) {
    context->NoteTogether(ImportNote::Kind::kApproximated, reader.where(), "geom margin, gap",
                          "contacts act when surfaces meet, not before");
  }
  if (reader.Text("fluidshape", "none") != "none") {
    context->NoteTogether(ImportNote::Kind::kUnsupported, reader.where(), "geom fluidshape",
                          "the medium around the bodies exerts no forces");
  }
  reader.Ignore({"class", "name", "rgba", "material", "user", "fluidcoef", "hfield", "fitscale",
                 "mass", "density", "group"});
}

}  // namespace

std::optional<Pose> ReadMjcfEnds(const XmlReader& reader, double* length) {
  const std::vector<double> ends = reader.Numbers("fromto", 6, 6);
  if (ends.empty()) return std::nullopt;
  const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  reader.Ignore({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
  if (reader.Vector("pos", Vec3::Zero()) != Vec3::Zero()) {
    reader.Fail("both 'pos' and 'fromto' are given, expected one of them");
  }
  *length = (from - to).norm() / 2;
  if (!(*length > 1e-14)) {
    reader.Fail(*reader.Find("fromto"), "its ends are one point, expected two");
    return std::nullopt;
  }
  return Pose{TurnZTo(from - to), (from + to) / 2};
}

void ReadMjcfGeom(const MjcfPlacedElement& placed, int body, bool needs_mass,
                  std::vector<MassProperties>* masses, MjcfContext* context) {
  const XmlReader reader = context->ReaderOf(*placed.element, {"geom"}, placed.inherited);
  NoteGeomExtras(reader, context);
  MjcfGeom record;
  record.name = reader.Text("name");
  record.mjcf_body = body;
  record.body = context->bodies[body].spec;
  record.type = static_cast<unsigned>(reader.Integer("contype", 1));
  record.affinity = static_cast<unsigned>(reader.Integer("conaffinity", 1));
  record.where = placed.element->where;
  ReadMjcfSurface(reader, &record.surface);
  const bool is_paired = context->flags.listed_pairs && context->paired_geoms.contains(record.name);
  const bool is_free = context->flags.all_pairs && (record.type != 0 || record.affinity != 0);
  const bool may_touch = context->flags.contact && (is_free || is_paired);

  GeomNumbers geom;
  const bool is_good = ReadGeomNumbers(reader, context, &geom);
  const std::string mesh = reader.Text("mesh");
  if (!is_good) return;
  if (!may_touch) {
    context->NoteTogether(ImportNote::Kind::kIgnored, record.where, "geom",
                          "touches nothing: its shape is left out");
    if (!needs_mass) return;
  }
  if (geom.type == GeomType::kMesh || !mesh.empty()) {
    geom.mesh = FindMjcfMesh(mesh, reader, context);
    if (geom.mesh == nullptr) return;
    if (geom.type != GeomType::kMesh) FitToMesh(reader, context, &geom);
  }
  if (!CheckSizes(reader, geom)) return;
  const Pose X_BG = placed.X_BE * geom.X_EG;
  if (needs_mass) AddGeomMass(reader, geom, X_BG, masses, context);
  if (!may_touch) return;
  std::optional<Shape> shape = MakeMjcfShape(reader, geom, context);
  if (!shape) return;
  ModelSpec& spec = context->out.spec;
  std::vector<Geometry>& shapes =
      record.body < 0 ? spec.world_geometry : spec.bodies[record.body].geometry;
  record.index = shapes.size();
  shapes.push_back({record.name, std::move(*shape), X_BG, std::nullopt, record.where});
  context->geoms.push_back(record);
}

}  // namespace voigt
