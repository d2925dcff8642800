#pragma once

#include <string>

namespace voigt::testing {

// A scene as text in which nothing can bring energy in: solids that fall on the ground and on each
// other, chains and trees of links on joints, chains between two pins that close loops. All shapes,
// all laws of contact, with and without friction; bodies up to ten thousand times as long as thick,
// masses up to a million to one, steps from 10 µs to 0.1 s, `steps` of them. The same seed gives
// the same scene.
struct PassiveScene {
  std::string text;
  std::string description;
};

enum class PassiveKind { kSolids, kTree, kLoop };

// `formulation`: as scenes name it.
PassiveScene MakePassiveScene(int seed, PassiveKind kind, const std::string& formulation,
                              int steps = 200);

}  // namespace voigt::testing
