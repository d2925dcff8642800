#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A weighted sum of joints that is held, such as gears or a rack: φ = Σ aᵢ qᵢ − offset; or a cam, φ
// = Σ aᵢ qᵢ − offset − p(x) with the polynomial p of an argument x = Σ bᵢ qᵢ − zero.
//
// Angles of loop joints are known up to full turns. Where those joints' factors are multiples of
// some number g (as tooth counts are), φ is known up to 2π g and taken as the smallest: the
// coupling then holds over any number of turns. Where they are not, and for cams, angles are those
// within half a turn of zero.
std::shared_ptr<const Constraint> MakeCoupler(const Model& model, const ConstraintSpec& spec,
                                              const CouplerSpec& kind);

}  // namespace voigt
