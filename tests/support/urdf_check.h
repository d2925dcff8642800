#pragma once

#include <set>
#include <string>

#include "voigt/io/urdf.h"
#include "voigt/model/model_builder.h"

namespace voigt::testing {

// What a robot that was read may never have; empty if all is well.
inline std::string DescribeRobotDefect(const ImportedModel& model) {
  std::set<std::string> links = {"world"};
  for (const BodySpec& body : model.spec.bodies) links.insert(body.name);
  for (const JointSpec& joint : model.spec.joints) {
    if (!links.contains(joint.parent) || !links.contains(joint.child)) return "a joint is loose";
    if (!joint.X_PF.p.allFinite() || !joint.X_PF.R.allFinite()) return "a joint is nowhere";
  }
  for (const ImportNote& note : model.notes) {
    if (note.element.empty() || note.consequence.empty()) return "a note says nothing";
  }
  // Whatever else is wrong is found and said.
  const ProblemList problems = ModelBuilder(model.spec).Check();
  for (const Problem& problem : problems.problems()) {
    if (problem.message.empty()) return "a problem of the model says nothing";
  }
  return "";
}

// Reads any bytes: they are a robot or a problem that says something.
inline std::string DescribeUrdfDefect(const std::string& text) {
  try {
    return DescribeRobotDefect(ParseUrdf(text, "fuzz.urdf"));
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      if (problem.message.empty()) return "a problem says nothing";
    }
    return error.problems().empty() ? "no problem is named" : "";
  }
}

}  // namespace voigt::testing
