#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "voigt/io/imported_model.h"
#include "voigt/io/mjcf_defaults.h"
#include "voigt/io/xml_reader.h"
#include "voigt/model/surface.h"

// What the parts of the MJCF reader share. Each part has a file mjcf_*.cc and reads some sections;
// mjcf.cc calls them in MuJoCo's order.
namespace voigt {

// <compiler>: how the file is to be understood.
struct MjcfCompiler {
  enum class InertiaSource { kAuto, kGeoms, kGiven };

  bool degrees = true;
  std::string euler_sequence = "xyz";
  bool auto_limits = true;
  std::string mesh_folder;  // from the file's folder
  bool strip_path = false;
  InertiaSource inertia_source = InertiaSource::kAuto;
  int first_inertia_group = 0, last_inertia_group = 5;
  bool balance_inertia = false;
  double least_mass = 0, least_inertia = 0;  // kg, kg m²
  std::optional<double> total_mass;          // kg
  bool exact_mesh_inertia = false;
  bool fit_box = false;
};

// <option> and its <flag>: what takes part in the motion.
struct MjcfFlags {
  bool equality = true, friction_loss = true, limits = true, contact = true, passive = true;
  bool gravity = true, filter_parent = true, actuation = true;
  bool all_pairs = true;     // contacts between all geoms that may touch
  bool listed_pairs = true;  // contacts of <contact><pair>
};

// The numbers of MuJoCo's soft constraints.
struct MjcfSolver {
  std::array<double, 2> solref = {0.02, 1};
  std::array<double, 5> solimp = {0.9, 0.95, 0.001, 0.5, 2};

  bool operator==(const MjcfSolver& other) const = default;
};

// How a surface acts in contacts: geoms with equal ones share a material.
struct MjcfSurface {
  int dimension = 3;  // condim
  int priority = 0;
  double mix = 1;                                       // solmix
  std::array<double, 3> friction = {1, 0.005, 0.0001};  // sliding, torsional [m], rolling [m]
  MjcfSolver solver;

  bool operator==(const MjcfSurface& other) const = default;
};

// A geom that may touch others.
struct MjcfGeom {
  std::string name;                 // as in the file, may be empty
  int body = -1;                    // in ModelSpec::bodies, -1 is the world
  size_t index = 0;                 // of its shape there
  int mjcf_body = 0;                // in MjcfContext::bodies
  unsigned type = 1, affinity = 1;  // bits
  MjcfSurface surface;
  SourceLocation where;
};

// A body of the file; links between its joints are no bodies of the file.
struct MjcfBody {
  std::string name;
  int spec = -1;    // in ModelSpec::bodies, -1 is the world
  int parent = -1;  // in MjcfContext::bodies
  int weld = 0;     // the first body of those that are welded together: 0 is the world
  Pose X_WB;        // in the reference pose
};

// A named place of a body.
struct MjcfSite {
  int body = 0;  // in MjcfContext::bodies
  Pose X_BS;
};

// A joint of the file in the order of MuJoCo's coordinates.
struct MjcfJoint {
  int spec = -1;  // in ModelSpec::joints
  double reference = 0;
  std::array<double, 2> spring_damper = {0, 0};
  double spring_reference = 0;
  std::optional<MjcfSolver> soft_limit;
};

// Equalities that are soft: a loop joint, and a coupler of one or two lengths.
struct MjcfSoftLoop {
  size_t spec = 0;  // in ModelSpec::joints
  MjcfSolver solver;
  double torque_scale = 1;  // of a weld
};
struct MjcfSoftCoupler {
  size_t spec = 0;  // in ModelSpec::constraints
  MjcfSolver solver;
  std::vector<std::vector<JointTerm>> lengths;
};

// A mesh or height field, read when a geom needs it.
struct MjcfAsset {
  const XmlElement* element = nullptr;
  std::vector<const XmlElement*> defaults;
  std::optional<TriangleMesh> mesh;
  std::optional<HeightField> field;
  bool failed = false;
};

struct MjcfContext {
  std::filesystem::path folder;  // of the file
  ImportedModel out;
  ProblemList problems;
  MjcfCompiler compiler;
  MjcfFlags flags;
  MjcfDefaults defaults;
  std::map<std::string, MjcfAsset> meshes, fields;
  std::vector<MjcfBody> bodies;  // the world first
  std::vector<MjcfJoint> joints;
  std::vector<MjcfGeom> geoms;
  std::map<std::string, MjcfSite> sites;
  std::set<std::string> body_names, joint_names;  // taken
  std::set<std::string> paired_geoms;             // in <contact><pair>
  // Actuators in the order of MuJoCo's controls, and those of them that have an activation.
  std::vector<std::string> actuators, activated;
  std::set<std::string> left_out_tendons;
  std::map<std::string, MjcfSolver> soft_tendons;  // those with soft ends
  std::vector<MjcfSoftLoop> soft_loops;
  std::vector<MjcfSoftCoupler> soft_couplers;

  void Note(ImportNote::Kind kind, const SourceLocation& where, std::string element,
            std::string consequence);
  // One of many of which the same is to be said: they are told together, where the first stands.
  void NoteTogether(ImportNote::Kind kind, const SourceLocation& where, const std::string& element,
                    const std::string& consequence);
  // The same for an element that has no effect on the motion, with all that stands in it.
  void IgnoreElement(const XmlElement& element, const std::string& consequence);
  void AddTogetherNotes();

  // A reader of an element that takes values from the default class it names, or from `inherited`.
  XmlReader ReaderOf(const XmlElement& element, std::initializer_list<std::string_view> tags,
                     const std::string& inherited);

  const MjcfBody* FindBody(const std::string& name) const;
  const JointSpec* FindJoint(const std::string& name) const;
  // Where a hinge or slide stands in the file's pose, and where its spring is relaxed.
  double FindReference(const std::string& joint) const;
  double FindSpringReference(const std::string& joint) const;

  struct Together {
    ImportNote note;
    int count = 0;
  };
  std::map<std::string, Together> together;
};

// `base`, or with a number behind it if that is taken; takes it.
std::string TakeName(const std::string& base, std::set<std::string>* taken);

// mjcf_include.cc: the document with everything that it includes in its place.
XmlElement LoadMjcfDocument(const std::string& text, const std::string& file,
                            ProblemList* problems);

// mjcf_settings.cc
void ReadMjcfCompiler(const XmlElement& section, MjcfContext* context);
void ReadMjcfOption(const XmlElement& section, MjcfContext* context);

// mjcf_pose.cc: pos and one of quat, axisangle, xyaxes, zaxis, euler.
Pose ReadMjcfPose(const XmlReader& reader, const MjcfCompiler& compiler);
// The rotation that turns z to a direction by the shortest way, as MuJoCo chooses it.
Mat3 TurnZTo(const Vec3& direction);

// mjcf_assets.cc
void ReadMjcfAssets(const XmlElement& section, MjcfContext* context);
// The mesh or height field of that name, or nullptr, with a problem or a note.
const TriangleMesh* FindMjcfMesh(const std::string& name, const XmlReader& user,
                                 MjcfContext* context);
const HeightField* FindMjcfField(const std::string& name, const XmlReader& user,
                                 MjcfContext* context);

// Where the file of an asset is, and its ending in small letters.
std::filesystem::path FindMjcfAssetFile(std::filesystem::path file, const MjcfContext& context);
std::string LowerCaseMjcfEnding(const std::filesystem::path& path);
// mjcf_fields.cc
std::optional<HeightField> ReadMjcfHeightField(const XmlReader& reader, MjcfContext* context);

// mjcf_mesh_inertia.cc: what MuJoCo takes as the mass of a mesh with density 1 (per area for a
// shell), in the mesh's frame.
MassProperties CalcMjcfMeshMass(const TriangleMesh& mesh, bool exact, bool is_shell);
// Half the edges of the box with the same inertia and mass; axes as columns, longest edge last.
struct MjcfInertiaBox {
  Vec3 half = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};
MjcfInertiaBox FitInertiaBox(const MassProperties& mass);

// mjcf_bodies.cc
void ReadMjcfWorld(const XmlElement& section, MjcfContext* context);

// mjcf_joints.cc: the joints of one body, the last of which moves the body itself.
struct MjcfPlacedElement {
  const XmlElement* element = nullptr;
  Pose X_BE;              // the frame that it stands in, in the body
  std::string inherited;  // default class
};
void ReadMjcfJoints(const std::vector<MjcfPlacedElement>& joints, int body, const Pose& X_PB,
                    MjcfContext* context);

// mjcf_geoms.cc: adds the shape of a geom to its body (in MjcfContext::bodies), and its mass to
// *masses where it counts.
void ReadMjcfGeom(const MjcfPlacedElement& geom, int body, bool needs_mass,
                  std::vector<MassProperties>* masses, MjcfContext* context);
// The frame of a geom or site that is given by its two ends.
std::optional<Pose> ReadMjcfEnds(const XmlReader& reader, double* length);

// mjcf_inertia.cc
void SetMjcfBodyMass(const XmlElement* inertial, const std::vector<MassProperties>& masses,
                     BodySpec* body, MjcfContext* context);
void ScaleMjcfTotalMass(MjcfContext* context);

// mjcf_springs.cc: stiffness and damping of joints that are given by their time constants.
void SetMjcfSpringDampers(MjcfContext* context);

// mjcf_solver.cc: solref and solimp.
MjcfSolver ReadMjcfSolver(const XmlReader& reader, std::string_view solref,
                          std::string_view solimp);
// What takes the place of a soft constraint: rigid, or a spring and damper for a mass.
SpringDamper MapMjcfSolver(const MjcfSolver& solver, double mass);
bool IsSoftMjcf(const MjcfSolver& solver);
// mjcf_softness.cc: limits and equalities that are soft, for the mass that each moves.
void SetMjcfSoftness(MjcfContext* context);

// mjcf_contact.cc
void ReadMjcfSurface(const XmlReader& reader, MjcfSurface* surface);
void ReadMjcfContact(const std::vector<const XmlElement*>& sections, MjcfContext* context);

// mjcf_equality.cc
void ReadMjcfEquality(const XmlElement& section, MjcfContext* context);

// mjcf_tendons.cc: fixed tendons and their equalities.
// Adds a term to a sum; several of one joint are one.
void AddMjcfTerm(const std::string& joint, double factor, std::vector<JointTerm>* terms);
void ReadMjcfTendons(const XmlElement& section, MjcfContext* context);
void ReadMjcfTendonEquality(const XmlReader& reader, const MjcfSolver& solver,
                            MjcfContext* context);
// mjcf_equality.cc: l₁ − l₁⁰ = c₀ + c₁ x + … + c₄ x⁴ with x = l₂ − l₂⁰ and l⁰ the length in the
// reference pose; without terms of l₂, l₁ − l₁⁰ = c₀.
void AddMjcfCoupler(const XmlReader& reader, const std::string& fallback_name,
                    const std::vector<JointTerm>& first, const std::vector<JointTerm>& second,
                    const MjcfSolver& solver, MjcfContext* context);
// Two numbers under `range` where `limited`, or they themselves, say that they count.
std::optional<ValueRange> ReadMjcfRange(const XmlReader& reader, std::string_view limited,
                                        std::string_view range, MjcfContext* context);

// mjcf_actuators.cc
void ReadMjcfActuators(const XmlElement& section, MjcfContext* context);

// mjcf_keyframes.cc
void ReadMjcfKeyframes(const XmlElement& section, MjcfContext* context);

}  // namespace voigt
