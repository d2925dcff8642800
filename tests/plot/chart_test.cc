#include "voigt/plot/chart.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "tests/plot/svg.h"

namespace voigt {
namespace {

using testing::ParseSvg;
using testing::SvgElement;

// A document of charts, taken apart.
struct Drawing {
  explicit Drawing(const std::vector<Chart>& charts, const std::string& title = "Title")
      : svg(ChartsToSvg(title, charts)), elements(ParseSvg(svg)) {}

  std::vector<SvgElement> Find(const std::string& name, const std::string& css_class) const {
    std::vector<SvgElement> out;
    for (const SvgElement& element : elements) {
      const auto found = element.attributes.find("class");
      if (element.name == name &&
          (found == element.attributes.end() ? "" : found->second) == css_class) {
        out.push_back(element);
      }
    }
    return out;
  }

  SvgElement Frame() const { return Find("rect", "frame").at(0); }

  // The text element that says this.
  SvgElement Text(const std::string& text) const {
    for (const SvgElement& element : elements) {
      if (element.name == "text" && element.text == text) return element;
    }
    throw std::runtime_error("no text " + text);
  }

  // Curves, in the order of the charts, without grid and legend.
  std::vector<std::string> CurvePaths() const {
    std::vector<std::string> out;
    for (const SvgElement& element : Find("path", "")) {
      if (element.attributes.contains("stroke-opacity")) out.push_back(element.attributes.at("d"));
    }
    return out;
  }

  // Labels of the ticks below (text-anchor middle) or left of (end) the first frame.
  std::vector<std::string> Ticks(const std::string& anchor) const {
    std::vector<std::string> out;
    for (const SvgElement& element : Find("text", "")) {
      const auto found = element.attributes.find("text-anchor");
      if (found == element.attributes.end() || found->second != anchor) continue;
      if (element.text.find_first_not_of("0123456789+-.e") == std::string::npos) {
        out.push_back(element.text);
      }
    }
    return out;
  }

  std::string svg;
  std::vector<SvgElement> elements;
};

std::vector<Vec2> Points(const std::string& path) {
  std::vector<Vec2> out;
  std::string numbers = path;
  for (char& c : numbers) {
    if (c == 'M' || c == 'L' || c == 'Z') c = ' ';
  }
  std::istringstream in(numbers);
  for (double x, y; in >> x >> y;) out.emplace_back(x, y);
  return out;
}

Chart MakeChart(const std::vector<Vec2>& points, const std::string& name = "curve") {
  Curve curve;
  curve.name = name;
  curve.points = points;
  curve.color = "#0072b2";
  return {"Chart", "time [s]", "height [m]", {curve}, false};
}

TEST(ParseSvg, NoticesWhatIsNotWellFormed) {
  EXPECT_EQ(ParseSvg("<a x=\"1\"><b/>t &amp; u</a>\n").size(), 2u);
  for (const char* bad :
       {"", "<a>", "<a></b>", "<a><b></a></b>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>",
        "<a x=\"&\"/>", "<a/><b/>", "<a/>text", "<a x=\"<\"/>", "<a", "<a>\x01</a>"}) {
    EXPECT_THROW(ParseSvg(bad), std::runtime_error) << bad;
  }
}

TEST(Charts, SayWhatTheyShow) {
  const Drawing d({MakeChart({{0, 0}, {1, 1}})}, "A run");
  EXPECT_EQ(d.elements[0].name, "svg");
  EXPECT_EQ(d.elements[0].attributes.at("xmlns"), "http://www.w3.org/2000/svg");
  EXPECT_EQ(d.Text("A run").attributes.at("class"), "head");
  EXPECT_EQ(d.Text("Chart").attributes.at("class"), "title");
  EXPECT_EQ(d.Text("time [s]").attributes.at("text-anchor"), "middle");
  EXPECT_NE(d.Text("height [m]").attributes.at("transform").find("rotate(-90"), std::string::npos);
  EXPECT_NO_THROW(d.Text("curve"));
}

TEST(Charts, EscapeTheirTexts) {
  Chart chart = MakeChart({{0, 0}, {1, 1}}, "a<b>&c");
  chart.title = "<script>";
  chart.x_label = "x & y";
  chart.y_label = "\"q\" 'r' > s\x01\x1f";
  const Drawing d({chart}, "R&D <1>");
  EXPECT_NO_THROW(d.Text("R&amp;D &lt;1&gt;"));
  EXPECT_NO_THROW(d.Text("a&lt;b&gt;&amp;c"));
  EXPECT_NO_THROW(d.Text("&lt;script&gt;"));
  EXPECT_NO_THROW(d.Text("x &amp; y"));
  EXPECT_NO_THROW(d.Text("&quot;q&quot; 'r' &gt; s"));
}

TEST(Charts, StandBelowOneAnotherWithinThePage) {
  Chart motion = MakeChart({{0, 0}, {1, 1}});
  motion.equal_scales = true;
  const Drawing d({MakeChart({{0, 0}, {1, 1}}), motion, MakeChart({{0, 0}, {1, 1}})});
  const auto frames = d.Find("rect", "frame");
  ASSERT_EQ(frames.size(), 3u);
  const double width = d.elements[0].Number("width"), height = d.elements[0].Number("height");
  EXPECT_EQ(d.elements[0].attributes.at("viewBox"), fmt::format("0 0 {} {}", width, height));
  double bottom = 0;
  for (const SvgElement& frame : frames) {
    EXPECT_GT(frame.Number("y"), bottom);
    bottom = frame.Number("y") + frame.Number("height");
    EXPECT_LT(frame.Number("x") + frame.Number("width"), width);
  }
  EXPECT_LT(bottom, height);
}

TEST(Charts, FillTheFrameFromEdgeToEdge) {
  const Drawing d({MakeChart({{2, -1}, {3, 5}, {4, 3}})});
  const SvgElement frame = d.Frame();
  const double left = frame.Number("x"), width = frame.Number("width"), top = frame.Number("y"),
               height = frame.Number("height");
  const auto points = Points(d.CurvePaths().at(0));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[0][0], left, 0.06);
  EXPECT_NEAR(points[1][0], left + width / 2, 0.06);
  EXPECT_NEAR(points[2][0], left + width, 0.06);
  // A margin of a twentieth of the range above and below, y upwards.
  EXPECT_NEAR(points[1][1], top + height * 0.05 / 1.1, 0.06);
  EXPECT_NEAR(points[0][1], top + height * 1.05 / 1.1, 0.06);
  EXPECT_NEAR(points[2][1], top + height * (0.05 + 2.0 / 6) / 1.1, 0.06);
}

TEST(Charts, TicksAreRoundNumbersIncludingTheEnds) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(Drawing({MakeChart({{0, 0}, {1, 1}})}).Ticks("middle"),
            (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  // Sums of 0.05 pass 0.3 by a rounding error.
  EXPECT_EQ(Drawing({MakeChart({{0, 0}, {0.3, 1}})}).Ticks("middle"),
            (Labels{"0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3"}));
  EXPECT_EQ(Drawing({MakeChart({{-3, 0}, {4, 1}})}).Ticks("middle"),
            (Labels{"-3", "-2", "-1", "0", "1", "2", "3", "4"}));
  EXPECT_EQ(Drawing({MakeChart({{0, 0}, {7e6, 1}})}).Ticks("middle").at(1), "1e+06");
  // Close together far from zero, they are still told apart.
  EXPECT_EQ(Drawing({MakeChart({{1e6, 0}, {1e6 + 1, 1}})}).Ticks("middle"),
            (Labels{"1000000", "1000000.2", "1000000.4", "1000000.6", "1000000.8", "1000001"}));
}

TEST(Charts, LogarithmsAreDrawnByDecades) {
  Chart chart = MakeChart({{0, 1e-3}, {1, 1e-1}, {2, 0}, {3, -1}, {4, 1e-2}});
  chart.log_y = true;
  const Drawing d({chart});
  EXPECT_EQ(d.Ticks("end"), (std::vector<std::string>{"1e-3", "1e-2", "1e-1"}));
  const SvgElement frame = d.Frame();
  const double top = frame.Number("y"), height = frame.Number("height");
  const std::string path = d.CurvePaths().at(0);
  const auto points = Points(path);
  ASSERT_EQ(points.size(), 3u) << "what is not above zero is left out";
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
  EXPECT_NEAR(points[0][1], top + height, 0.06);
  EXPECT_NEAR(points[1][1], top, 0.06);
  EXPECT_NEAR(points[2][1], top + height / 2, 0.06);
  // A constant still has a decade of its own, and 1 is called so.
  Chart constant = MakeChart({{0, 1}, {1, 1}});
  constant.log_y = true;
  EXPECT_GE(Drawing({constant}).Ticks("end").size(), 2u);
  EXPECT_EQ(Drawing({constant}).Ticks("end").front(), "1e-1");
}

TEST(Charts, DashesAreInTheCurveAndTheLegend) {
  Chart chart = MakeChart({{0, 0}, {1, 1}});
  EXPECT_EQ(Drawing({chart}).svg.find("stroke-dasharray"), std::string::npos);
  chart.curves[0].dashed = true;
  int dashed = 0;
  const Drawing d({chart});
  for (const SvgElement& path : d.Find("path", "")) {
    dashed += path.attributes.contains("stroke-dasharray");
  }
  EXPECT_EQ(dashed, 2);
}

TEST(Charts, EqualScalesAreEqual) {
  const auto size = [](const std::vector<Vec2>& corners, bool equal) {
    Chart chart = MakeChart(corners);
    chart.equal_scales = equal;
    const auto points = Points(Drawing({chart}).CurvePaths().at(0));
    return Vec2((points[1] - points[0]).cwiseAbs());
  };
  // 2 across and 2 up; 8 across and 1 up; 0.01 across and 3 up.
  for (const Vec2& box : {Vec2(2, 2), Vec2(8, 1), Vec2(0.01, 3)}) {
    const Vec2 drawn = size({{5, 7}, Vec2(5, 7) + box}, true);
    EXPECT_NEAR(drawn[0] * box[1], drawn[1] * box[0], 0.2 * box.maxCoeff()) << box.transpose();
    EXPECT_GT(drawn.maxCoeff(), 300) << "the larger side fills the frame";
  }
  const Vec2 stretched = size({{0, 0}, {8, 1}}, false);
  EXPECT_GT(stretched[1] / stretched[0], 0.25);
}

TEST(Charts, BreakCurvesWhereThereIsNoNumber) {
  const Drawing d({MakeChart({{0, 0}, {1, 1}, {2, kNaN}, {3, 1}, {kInfinity, 1}, {4, 0}, {5, 1}})});
  const std::string path = d.CurvePaths().at(0);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 3);
  EXPECT_EQ(Points(path).size(), 5u);
  for (const char* bad : {"nan", "inf"}) EXPECT_EQ(d.svg.find(bad), std::string::npos);
}

TEST(Charts, DrawNothingWhereThereIsNothing) {
  const Chart no_curves{"None", "x", "y", {}, false};
  const Chart no_points = MakeChart({});
  const Chart no_numbers = MakeChart({{kNaN, kNaN}, {kInfinity, 1}});
  Chart filled = MakeChart({});
  filled.curves[0].filled = true;
  const Drawing d({no_curves, no_points, no_numbers, filled});
  EXPECT_TRUE(d.CurvePaths().empty());
  EXPECT_EQ(d.Find("rect", "frame").size(), 4u);
  for (const char* bad : {"nan", "inf\"", "d=\"\"", "d=\"Z\""}) {
    EXPECT_EQ(d.svg.find(bad), std::string::npos) << bad;
  }
  EXPECT_NO_THROW(Drawing({}));
}

TEST(Charts, PutConstantsInTheMiddle) {
  for (double value : {0.0, 1.0, -1e6, 1e-9, 1e100}) {
    const Drawing d({MakeChart({{0, value}, {1, value * (1 + 1e-14)}})});
    const SvgElement frame = d.Frame();
    for (const Vec2& point : Points(d.CurvePaths().at(0))) {
      EXPECT_NEAR(point[1], frame.Number("y") + frame.Number("height") / 2, 0.1) << value;
    }
    EXPECT_GE(d.Ticks("end").size(), 2u) << value;
  }
}

TEST(Charts, SurviveHugeAndTinyNumbers) {
  for (double scale : {1e-308, 1e-300, 1e-30, 1e30, 1e250, 1e299}) {
    const Drawing d({MakeChart({{0, -scale}, {1, scale}, {2, 0}})});
    EXPECT_EQ(Points(d.CurvePaths().at(0)).size(), 3u) << scale;
    EXPECT_EQ(d.svg.find("nan"), std::string::npos) << scale;
    EXPECT_LT(d.elements.size(), 60u) << scale;
  }
  // Too far out to draw: left out like NaN.
  const Drawing d({MakeChart({{0, 0}, {1, 1}, {2, 1e308}, {3, -1e308}})});
  EXPECT_EQ(Points(d.CurvePaths().at(0)).size(), 2u);
}

TEST(Charts, LeaveOutPointsThatNobodySees) {
  std::vector<Vec2> points;
  for (int i = 0; i <= 100000; ++i) points.emplace_back(i, std::sin(i * 1e-4));
  const auto drawn = Points(Drawing({MakeChart(points)}).CurvePaths().at(0));
  EXPECT_LT(drawn.size(), 4000u);
  // The ends stay.
  const SvgElement frame = Drawing({MakeChart(points)}).Frame();
  EXPECT_NEAR(drawn.front()[0], frame.Number("x"), 0.06);
  EXPECT_NEAR(drawn.back()[0], frame.Number("x") + frame.Number("width"), 0.06);
}

TEST(Charts, DrawWhatIsTooSmallAsADot) {
  Curve line, point, speck;
  line.points = {{0, 0}, {10, 10}};
  point.points = {{5, 5}};
  speck.points = {{2, 5}, {2 + 1e-6, 5}, {2, 5 + 1e-6}};
  speck.filled = true;
  speck.opacity = 0.5;
  for (Curve* curve : {&line, &point, &speck}) curve->color = "#0072b2";
  const Drawing d({{"Chart", "x", "y", {line, point, speck}, false}});
  EXPECT_EQ(d.CurvePaths().size(), 1u) << "the line";
  const auto dots = d.Find("circle", "");
  ASSERT_EQ(dots.size(), 2u);
  const SvgElement frame = d.Frame();
  EXPECT_NEAR(dots[0].Number("cx"), frame.Number("x") + frame.Number("width") / 2, 0.06);
  EXPECT_NEAR(dots[0].Number("cy"), frame.Number("y") + frame.Number("height") / 2, 0.06);
  EXPECT_NEAR(dots[1].Number("cx"), frame.Number("x") + frame.Number("width") / 5, 0.06);
  for (const SvgElement& dot : dots) {
    EXPECT_GE(dot.Number("r"), 1);
    EXPECT_EQ(dot.attributes.at("fill"), "#0072b2");
  }
  EXPECT_EQ(dots[1].attributes.at("fill-opacity"), "0.500");
}

TEST(Charts, FillOutlines) {
  Chart chart = MakeChart({{0, 0}, {1, 0}, {0, 1}});
  chart.curves[0].filled = true;
  chart.curves[0].opacity = 0.5;
  const Drawing d({chart});
  EXPECT_TRUE(d.CurvePaths().at(0).ends_with("Z"));
  for (const SvgElement& path : d.Find("path", "")) {
    if (!path.attributes.contains("fill-opacity")) continue;
    EXPECT_EQ(path.attributes.at("fill"), "#0072b2");
    EXPECT_EQ(path.attributes.at("stroke-opacity"), "0.500");
  }
}

// A chart whose legend has entries of this length.
Chart MakeLegendChart(int entries, int length) {
  Chart chart{"Chart", "x", "y", {}, false};
  for (int i = 0; i < entries; ++i) {
    Curve curve;
    curve.name = fmt::format("{:0{}}", i, length);
    curve.points = {{0, 0}, {1, 1.0 * i}};
    curve.color = ChartColor(i);
    chart.curves.push_back(curve);
  }
  return chart;
}

TEST(Legends, StandBesideTheTitleWhenShort) {
  const Drawing d({MakeLegendChart(3, 8)});
  const SvgElement title = d.Text("Chart");
  double x = title.Number("x");
  for (const char* name : {"00000000", "00000001", "00000002"}) {
    EXPECT_EQ(d.Text(name).Number("y"), title.Number("y"));
    EXPECT_GT(d.Text(name).Number("x"), x);
    x = d.Text(name).Number("x");
  }
}

TEST(Legends, WrapBelowTheTitleWhenLong) {
  const Drawing d({MakeLegendChart(8, 30)}), brief({MakeLegendChart(3, 8)});
  const SvgElement title = d.Text("Chart"), frame = d.Frame();
  double lowest = 0;
  std::map<double, double> right_of_line;
  for (int i = 0; i < 8; ++i) {
    const SvgElement entry = d.Text(fmt::format("{:030}", i));
    const double y = entry.Number("y"), x = entry.Number("x");
    EXPECT_GT(y, title.Number("y") + 10) << "below the title";
    EXPECT_LT(y, frame.Number("y")) << "above the frame";
    EXPECT_GE(x, right_of_line[y]) << "entries do not overlap";
    right_of_line[y] = x + 30 * 6;
    EXPECT_LT(right_of_line[y], d.elements[0].Number("width"));
    lowest = std::max(lowest, y);
  }
  EXPECT_GE(right_of_line.size(), 2u) << "several lines";
  // The page grows by what the legend needs.
  EXPECT_GT(d.elements[0].Number("height"), brief.elements[0].Number("height") + 30);
  EXPECT_EQ(d.Frame().Number("height"), brief.Frame().Number("height"));
}

TEST(Legends, SkipCurvesWithoutName) {
  Chart chart = MakeLegendChart(2, 8);
  chart.curves[0].name.clear();
  const Drawing d({chart});
  EXPECT_EQ(d.CurvePaths().size(), 2u);
  EXPECT_NO_THROW(d.Text("00000001"));
  EXPECT_THROW(d.Text("00000000"), std::runtime_error);
  // A long title and no legend at all.
  chart.curves[1].name.clear();
  chart.title = std::string(200, 'x');
  EXPECT_EQ(Drawing({chart}).Frame().Number("y"), d.Frame().Number("y"));
}

TEST(Legends, ShowTheColoursOfTheirCurves) {
  const Drawing d({MakeLegendChart(3, 8)});
  std::vector<std::string> curves, keys;
  for (const SvgElement& path : d.Find("path", "")) {
    (path.attributes.contains("stroke-opacity") ? curves : keys)
        .push_back(path.attributes.at("stroke"));
  }
  EXPECT_EQ(keys, curves);
  EXPECT_EQ(keys, (std::vector<std::string>{ChartColor(0), ChartColor(1), ChartColor(2)}));
}

TEST(Colors, RepeatAfterEight) {
  EXPECT_EQ(ChartColor(0), ChartColor(8));
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(std::regex_match(ChartColor(i), std::regex("#[0-9a-f]{6}")));
    for (int k = 0; k < i; ++k) EXPECT_NE(ChartColor(i), ChartColor(k));
  }
}

TEST(Colors, BlendChannelByChannel) {
  EXPECT_EQ(BlendColors("#000000", "#ffffff", 0), "#000000");
  EXPECT_EQ(BlendColors("#000000", "#ffffff", 1), "#ffffff");
  EXPECT_EQ(BlendColors("#102030", "#304050", 0.5), "#203040");
  EXPECT_EQ(BlendColors("#ff0000", "#0000ff", 0.2), "#cc0033");
}

}  // namespace
}  // namespace voigt
