#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

MassProperties ReadMjcfInertial(const XmlElement& element, MjcfContext* context) {
  const XmlReader reader(element, &context->problems);
  const Pose X_BI = ReadMjcfPose(reader, context->compiler);
  MassProperties mass;
  mass.mass = reader.RequiredNumber("mass", 0);
  mass.inertia = reader.Vector("diaginertia", Vec3::Zero()).asDiagonal();
  const std::vector<double> full = reader.Numbers("fullinertia", 6, 6);
  if (!full.empty()) {
    mass.inertia << full[0], full[3], full[4],  //
        full[3], full[1], full[5],              //
        full[4], full[5], full[2];
  }
  if (!reader.Has("pos")) reader.Fail("'pos' is missing, expected the centre of mass");
  return Transform(X_BI, mass);
}

// Least values and moments that no body can have, as the compiler's settings ask.
void CorrectMjcfMass(const MjcfCompiler& compiler, MassProperties* mass) {
  mass->mass = std::max(mass->mass, compiler.least_mass);
  PrincipalInertia principal = CalcPrincipalInertia(mass->inertia);
  Vec3& moments = principal.moments;
  const Vec3 given = moments;
  moments = moments.cwiseMax(compiler.least_inertia);
  if (compiler.balance_inertia && 2 * moments.maxCoeff() > moments.sum()) {
    moments.setConstant(moments.sum() / 3);
  }
  if (moments == given) return;
  mass->inertia = principal.axes * moments.asDiagonal() * principal.axes.transpose();
}

}  // namespace

void SetMjcfBodyMass(const XmlElement* inertial, const std::vector<MassProperties>& masses,
                     BodySpec* body, MjcfContext* context) {
  using Source = MjcfCompiler::InertiaSource;
  const MjcfCompiler& compiler = context->compiler;
  MassProperties mass;
  if (inertial != nullptr) mass = ReadMjcfInertial(*inertial, context);
  const bool from_geoms = compiler.inertia_source == Source::kGeoms ||
                          (compiler.inertia_source == Source::kAuto && inertial == nullptr);
  // Where no geom counts, what is given stays.
  if (from_geoms && !masses.empty()) {
    double total = 0;
    for (const MassProperties& part : masses) total += part.mass;
    mass = total > 0 ? Combine(masses) : masses[0];
  }
  CorrectMjcfMass(compiler, &mass);
  body->mass = mass;
  const bool has_inertia = mass.inertia.cwiseAbs().maxCoeff() > 0;
  if (mass.mass == 0) {
    body->mass_source = MassSource::kMassless;
    if (has_inertia) {
      context->Note(ImportNote::Kind::kUnsupported, body->where,
                    fmt::format("body '{}'", body->name), "inertia without a mass is left out");
    }
  } else {
    body->mass_source = has_inertia ? MassSource::kExplicit : MassSource::kPoint;
  }
}

void ScaleMjcfTotalMass(MjcfContext* context) {
  if (!context->compiler.total_mass) return;
  double total = 0;
  for (const BodySpec& body : context->out.spec.bodies) total += body.mass.mass;
  if (!(total > 0)) return;
  const double factor = *context->compiler.total_mass / total;
  for (BodySpec& body : context->out.spec.bodies) {
    body.mass.mass *= factor;
    body.mass.inertia *= factor;
  }
}

}  // namespace voigt
