#include "bench/peers/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "voigt/plot/markup_text.h"

namespace voigt::peers {
namespace {

constexpr double kWidth = 720, kHeight = 380, kLeft = 86, kRight = 150, kTop = 16, kBottom = 52;

// Whole decades along one axis, from `from` to `to` on the page.
struct DecadeAxis {
  int lowest = 0, highest = 1;
  double from = 0, to = 1;

  double Place(double value) const {
    return from + (std::log10(value) - lowest) / (highest - lowest) * (to - from);
  }
};

DecadeAxis MakeAxis(const std::vector<double>& values, double from, double to) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  DecadeAxis out;
  out.lowest = static_cast<int>(std::floor(std::log10(*least)));
  out.highest = std::max(out.lowest + 1, static_cast<int>(std::ceil(std::log10(*most))));
  out.from = from;
  out.to = to;
  return out;
}

std::string Text(double x, double y, const char* anchor, const std::string& text,
                 const std::string& more = "") {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"12\" {}>{}</text>\n", x, y,
      anchor, more, EscapeMarkup(text));
}

std::string Line(double x0, double y0, double x1, double y1, const char* color) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x0, y0, x1,
      y1, color);
}

std::string DrawGrid(const DecadeAxis& x, const DecadeAxis& y) {
  std::string out;
  const int every_y = std::max(1, (y.highest - y.lowest) / 8);
  for (int k = x.lowest; k <= x.highest; ++k) {
    const double at = x.Place(std::pow(10, k));
    out += Line(at, y.to, at, y.from, "#e3e6e9") +
           Text(at, y.from + 18, "middle", fmt::format("1e{}", k));
  }
  for (int k = y.lowest; k <= y.highest; k += every_y) {
    const double at = y.Place(std::pow(10, k));
    out += Line(x.from, at, x.to, at, "#e3e6e9") +
           Text(x.from - 8, at + 4, "end", fmt::format("1e{}", k));
  }
  return out;
}

// From the slowest to the fastest of the front, in steps: what lies above and to the right is
// beaten.
std::string DrawFront(std::vector<ScatterPoint> points, const DecadeAxis& x, const DecadeAxis& y) {
  std::erase_if(points, [](const ScatterPoint& p) { return !p.is_on_front; });
  std::sort(points.begin(), points.end(),
            [](const ScatterPoint& a, const ScatterPoint& b) { return a.x < b.x; });
  std::string path;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i > 0) path += fmt::format("H{:.1f}", x.Place(points[i].x));
    path += i == 0 ? fmt::format("M{:.1f} {:.1f}", x.Place(points[i].x), y.Place(points[i].y))
                   : fmt::format("V{:.1f}", y.Place(points[i].y));
  }
  if (points.size() < 2) return "";
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#9aa3ab\" stroke-dasharray=\"4 3\"/>\n",
                     path);
}

// Names stand beside their points, or above or below where another one stands already; never above
// the chart.
class LabelPlaces {
 public:
  // How far up or down the text at (x, y) has to go.
  double Find(double x, double y, const std::string& text) {
    const double width = 7.0 * static_cast<double>(text.size());
    double shift = 0;
    for (int k = 0; k < 20; ++k) {
      shift = (k % 2 == 0 ? 1 : -1) * kLine * static_cast<double>((k + 1) / 2);
      const auto hits = [&](const Place& other) {
        return std::abs(other.y - y - shift) < kLine && x < other.x + other.width &&
               other.x < x + width;
      };
      if (y + shift > kLine && std::none_of(places_.begin(), places_.end(), hits)) break;
    }
    places_.push_back({x, y + shift, width});
    return shift;
  }

 private:
  static constexpr double kLine = 13;
  struct Place {
    double x, y, width;
  };
  std::vector<Place> places_;
};

}  // namespace

std::string ScatterToSvg(const Scatter& scatter) {
  if (scatter.points.empty()) return "";
  std::vector<ScatterPoint> points = scatter.points;
  std::vector<double> xs, ys;
  for (ScatterPoint& point : points) {
    point.y = std::max(point.y, scatter.least_y);
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
  const DecadeAxis x = MakeAxis(xs, kLeft, kWidth - kRight);
  const DecadeAxis y = MakeAxis(ys, kHeight - kBottom, kTop);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" fill=\"#1c2024\">\n",
      kWidth, kHeight);
  out += DrawGrid(x, y) + DrawFront(points, x, y);
  LabelPlaces labels;
  for (const ScatterPoint& point : points) {
    const double px = x.Place(point.x), py = y.Place(point.y);
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", px, py,
                       point.is_on_front ? 6 : 4.5, point.color);
    const double shift = labels.Find(px + 9, py + 4, point.name);
    if (shift != 0) out += Line(px, py, px + 8, py + shift, "#c3c9ce");
    out += Text(px + 9, py + 4 + shift, "start", point.name,
                point.is_on_front ? "font-weight=\"bold\"" : "fill=\"#60686f\"");
  }
  out += Text(0.5 * (x.from + x.to), kHeight - 10, "middle", scatter.x_label);
  out += Text(0, 0, "middle", scatter.y_label,
              fmt::format("transform=\"translate(18 {}) rotate(-90)\"", 0.5 * (y.from + y.to)));
  return out + "</svg>\n";
}

}  // namespace voigt::peers
