#pragma once

#include <utility>

#include "voigt/base/errors.h"
#include "voigt/model/model.h"

namespace voigt {

// Turns a ModelSpec into a Model: checks everything, chooses the spanning tree, numbers bodies and
// degrees of freedom.
//
// The joints may form any graph. A breadth-first tree from the world is chosen in the order of the
// joints (JointSpec::tree overrides), the rest become loop joints; a joint that the tree passes
// from its child to its parent keeps its own coordinates and their signs.
class ModelBuilder {
 public:
  ModelBuilder() = default;
  explicit ModelBuilder(ModelSpec spec) : spec_(std::move(spec)) {}

  ModelBuilder& AddBody(BodySpec body);
  ModelBuilder& AddJoint(JointSpec joint);
  ModelSpec& spec() { return spec_; }

  // Every problem of the spec, each with the element it concerns.
  ProblemList Check() const;

  // Throws InputError with what Check() finds.
  Model Build() const;

 private:
  ModelSpec spec_;
};

}  // namespace voigt
