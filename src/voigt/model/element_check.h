#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/model/model_spec.h"
#include "voigt/model/spec_checks.h"

// What checks of elements share.
namespace voigt {

// One element and what is wrong with it.
class ElementCheck {
 public:
  ElementCheck(const SourceLocation& where, std::string element, ProblemList* problems)
      : where_(where), element_(std::move(element)), problems_(problems) {}

  void Fail(std::string message) const { problems_->Add(where_, element_, std::move(message)); }

  void Finite(double value, std::string_view what) const {
    if (!std::isfinite(value)) Fail(fmt::format("{} = {}, expected a finite number", what, value));
  }
  void Finite(const Vec3& value, std::string_view what) const {
    if (!value.allFinite()) {
      Fail(fmt::format("{} = [{}, {}, {}], expected finite numbers", what, value[0], value[1],
                       value[2]));
    }
  }
  void Positive(double value, std::string_view what) const {
    if (std::isfinite(value) && value > 0) return;
    Fail(fmt::format("{} = {}, expected a positive number", what, value));
  }
  void Direction(const Vec3& value, std::string_view what) const {
    if (value.allFinite() && value.stableNorm() > 1e-12) return;
    Fail(fmt::format("{} = [{}, {}, {}], expected a direction that is not zero", what, value[0],
                     value[1], value[2]));
  }
  void Constant(const TimeFunction& function, std::string_view what) const {
    if (function.is_constant()) Finite(function.constant(), what);
  }
  template <typename Functions>
  void Constants(const Functions& functions, std::string_view what) const {
    for (const TimeFunction& function : functions) Constant(function, what);
  }
  // One value for all degrees of freedom or one for each; none where `optional`.
  template <typename List>
  void Size(const List& list, int nv, std::string_view what, bool one_for_all,
            bool optional) const {
    if (list.size() == static_cast<size_t>(nv) || (one_for_all && list.size() == 1)) return;
    if (optional && list.empty()) return;
    Fail(fmt::format("{} has {} values, expected {}{}", what, list.size(),
                     one_for_all && nv > 1 ? "1 or " : "", nv));
  }
  void PositiveOrInfinite(const std::vector<double>& list, std::string_view what) const {
    for (double value : list) {
      if (!(value > 0)) Fail(fmt::format("{} = {}, expected a positive number", what, value));
    }
  }

  // Infinite stiffness is rigid.
  void Compliance(double stiffness, double damping, std::string_view prefix = "") const {
    if (!(stiffness >= 0)) {
      Fail(fmt::format("{}stiffness = {}, expected a number ≥ 0", prefix, stiffness));
    }
    if (!(std::isfinite(damping) && damping >= 0)) {
      Fail(fmt::format("{}damping = {}, expected a finite number ≥ 0", prefix, damping));
    }
    if (stiffness == 0 && damping == 0) {
      Fail(fmt::format("{0}stiffness and {0}damping are both 0: it would do nothing", prefix));
    }
    if (stiffness == kInfinity && damping > 0) {
      Fail(
          fmt::format("{0}damping without {0}stiffness: what is rigid has none; give a stiffness, "
                      "0 for a mere damper",
                      prefix));
    }
  }

 private:
  const SourceLocation& where_;
  std::string element_;
  ProblemList* problems_;
};

// Names of a model, to look up what elements refer to.
struct ElementNames {
  explicit ElementNames(const ModelSpec& spec) : bodies(BodyNames(spec)) {
    for (const JointSpec& joint : spec.joints) joints[joint.name] = joint.type;
  }

  void Body(const ElementCheck& check, const std::string& name) const {
    if (!bodies.contains(name)) check.Fail(fmt::format("body '{}' does not exist", name));
  }
  void Point(const ElementCheck& check, const PointOnBody& point) const {
    Body(check, point.body);
    check.Finite(point.point, "point");
  }
  void TwoPoints(const ElementCheck& check, const PointOnBody& A, const PointOnBody& B) const {
    Point(check, A);
    Point(check, B);
    TwoBodies(check, A.body, B.body);
  }
  void TwoBodies(const ElementCheck& check, const std::string& A, const std::string& B) const {
    if (A == B) check.Fail(fmt::format("connects body '{}' with itself", A));
  }
  const JointType* Joint(const ElementCheck& check, const std::string& name) const {
    const auto joint = joints.find(name);
    if (joint != joints.end()) return &joint->second;
    check.Fail(fmt::format("joint '{}' does not exist", name));
    return nullptr;
  }
  // The type of a joint with scalar coordinates; reports others.
  const JointType* ScalarJoint(const ElementCheck& check, const std::string& name) const {
    const JointType* const type = Joint(check, name);
    if (type == nullptr || (DofCount(*type) > 0 && !HasQuaternion(*type))) return type;
    check.Fail(
        fmt::format("joint '{}': a {} joint has no scalar coordinates", name, ToString(*type)));
    return nullptr;
  }

  std::unordered_set<std::string> bodies;
  std::unordered_map<std::string, JointType> joints;
};

// Terms of a sum over joints: each names a joint, with scalar coordinates if `scalar_only`.
void CheckTerms(const ElementCheck& check, const ElementNames& names,
                const std::vector<JointTerm>& terms, bool scalar_only);

}  // namespace voigt
