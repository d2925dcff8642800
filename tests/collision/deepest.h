#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "voigt/collision/manifold.h"

namespace voigt::testing {

inline ManifoldPoint Deepest(const Manifold& manifold) {
  if (manifold.empty()) {
    ADD_FAILURE() << "no points at all";
    return {};
  }
  return *std::min_element(
      manifold.begin(), manifold.end(),
      [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.phi < b.phi; });
}

}  // namespace voigt::testing
