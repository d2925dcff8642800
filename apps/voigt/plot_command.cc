#include "apps/voigt/plot_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "apps/voigt/png.h"
#include "voigt/base/errors.h"
#include "voigt/plot/recording_charts.h"

namespace voigt {
namespace {

void WritePicture(const std::string& svg, const std::string& path) {
  if (path.ends_with(".png")) {
    try {
      WritePng(svg, path);
    } catch (const std::runtime_error& error) {
      throw InputError({path, 0, 0}, "--out", error.what());
    }
  } else {
    std::ofstream out(path, std::ios::binary);
    out << svg;
    out.close();
    if (!out) throw InputError({path, 0, 0}, "--out", "cannot be written: does the folder exist?");
  }
  fmt::print("plot        {}\n", path);
}

// One picture of each kind per chart.
void WriteFolder(const Recording& recording, const std::vector<NamedChart>& charts,
                 const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError({folder.string(), 0, 0}, "--out", "is no folder, and cannot be made");
  for (const NamedChart& chart : charts) {
    const std::string svg = ChartsToSvg(recording.name(), {chart.chart});
    WritePicture(svg, (folder / (chart.name + ".svg")).string());
    if (CanWritePng()) WritePicture(svg, (folder / (chart.name + ".png")).string());
  }
}

}  // namespace

void AddPlotCommand(CLI::App* app, PlotOptions* options) {
  CLI::App* plot = app->add_subcommand("plot", "Draw energy, motion, contacts and audit of a run");
  plot->add_option("recording", options->recording, "Recording (HDF5) of voigt sim --record")
      ->required();
  plot->add_option("--out", options->out,
                   "Picture (.svg or .png), or a folder for one of each kind per chart; without it "
                   "RECORDING.svg");
  plot->add_option("--coordinates", options->coordinates,
                   "Joints, or single coordinates such as base.x, separated by commas")
      ->delimiter(',');
  plot->add_option("--contacts", options->contacts,
                   "Bodies whose contact forces are drawn, separated by commas")
      ->delimiter(',');
}

int RunPlotCommand(const PlotOptions& options) {
  const std::filesystem::path recorded = options.recording;
  const std::string out = options.out.empty()
                              ? std::filesystem::path(recorded).replace_extension(".svg").string()
                              : options.out;
  if (out.ends_with(".png") && !CanWritePng()) {
    throw InputError({out, 0, 0}, "--out",
                     "this program was built without librsvg, which draws PNG: choose .svg");
  }
  const Recording recording(options.recording);
  const std::vector<NamedChart> charts =
      MakeRecordingCharts(recording, {options.coordinates, options.contacts});
  if (!out.ends_with(".svg") && !out.ends_with(".png")) {
    WriteFolder(recording, charts, out);
    return 0;
  }
  std::vector<Chart> all;
  for (const NamedChart& chart : charts) all.push_back(chart.chart);
  WritePicture(ChartsToSvg(recording.name(), all), out);
  return 0;
}

}  // namespace voigt
