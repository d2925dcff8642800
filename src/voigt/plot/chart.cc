#include "voigt/plot/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "voigt/plot/markup_text.h"

namespace voigt {
namespace {

// Sizes in pixels.
constexpr double kWidth = 920, kChartHeight = 320, kSquareHeight = 560;
constexpr double kLeft = 86, kRight = 24, kTop = 34, kBottom = 52, kHeader = 44;
constexpr double kLegendLine = 20;
// Curves smaller than this are drawn as dots of this radius.
constexpr double kLeastExtent = 1, kDotRadius = 2;

struct Range {
  double low = 0, high = 1;
  double Size() const { return high - low; }
};

// A rectangle of the page with the ranges drawn in it.
struct Frame {
  double x0, y0, width, height;
  Range x, y;

  double MapX(double value) const { return x0 + (value - x.low) / x.Size() * width; }
  double MapY(double value) const { return y0 + height - (value - y.low) / y.Size() * height; }
};

// 1, 2 or 5 times a power of ten, such that about `count` of them fill the range.
double TickStep(double size, int count) {
  const double raw = size / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

// The multiples of the step in a range, those at the very ends included.
std::vector<double> Ticks(const Range& range, double step) {
  std::vector<double> out;
  const double first = std::ceil(range.low / step - 1e-6), last = range.high / step + 1e-6;
  for (double i = first; i <= last; ++i) out.push_back(i == 0 ? 0 : i * step);
  return out;
}

// As many digits as tell neighbouring ticks apart.
std::string TickText(double value, double step) {
  const double ratio = std::max(1.0, std::abs(value) / step);
  return fmt::format("{:.{}g}", value, std::max(6, 2 + static_cast<int>(std::log10(ratio))));
}

// Of a decade, given its exponent.
std::string DecadeText(double exponent) {
  return exponent == 0 ? "1" : fmt::format("1e{:g}", exponent);
}

std::string NameTick(const Chart& chart, double y, double step) {
  if (chart.log_y) return DecadeText(y);
  if (chart.y_names.empty()) return TickText(y, step);
  const bool has_name = y >= 0 && y < static_cast<double>(chart.y_names.size());
  return has_name ? chart.y_names[static_cast<size_t>(y)] : std::string();
}

// Not NaN, and small enough for ranges to be computed.
bool IsDrawable(double value) { return std::abs(value) < 1e300; }

Range Extent(const Chart& chart, int axis) {
  Range range{kInfinity, -kInfinity};
  for (const Curve& curve : chart.curves) {
    for (const Vec2& point : curve.points) {
      if (!IsDrawable(point[axis])) continue;
      range.low = std::min(range.low, point[axis]);
      range.high = std::max(range.high, point[axis]);
    }
  }
  if (range.low > range.high) return {0, 1};
  // A constant still needs some height; noise below 1e-9 of the value is not blown up.
  const double least = 1e-9 * std::max(std::abs(range.low), std::abs(range.high));
  if (range.Size() <= least) {
    const double pad = std::max(0.5 * std::abs(range.low), 0.5);
    return {range.low - pad, range.high + pad};
  }
  return range;
}

// The same chart with decades for numbers, to be drawn like any other.
Chart TakeLogarithms(Chart chart) {
  for (Curve& curve : chart.curves) {
    for (Vec2& point : curve.points) point[1] = point[1] > 0 ? std::log10(point[1]) : kNaN;
  }
  return chart;
}

Range WholeDecades(const Range& range) {
  const double low = std::floor(range.low + 1e-9), high = std::ceil(range.high - 1e-9);
  return {low, std::max(high, low + 1)};
}

Range Padded(const Range& range, double fraction) {
  return {range.low - fraction * range.Size(), range.high + fraction * range.Size()};
}

// Widens one range about its middle until both axes have the same scale.
void EqualizeScales(Frame* frame) {
  const double per_pixel =
      std::max(frame->x.Size() / frame->width, frame->y.Size() / frame->height);
  const auto widen = [&](Range* range, double pixels) {
    const double middle = 0.5 * (range->low + range->high);
    *range = {middle - 0.5 * per_pixel * pixels, middle + 0.5 * per_pixel * pixels};
  };
  widen(&frame->x, frame->width);
  widen(&frame->y, frame->height);
}

void AppendText(double x, double y, const std::string& style, const std::string& text,
                std::string* svg) {
  *svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style,
                      EscapeMarkup(text));
}

void AppendAxes(const Frame& frame, const Chart& chart, std::string* svg) {
  const double bottom = frame.y0 + frame.height, right = frame.x0 + frame.width;
  const double x_step = TickStep(frame.x.Size(), 8);
  const double y_step = std::max(TickStep(frame.y.Size(), 6), chart.log_y ? 1.0 : 0.0);
  for (double x : Ticks(frame.x, x_step)) {
    const double px = frame.MapX(x);
    *svg +=
        fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", px, frame.y0, bottom);
    AppendText(px, bottom + 17, "text-anchor=\"middle\"", TickText(x, x_step), svg);
  }
  for (double y : chart.y_names.empty() ? Ticks(frame.y, y_step) : Ticks(frame.y, 1)) {
    const double py = frame.MapY(y);
    *svg +=
        fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", frame.x0, py, right);
    AppendText(frame.x0 - 8, py + 4, "text-anchor=\"end\"", NameTick(chart, y, y_step), svg);
  }
  *svg += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"frame\"/>\n",
      frame.x0, frame.y0, frame.width, frame.height);
  AppendText(frame.x0 + frame.width / 2, bottom + 38, "text-anchor=\"middle\"", chart.x_label, svg);
  const double middle = frame.y0 + frame.height / 2;
  AppendText(18, middle,
             fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 18 {:.1f})\"", middle),
             chart.y_label, svg);
}

void AppendDot(const Vec2& pixel, const Curve& curve, std::string* svg) {
  *svg += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" fill-opacity=\"{:.3f}\"/>\n",
      pixel[0], pixel[1], kDotRadius, curve.color, curve.opacity);
}

void AppendCurve(const Frame& frame, const Curve& curve, std::string* svg) {
  std::string path;
  Vec2 low(kInfinity, kInfinity), high = -low;
  bool pen_down = false;
  Vec2 last(kInfinity, kInfinity);
  for (size_t i = 0; i < curve.points.size(); ++i) {
    const Vec2& point = curve.points[i];
    if (!IsDrawable(point[0]) || !IsDrawable(point[1])) {
      pen_down = false;
      continue;
    }
    const Vec2 pixel(frame.MapX(point[0]), frame.MapY(point[1]));
    low = low.cwiseMin(pixel);
    high = high.cwiseMax(pixel);
    // Points closer than a third of a pixel would only make the file larger.
    if (pen_down && (pixel - last).norm() < 0.33 && i + 1 < curve.points.size()) continue;
    path += fmt::format("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', pixel[0], pixel[1]);
    pen_down = true;
    last = pixel;
  }
  if (path.empty()) return;
  // A path that goes nowhere leaves no trace.
  if ((high - low).maxCoeff() < kLeastExtent) return AppendDot(0.5 * (low + high), curve, svg);
  if (curve.filled) {
    *svg += fmt::format(
        "<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"{:.3f}\" stroke=\"{}\" "
        "stroke-opacity=\"{:.3f}\" stroke-width=\"{:.2f}\"/>\n",
        path, curve.color, 0.35 * curve.opacity, curve.color, curve.opacity, curve.width);
  } else {
    *svg += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{:.3f}\" "
        "stroke-width=\"{:.2f}\" stroke-linejoin=\"round\"{}/>\n",
        path, curve.color, curve.opacity, curve.width,
        curve.dashed ? " stroke-dasharray=\"6 4\"" : "");
  }
}

// Legend entries by lines. One line that leaves room for the title stands beside it, flush right;
// otherwise the lines stand below the title.
struct Legend {
  std::vector<std::vector<const Curve*>> lines;
  bool beside_title = true;
  double ExtraHeight() const { return beside_title ? 0 : kLegendLine * lines.size(); }
};

double LegendWidth(const Curve& curve) { return 40 + 7.2 * curve.name.size(); }

Legend LayOutLegend(const Chart& chart) {
  Legend legend;
  const double page = kWidth - kLeft - kRight;
  double line_width = kInfinity, total = 0;
  for (const Curve& curve : chart.curves) {
    if (curve.name.empty()) continue;
    const double width = LegendWidth(curve);
    if (line_width + width > page) {
      legend.lines.emplace_back();
      line_width = 0;
    }
    legend.lines.back().push_back(&curve);
    line_width += width;
    total += width;
  }
  legend.beside_title = total + 8.5 * chart.title.size() < page;
  return legend;
}

void AppendLegend(const Frame& frame, const Legend& legend, std::string* svg) {
  double y = frame.y0 - 10 - (legend.beside_title ? 0 : kLegendLine * (legend.lines.size() - 1));
  for (const auto& line : legend.lines) {
    double x = frame.x0;
    if (legend.beside_title) {
      x += frame.width;
      for (const Curve* curve : line) x -= LegendWidth(*curve);
    }
    for (const Curve* curve : line) {
      *svg += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"2.5\"{}/>\n",
                          x, y - 4, curve->color, curve->dashed ? " stroke-dasharray=\"6 4\"" : "");
      AppendText(x + 23, y, "", curve->name, svg);
      x += LegendWidth(*curve);
    }
    y += kLegendLine;
  }
}

}  // namespace

std::string ChartColor(int index) {
  constexpr std::array<const char*, 8> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#6b4fa0", "#444444"};
  return kColors[static_cast<size_t>(index) % kColors.size()];
}

std::string BlendColors(const std::string& from, const std::string& to, double fraction) {
  std::string out = "#";
  for (int channel = 0; channel < 3; ++channel) {
    const auto value = [&](const std::string& color) {
      return std::stoi(color.substr(1 + 2 * channel, 2), nullptr, 16);
    };
    out += fmt::format(
        "{:02x}",
        static_cast<int>(std::lround(value(from) + fraction * (value(to) - value(from)))));
  }
  return out;
}

std::string ChartsToSvg(const std::string& title, const std::vector<Chart>& charts) {
  double height = kHeader;
  std::string body;
  for (const Chart& given : charts) {
    const Chart chart = given.log_y ? TakeLogarithms(given) : given;
    const Legend legend = LayOutLegend(chart);
    const double top = kTop + legend.ExtraHeight();
    const double plot_height = (chart.equal_scales ? kSquareHeight : kChartHeight) - kTop - kBottom;
    Frame frame{kLeft,       height + top,     kWidth - kLeft - kRight,
                plot_height, Extent(chart, 0), Extent(chart, 1)};
    if (!chart.y_names.empty()) frame.y = {0, static_cast<double>(chart.y_names.size()) - 1};
    frame.y = chart.log_y ? WholeDecades(frame.y) : Padded(frame.y, 0.05);
    if (chart.equal_scales) {
      frame.x = Padded(frame.x, 0.05);
      EqualizeScales(&frame);
    }
    AppendAxes(frame, chart, &body);
    for (const Curve& curve : chart.curves) AppendCurve(frame, curve, &body);
    AppendText(kLeft, height + kTop - 10, "class=\"title\"", chart.title, &body);
    AppendLegend(frame, legend, &body);
    height += top + plot_height + kBottom;
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>text{{font:13px 'Helvetica Neue',Arial,sans-serif;fill:#333}}"
      ".title{{font-weight:600;fill:#111}}.head{{font-size:18px;font-weight:600;fill:#111}}"
      ".grid{{stroke:#e4e4e4;fill:none}}.frame{{stroke:#999;fill:none}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, height);
  AppendText(kLeft, 29, "class=\"head\"", title, &svg);
  return svg + body + "</svg>\n";
}

}  // namespace voigt
