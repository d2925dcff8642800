#include "voigt/replay/replay_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/replay/replay_model.h"

namespace voigt {
namespace {

// Series by series: neighbours in time are alike, and compress.
std::vector<float> BySeries(const ReplayFrames& frames) {
  const size_t count = frames.series.size();
  std::vector<float> out;
  out.reserve(frames.values.size());
  for (size_t k = 0; k < count; ++k) {
    for (size_t f = 0; f < frames.t.size(); ++f) out.push_back(frames.values[f * count + k]);
  }
  return out;
}

// Property by property.
void AddContactBlocks(const ReplayFrames& frames, ReplayBlocks* blocks) {
  std::vector<float> point, normal, direction, size, depth, pressure, area;
  std::vector<std::uint8_t> state;
  std::vector<std::uint32_t> bodies;
  float reach = 0;
  for (const ReplayFrames::ContactPoint& contact : frames.contacts) {
    const float* f = contact.force;
    const float length = std::hypot(f[0], f[1], f[2]);
    for (int i = 0; i < 3; ++i) {
      point.push_back(contact.point[i]);
      normal.push_back(contact.normal[i]);
      direction.push_back(length > 0 ? f[i] / length : 0);
      reach = std::max(reach, std::abs(contact.point[i]));
    }
    size.push_back(length);
    depth.push_back(contact.depth);
    pressure.push_back(contact.pressure);
    area.push_back(contact.area);
    state.push_back(contact.state);
    bodies.insert(bodies.end(), {contact.bodies[0], contact.bodies[1]});
  }
  blocks->Add("contact_start", frames.contact_start);
  blocks->AddRounded("contact_point", point, reach);
  blocks->AddRounded("contact_normal", normal, 1);
  blocks->AddRounded("contact_force_direction", direction, 1);
  blocks->Add("contact_force_size", size);
  blocks->Add("contact_depth", depth);
  blocks->Add("contact_pressure", pressure);
  blocks->Add("contact_area", area);
  blocks->Add("contact_state", state);
  blocks->Add("contact_bodies", bodies);
}

void WriteText(const ReplayText& text, JsonWriter* out) {
  out->Key("title").Text(text.title).Key("description").Text(text.description);
  WriteReplayTables(text.tables, out);
}

// All members but "blocks".
void WriteHeader(const Model& model, const ReplayText& text, const ReplayFrames& frames,
                 JsonWriter* header, ReplayBlocks* blocks) {
  header->Key("format").Integer(1);
  WriteText(text, header);
  WriteReplayModel(model, header, blocks);
  header->Key("series").Begin('[');
  for (const ReplaySeries& series : frames.series) {
    header->Begin('{').Key("name").Text(series.name).Key("unit").Text(series.unit);
    header->Key("group").Text(series.group).End();
  }
  header->End().Key("held").Begin('[');
  for (const std::string& name : frames.held()) header->Text(name);
  header->End();
}

std::string MakeRun(const Model& model, const ReplayText& text, const ReplayFrames& frames) {
  JsonWriter header;
  ReplayBlocks blocks;
  header.Begin('{');
  WriteHeader(model, text, frames, &header, &blocks);
  AddFrameBlocks(frames, &blocks);
  header.Key("blocks");
  blocks.WriteTable(&header);
  header.End();
  return fmt::format(
      "<script id=\"voigt-run\" type=\"application/json\">{}</script>\n"
      "<script id=\"voigt-data\" type=\"text/plain\">{}</script>\n",
      header.text(), blocks.Encode());
}

}  // namespace

void WriteReplayTables(const std::vector<ReplayTable>& tables, JsonWriter* out) {
  out->Key("tables").Begin('[');
  for (const ReplayTable& table : tables) {
    out->Begin('{').Key("title").Text(table.title).Key("rows").Begin('[');
    for (const ReplayTable::Row& row : table.rows) {
      out->Begin('{').Key("label").Text(row.label).Key("value").Text(row.value);
      out->Key("bad").Flag(row.is_bad).End();
    }
    out->End().End();
  }
  out->End();
}

void AddFrameBlocks(const ReplayFrames& frames, ReplayBlocks* blocks) {
  blocks->Add("t", frames.t);
  blocks->Add("poses", frames.poses);
  blocks->Add("values", BySeries(frames));
  blocks->Add("gaps", frames.gaps);
  AddContactBlocks(frames, blocks);
}

std::string DescribeRun(const Model& model, const ReplayText& text) {
  JsonWriter out;
  ReplayBlocks blocks;
  out.Begin('{');
  WriteHeader(model, text, ReplayFrames(model), &out, &blocks);
  out.Key("blocks");
  blocks.WriteTable(&out);
  out.Key("data").Text(blocks.EncodePlain()).End();
  return out.text();
}

std::string MakeReplayRun(const Model& model, const ReplayText& text, ReplayFrames frames,
                          size_t most_bytes) {
  std::string run = MakeRun(model, text, frames);
  while (run.size() > most_bytes && frames.count() > 2) {
    frames.ThinOut();
    run = MakeRun(model, text, frames);
  }
  return run;
}

std::string MakeReplayPage(const Model& model, const ReplayText& text, ReplayFrames frames,
                           size_t most_bytes) {
  const std::string_view page = ReplayTemplate();
  VOIGT_CHECK(!page.empty());
  const size_t place = page.find(kPlaceOfRun);
  VOIGT_CHECK(place != std::string_view::npos);
  const size_t left = most_bytes - std::min(most_bytes, page.size());
  std::string out(page.substr(0, place));
  out += MakeReplayRun(model, text, std::move(frames), left);
  out += page.substr(place + kPlaceOfRun.size());
  return out;
}

}  // namespace voigt
