#include "voigt/replay/replay_model.h"

#include "voigt/math/rotation.h"
#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

// The triangles of all meshes in one list.
struct MeshPool {
  std::vector<float> vertices;
  std::vector<std::uint32_t> triangles;
};

VecX PoseNumbers(const Pose& X) {
  VecX out(7);
  out << X.p, MatrixToQuaternion(X.R);
  return out;
}

void WriteMesh(const TriangleMesh& mesh, MeshPool* pool, JsonWriter* out) {
  out->Key("type").Text("mesh");
  out->Key("first_vertex").Integer(static_cast<long>(pool->vertices.size() / 3));
  out->Key("vertex_count").Integer(static_cast<long>(mesh.vertices.size()));
  out->Key("first_triangle").Integer(static_cast<long>(pool->triangles.size() / 3));
  out->Key("triangle_count").Integer(static_cast<long>(mesh.triangles.size()));
  for (const Vec3& vertex : mesh.vertices) {
    for (double x : vertex) pool->vertices.push_back(static_cast<float>(x));
  }
  for (const auto& triangle : mesh.triangles) {
    for (int vertex : triangle) pool->triangles.push_back(vertex);
  }
}

// The members that describe the form of a shape.
struct ShapeForm {
  MeshPool* pool;
  JsonWriter* out;

  void operator()(const Sphere& s) const {
    out->Key("type").Text("sphere").Key("radius").Number(s.radius);
  }
  void operator()(const Box& s) const { out->Key("type").Text("box").Key("size").Numbers(s.size); }
  void operator()(const Capsule& s) const { Rod("capsule", s.radius, s.length); }
  void operator()(const Cylinder& s) const { Rod("cylinder", s.radius, s.length); }
  void operator()(const Ellipsoid& s) const {
    out->Key("type").Text("ellipsoid").Key("radii").Numbers(s.radii);
  }
  void operator()(const HalfSpace&) const { out->Key("type").Text("half-space"); }
  void operator()(const ConvexHull& s) const {
    std::string defect;
    WriteMesh(MakeConvexHullMesh(s.points, &defect).value_or(TriangleMesh()), pool, out);
  }
  void operator()(const TriangleMesh& s) const { WriteMesh(s, pool, out); }
  void operator()(const ContactPoints& s) const {
    out->Key("type").Text("points").Key("points").Begin('[');
    for (const Vec3& point : s.positions) out->Numbers(point);
    out->End();
  }
  void operator()(const Foundation& s) const {
    out->Key("type").Text("foundation").Key("size").Numbers(s.size);
  }
  void operator()(const HeightField& s) const { WriteMesh(MakeMesh(s), pool, out); }

  void Rod(const char* type, double radius, double length) const {
    out->Key("type").Text(type).Key("radius").Number(radius).Key("length").Number(length);
  }
};

void WriteShape(const Model& model, int body, int g, MeshPool* pool, JsonWriter* out) {
  const Geometry& geometry = model.geometry()[g];
  out->Begin('{').Key("body").Integer(body).Key("name").Text(geometry.name);
  out->Key("material").Text(model.material(g).name);
  out->Key("pose").Numbers(PoseNumbers(geometry.X_BG));
  std::visit(ShapeForm{pool, out}, geometry.shape);
  out->End();
}

void WriteJoint(const Joint& joint, bool is_loop, JsonWriter* out) {
  out->Begin('{').Key("name").Text(joint.name).Key("type").Text(ToString(joint.type));
  out->Key("parent").Integer(joint.parent).Key("child").Integer(joint.child);
  out->Key("pose_on_parent").Numbers(PoseNumbers(joint.X_PF));
  out->Key("pose_on_child").Numbers(PoseNumbers(joint.X_CM));
  out->Key("is_loop").Flag(is_loop).End();
}

}  // namespace

void WriteReplayModel(const Model& model, JsonWriter* out, ReplayBlocks* blocks) {
  out->Key("bodies").Begin('[');
  for (const Body& body : model.bodies()) {
    out->Begin('{').Key("name").Text(body.name).Key("mass").Number(body.mass.mass);
    out->Key("com").Numbers(body.mass.com).End();
  }
  out->End().Key("shapes").Begin('[');
  MeshPool pool;
  for (int b = 0; b < model.nb(); ++b) {
    const Body& body = model.body(b);
    for (int k = 0; k < body.geometry_count; ++k) {
      WriteShape(model, b, body.first_geometry + k, &pool, out);
    }
  }
  out->End().Key("joints").Begin('[');
  for (int b = 1; b < model.nb(); ++b) {
    if (model.joint(b).type != JointType::kFree) WriteJoint(model.joint(b), false, out);
  }
  for (const Joint& loop : model.loops()) WriteJoint(loop, true, out);
  out->End();
  blocks->Add("mesh_vertices", pool.vertices);
  blocks->Add("mesh_triangles", pool.triangles);
}

}  // namespace voigt
