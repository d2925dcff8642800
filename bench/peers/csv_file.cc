#include "bench/peers/csv_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

namespace voigt::peers {
namespace {

constexpr const char* kAbsent = "not expressible: ";
constexpr const char* kFailed = "FAILED: ";

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string Cell(const std::string& text) {
  return text.find_first_of(",\"") == std::string::npos ? text : Quoted(text);
}

// Commas and doubled quotes may stand between quotes.
std::vector<std::string> SplitLine(const std::string& line) {
  std::vector<std::string> out = {""};
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
        out.back() += line[++i];
      } else {
        is_quoted = !is_quoted;
      }
    } else if (line[i] == ',' && !is_quoted) {
      out.emplace_back();
    } else {
      out.back() += line[i];
    }
  }
  return out;
}

bool StripStart(const std::string& start, std::string* text) {
  if (text->rfind(start, 0) != 0) return false;
  *text = text->substr(start.size());
  return true;
}

// The reverse of DescribeStatus.
void SetStatus(std::string status, Measurement* m) {
  const auto set = [&](char(&to)[200]) { std::snprintf(to, sizeof(to), "%s", status.c_str()); };
  if (status == "ok") return;
  if (StripStart(kAbsent, &status)) return set(m->absent);
  if (StripStart(kFailed, &status)) return set(m->failure);
  if (!m->finished()) {
    const size_t end = status.find("; ");
    status = end == std::string::npos ? "" : status.substr(end + 2);
  }
  set(m->complaint);
}

Row ParseRow(const std::vector<std::string>& cells) {
  const auto number = [&](int i) { return cells[i].empty() ? NAN : std::stod(cells[i]); };
  Row out;
  out.engine = cells[1];
  if (!std::isnan(number(2))) out.seconds.assign(std::max(1, std::stoi(cells[3])), number(2));
  Measurement& m = out.first;
  m.error = number(4), m.penetration = number(6), m.violation = number(7);
  m.energy_gain = number(8), m.creep = number(9);
  m.contacts = std::stoi(cells[10]);
  m.steps = std::stol(cells[11]), m.wanted = std::stol(cells[12]);
  m.mass = number(13), m.least_gap = number(14), m.near = std::stoi(cells[15]);
  m.misplaced = number(16), m.first_fall = number(17);
  out.difference = cells[18] == "yes" ? "" : cells[18];
  SetStatus(cells[19], &m);
  return out;
}

using RowsByScene = std::map<std::string, std::map<std::string, Row>>;

void ReadRows(const std::string& path, RowsByScene* out) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line + "\n" != CsvHeader()) {
    throw std::runtime_error(path + ": expected a file with the columns of bench_peers");
  }
  for (int number = 2; std::getline(file, line); ++number) {
    const std::vector<std::string> cells = SplitLine(line);
    constexpr size_t kCells = 20;
    try {
      if (cells.size() != kCells) throw std::invalid_argument("cells");
      (*out)[cells[0]][cells[1]] = ParseRow(cells);
    } catch (const std::logic_error&) {
      throw std::runtime_error(
          fmt::format("{}:{}: expected {} cells with numbers where they belong, found \"{}\"", path,
                      number, kCells, line));
    }
  }
}

}  // namespace

std::string CsvHeader() {
  return "scene,engine,time_s_per_s,repetitions,error,unit,overlap_m,violation,energy_gain_J,creep_"
         "m_"
         "per_s,contacts,steps,wanted_steps,mass_kg,least_gap_m,near_pairs,misplaced_m,first_fall_"
         "m,"
         "same_scene,status\n";
}

std::string CsvLine(const Result& result, const Row& row) {
  const Measurement& m = row.first;
  const auto number = [](double value) {
    return std::isnan(value) ? std::string() : fmt::format("{:.6g}", value);
  };
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{:.9g},{:.9g},{},{:.3g},{:.9g},{},{}\n",
      result.trial.scene.name, Cell(row.engine), number(row.Median()), row.seconds.size(),
      number(m.error), result.trial.unit, number(m.penetration), number(m.violation),
      number(m.energy_gain), number(m.creep), m.contacts, m.steps, m.wanted, m.mass, m.least_gap,
      m.near, m.misplaced, m.first_fall, row.difference.empty() ? "yes" : Quoted(row.difference),
      Quoted(DescribeStatus(row)));
}

std::vector<Result> ReadCsvFiles(const std::vector<std::string>& paths,
                                 const std::vector<Trial>& trials,
                                 const std::vector<Engine>& engines) {
  RowsByScene rows;
  for (const std::string& path : paths) ReadRows(path, &rows);
  std::vector<Result> out;
  for (const Trial& trial : trials) {
    const auto found = rows.find(trial.scene.name);
    if (found == rows.end()) continue;
    Result result{trial, {}};
    for (const Engine& engine : engines) {
      const auto row = found->second.find(engine.name);
      if (row != found->second.end()) result.rows.push_back(row->second);
    }
    // Everything is compared with voigt.
    if (!result.rows.empty() && result.rows[0].engine == "voigt") out.push_back(result);
  }
  return out;
}

}  // namespace voigt::peers
