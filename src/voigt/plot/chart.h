#pragma once

#include <string>
#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A line through points, or a closed and filled outline; a dot where it is too small to be seen.
struct Curve {
  std::string name;  // in the legend; empty for none
  std::vector<Vec2> points;
  std::string color;  // "#rrggbb"
  double width = 1.6;
  double opacity = 1;
  bool filled = false;
  bool dashed = false;
};

// Curves in one pair of axes.
struct Chart {
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  bool equal_scales = false;              // one metre is as long across as it is up
  bool log_y = false;                     // decades upwards; what is not above zero is not drawn
  std::vector<std::string> y_names = {};  // of y = 0, 1, … in place of numbers, where there are any
};

// Eight colours that stay apart for colour-blind readers too [Okabe & Ito 2008].
std::string ChartColor(int index);

// Somewhere between two colours: 0 is `from`, 1 is `to`.
std::string BlendColors(const std::string& from, const std::string& to, double fraction);

// The charts below one another, as an SVG document.
std::string ChartsToSvg(const std::string& title, const std::vector<Chart>& charts);

}  // namespace voigt
