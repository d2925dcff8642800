#include "apps/voigt/vocabulary.h"

namespace voigt {
namespace {

WordGroup ListFormulations() {
  return {"formulations",
          "formulations (simulation.formulation, --formulation)",
          {{"compliant", "any stiffness up to rigid, exact friction cone: the default"},
           {"stabilized-lcp", "polyhedral cones in fixed directions, Lemke's pivoting"},
           {"mlcp-lemke", "polyhedral cones aligned with the slip, Lemke's pivoting"},
           {"mlcp-fb-rlm", "the same by Fischer–Burmeister and Levenberg–Marquardt, regular"},
           {"mlcp-fb-plm", "the same, projected"},
           {"mncp-rlm", "exact cone, implicit complementarity, Levenberg–Marquardt, regular"},
           {"mncp-plm", "the same, projected"},
           {"max-dissipation", "exact cone, least energy by convex programs, no complementarity"},
           {"compliant-qcqp", "compliant as it was printed, by least forces: for study"},
           {"working", "friction from reactions of joints, on accelerations; event-driven alone"}}};
}

WordGroup ListFrictionModes() {
  return {"friction_modes",
          "friction modes (simulation.friction, --friction)",
          {{"coulomb", "the implicit Coulomb law, with the normal force of the same step"},
           {"lagged", "bounded by the normal force of the step before: one convex program"},
           {"cone", "the cone itself in one convex program; sliding opens gaps of h μ |v|"}}};
}

WordGroup ListIntegrators() {
  return {"integrators",
          "integrators (simulation.integrator, --integrator)",
          {{"semi-implicit-euler", "time stepping with contact and constraints, any step"},
           {"rk4", "Runge–Kutta of order 4, trees without constraints"},
           {"adaptive", "a reference of high accuracy, trees without constraints"},
           {"event-driven", "each impact at its time, high accuracy between; rigid contact"}}};
}

WordGroup ListJoints() {
  return {"joints",
          "joints (joints[].type)",
          {{"fixed", "no motion"},
           {"revolute", "angle about an axis"},
           {"prismatic", "displacement along an axis"},
           {"screw", "angle about an axis with a rise along it"},
           {"cylindrical", "angle about an axis and displacement along it"},
           {"universal", "angles about two perpendicular axes"},
           {"planar", "two displacements in a plane and the angle about its normal"},
           {"ball", "any rotation"},
           {"free", "any motion"}}};
}

WordGroup ListShapes() {
  return {"shapes",
          "shapes (geometry[].shape)",
          {{"sphere", "radius"},
           {"box", "size along x, y, z"},
           {"capsule", "radius, and length of its cylinder along z"},
           {"cylinder", "radius, and length along z"},
           {"ellipsoid", "semi-axes along x, y, z"},
           {"half-space", "all points with z ≤ 0"},
           {"hull", "the convex hull of points"},
           {"mesh", "triangles, inline or from an STL or OBJ file"},
           {"points", "points that touch half-spaces"},
           {"foundation", "a rectangle of springs that touch half-spaces"},
           {"height-field", "ground by heights on a grid, inline or from a file"}}};
}

WordGroup ListMaterialLaws() {
  return {"material_laws",
          "normal laws of materials (materials[].law)",
          {{"rigid", "no overlap"},
           {"linear", "stiffness times depth, with damping"},
           {"hertz", "stiffness times depth^(3/2), or Young's modulus"},
           {"hunt_crossley", "Hertz with dissipation"}}};
}

WordGroup ListConstraints() {
  return {"constraints",
          "constraints (constraints[].type)",
          {{"distance", "between two points: a rod, a rope or a least distance"},
           {"point-on-line", "a point stays on a line"},
           {"point-on-circle", "a point stays on a circle"},
           {"point-in-plane", "a point stays in a plane or on one side of it"},
           {"coupler", "a weighted sum of joint coordinates is constant: gears"},
           {"lock", "a joint holds still"},
           {"rolling", "a ball or disc rolls on a plane without slip"},
           {"knife-edge", "a point does not move sideways"},
           {"constant-speed", "a weighted sum of joint rates follows a function of t"},
           {"prescribed-point", "a point follows three functions of t"}}};
}

WordGroup ListLoads() {
  return {"loads",
          "loads (loads[], by what they name)",
          {{"body", "a force at a point of a body and a torque, functions of t"},
           {"joint", "a force or torque on each rate of a joint, functions of t"}}};
}

WordGroup ListDrives() {
  return {"drives",
          "drives (drives[].type)",
          {{"servo", "spring and damper to a target, within a force limit"},
           {"motor", "holds a rate, within a force limit"},
           {"prescribed", "where the joint is as functions of t, rotations by their vectors"}}};
}

WordGroup ListActuators() {
  return {"actuators",
          "actuators (actuators[].type)",
          {{"motor", "its input is a force or torque"},
           {"position", "spring and damper to its input"},
           {"velocity", "holds the rate that is its input"},
           {"general", "gain and bias, affine in length and velocity"}}};
}

}  // namespace

std::vector<WordGroup> ListVocabulary() {
  return {ListFormulations(), ListFrictionModes(), ListIntegrators(), ListJoints(),
          ListShapes(),       ListMaterialLaws(),  ListConstraints(), ListLoads(),
          ListDrives(),       ListActuators()};
}

}  // namespace voigt
