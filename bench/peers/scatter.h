#pragma once

#include <string>
#include <vector>

namespace voigt::peers {

// Points with names in a plane with decades along both axes, as an SVG element. Values of zero
// stand at `least_y`; a line joins the points that no other one beats in both.
struct ScatterPoint {
  std::string name;
  double x = 0, y = 0;
  std::string color;
  bool is_on_front = false;
};

struct Scatter {
  std::string x_label, y_label;
  double least_y = 1e-16;
  std::vector<ScatterPoint> points;
};

std::string ScatterToSvg(const Scatter& scatter);

}  // namespace voigt::peers
