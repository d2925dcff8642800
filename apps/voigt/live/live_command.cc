#include "apps/voigt/live/live_command.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace voigt {
namespace {

constexpr double kFarthest = 1e6;      // m
constexpr size_t kLongestText = 1000;  // characters of a path or a value

// Reads a form and remembers the first thing that is wrong with it.
class FormReader {
 public:
  explicit FormReader(const LiveForm& form) : form_(form) {}

  void AllowOnly(std::initializer_list<std::string_view> names) {
    for (const auto& [name, value] : form_) {
      bool is_known = name == "do";
      for (std::string_view known : names) is_known = is_known || name == known;
      if (!is_known) Complain(fmt::format("'{}' is not known here", name));
    }
  }

  std::string Text(const std::string& name) {
    const auto found = form_.find(name);
    if (found == form_.end()) {
      Complain(fmt::format("'{}' is missing", name));
      return {};
    }
    if (found->second.size() > kLongestText) Complain(fmt::format("'{}' is too long", name));
    return found->second;
  }

  double Number(const std::string& name, double least, double most) {
    const std::string text = Text(name);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number || !(value >= least && value <= most)) {
      Complain(fmt::format("{} = '{}', expected a number from {} to {}", name, text, least, most));
      return least;
    }
    return value;
  }

  Vec3 Place(const std::string& name) {
    Vec3 out;
    for (int i = 0; i < 3; ++i) out[i] = Number(name + "xyz"[i], -kFarthest, kFarthest);
    return out;
  }

  void Complain(std::string what) {
    if (complaint_.empty()) complaint_ = std::move(what);
  }
  const std::string& complaint() const { return complaint_; }

 private:
  const LiveForm& form_;
  std::string complaint_;
};

LiveDrag ReadDrag(int body_count, FormReader* form) {
  form->AllowOnly({"body", "px", "py", "pz", "tx", "ty", "tz"});
  const double body = form->Number("body", 1, body_count);
  if (body != std::floor(body)) form->Complain("body is no whole number");
  LiveDrag out;
  out.body = static_cast<int>(body);
  out.point = form->Place("p");
  out.target = form->Place("t");
  return out;
}

LiveCommand ReadOrder(const std::string& order, int body_count, FormReader* form) {
  if (order == "drag") return ReadDrag(body_count, form);
  if (order == "set") {
    form->AllowOnly({"path", "value"});
    LiveSet out{form->Text("path"), form->Text("value")};
    if (out.path.empty()) form->Complain("path is empty");
    return out;
  }
  if (order == "speed") {
    form->AllowOnly({"factor"});
    return LiveSpeed{form->Number("factor", 1e-4, 1e4)};
  }
  form->AllowOnly({});
  if (order == "play") return LivePlay{};
  if (order == "pause") return LivePause{};
  if (order == "step") return LiveStep{};
  if (order == "reset") return LiveReset{};
  if (order == "release") return LiveRelease{};
  form->Complain(fmt::format(
      "do = '{}', expected play, pause, step, reset, speed, drag, release or set", order));
  return LivePause{};
}

}  // namespace

std::variant<LiveCommand, std::string> ReadLiveCommand(const LiveForm& form, int body_count) {
  FormReader reader(form);
  const std::string order = reader.Text("do");
  LiveCommand command = ReadOrder(order, body_count, &reader);
  if (!reader.complaint().empty()) return reader.complaint();
  return command;
}

}  // namespace voigt
