#include "voigt/model/spec_checks.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <unordered_map>

namespace voigt {
namespace {

bool IsRotation(const Mat3& R) {
  return R.allFinite() && (R * R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-9 &&
         R.col(0).cross(R.col(1)).dot(R.col(2)) > 0;
}

template <typename Spec>
void CheckUniqueNames(const std::vector<Spec>& specs, std::string_view kind,
                      ProblemList* problems) {
  std::unordered_map<std::string, int> first;
  for (size_t i = 0; i < specs.size(); ++i) {
    const Spec& spec = specs[i];
    const std::string element = fmt::format("{} {}", kind, i);
    if (spec.name.empty()) {
      problems->Add(spec.where, element, "has no name");
    } else if (spec.name == "world") {
      problems->Add(spec.where, element, "'world' is the name of the fixed ground, choose another");
    } else if (const auto [entry, is_new] = first.try_emplace(spec.name, static_cast<int>(i));
               !is_new) {
      problems->Add(spec.where, element,
                    fmt::format("name '{}' is taken by {} {}", spec.name, kind, entry->second));
    }
  }
}

}  // namespace

std::string Describe(const BodySpec& body) { return fmt::format("body '{}'", body.name); }

std::string Describe(const JointSpec& joint) { return fmt::format("joint '{}'", joint.name); }

std::string Describe(const Geometry& geometry, const std::string& owner) {
  return fmt::format("{}, {}{}", owner, ShapeName(geometry.shape),
                     geometry.name.empty() ? "" : " '" + geometry.name + "'");
}

void CheckPose(const Pose& X, const SourceLocation& where, const std::string& element,
               std::string_view what, ProblemList* problems) {
  if (!X.p.allFinite())
    problems->Add(where, element, fmt::format("{} has a non-finite position", what));
  if (!IsRotation(X.R)) problems->Add(where, element, fmt::format("{} is not a rotation", what));
}

std::unordered_set<std::string> BodyNames(const ModelSpec& spec) {
  std::unordered_set<std::string> names = {"world"};
  for (const BodySpec& body : spec.bodies) names.insert(body.name);
  return names;
}

void CheckNames(const ModelSpec& spec, ProblemList* problems) {
  CheckUniqueNames(spec.bodies, "body", problems);
  CheckUniqueNames(spec.joints, "joint", problems);
  CheckUniqueNames(spec.tendons, "tendon", problems);
  CheckUniqueNames(spec.actuators, "actuator", problems);
}

void CheckEnds(const ModelSpec& spec, ProblemList* problems) {
  const auto bodies = BodyNames(spec);
  for (const JointSpec& joint : spec.joints) {
    const std::string element = Describe(joint);
    for (const std::string* end : {&joint.parent, &joint.child}) {
      if (bodies.contains(*end)) continue;
      problems->Add(joint.where, element,
                    fmt::format("{} body '{}' does not exist",
                                end == &joint.parent ? "parent" : "child", *end));
    }
    if (joint.parent == joint.child) {
      problems->Add(joint.where, element,
                    fmt::format("connects body '{}' with itself", joint.parent));
    }
  }
}

}  // namespace voigt
