#include <fmt/format.h>

#include <vector>

#include "voigt/io/mesh_text.h"
#include "voigt/io/stl_facet.h"

namespace voigt {
namespace {

// Reads line after line; each says which lines may follow.
class StlTextReader {
 public:
  StlTextReader(std::string_view text, MeshBuilder* builder, MeshReport* report)
      : lines_(text, MeshLines::Style::kPlain), builder_(builder), report_(report) {}

  void Run() {
    while (!is_lost_ && lines_.Next(&words_)) ReadLine();
    if (is_lost_ || state_ == State::kOutside) {
      if (solids_ > 1) {
        report_->Note({}, "solids", fmt::format("{} solids are read as one mesh", solids_));
      }
      return;
    }
    report_->Fail(
        lines_.place(), "end",
        fmt::format("the file ends after {} whole facets, expected {}", facets_, Expected()));
  }

 private:
  enum class State { kOutside, kSolid, kFacet, kLoop, kLoopEnd };

  const char* Expected() const {
    switch (state_) {
      case State::kOutside:
        return "'solid'";
      case State::kSolid:
        return "'facet normal' or 'endsolid'";
      case State::kFacet:
        return "'outer loop'";
      case State::kLoop:
        return corners_ < 3 ? "'vertex', three times" : "'endloop'";
      case State::kLoopEnd:
        return "'endfacet'";
    }
    return "";
  }

  bool Is(size_t word, std::string_view keyword) const {
    return word < words_.size() && IsMeshKeyword(words_[word].text, keyword);
  }

  MeshPlace Here() const {
    MeshPlace place = words_[0].place;
    if (state_ != State::kOutside && state_ != State::kSolid) place.facet = facets_;
    return place;
  }

  // Three finite numbers from a word on, to the end of the line.
  bool ReadVector(size_t first, Vec3* out) {
    if (words_.size() != first + 3) {
      report_->Fail(Here(), "vector",
                    fmt::format("{} numbers after {}, expected 3",
                                words_.size() < first ? 0 : words_.size() - first,
                                QuoteForReport(words_[0].text)));
      return false;
    }
    bool is_good = true;
    for (size_t k = 0; k < 3; ++k) {
      MeshWord word = words_[first + k];
      word.place.facet = facets_;
      const std::optional<double> value = ReadMeshNumber(word, report_);
      is_good = is_good && value.has_value();
      (*out)[static_cast<int>(k)] = value.value_or(0);
    }
    return is_good;
  }

  void BeginFacet() {
    facet_ = StlFacet();
    facet_.place = words_[0].place;
    facet_.place.facet = facets_;
    corners_ = 0;
    state_ = State::kFacet;
    is_good_ = true;
    // Exporters write nan for the normals of slivers, and normals do not count.
    for (size_t k = 2; k < words_.size(); ++k) {
      const std::string_view text = words_[k].text;
      const std::string_view bare = text.substr(text.starts_with('-') ? 1 : 0);
      if (!IsMeshKeyword(bare.substr(0, 3), "nan") && !IsMeshKeyword(bare.substr(0, 3), "inf")) {
        continue;
      }
      facet_.normal.setConstant(kNaN);
      return;
    }
    is_good_ = ReadVector(2, &facet_.normal);
  }

  void ReadVertex() {
    is_good_ = ReadVector(1, &facet_.corners[corners_]) && is_good_;
    ++corners_;
  }

  void EndFacet() {
    if (is_good_) AddStlFacet(facet_, builder_, report_);
    ++facets_;
    state_ = State::kSolid;
  }

  void ReadLine() {
    if (state_ == State::kOutside && Is(0, "solid")) {
      ++solids_;
      state_ = State::kSolid;
    } else if (state_ == State::kSolid && Is(0, "endsolid")) {
      state_ = State::kOutside;
    } else if (state_ == State::kSolid && Is(0, "facet") && Is(1, "normal")) {
      BeginFacet();
    } else if (state_ == State::kFacet && Is(0, "outer") && Is(1, "loop") && words_.size() == 2) {
      state_ = State::kLoop;
    } else if (state_ == State::kLoop && corners_ < 3 && Is(0, "vertex")) {
      ReadVertex();
    } else if (state_ == State::kLoop && corners_ == 3 && Is(0, "endloop") && words_.size() == 1) {
      state_ = State::kLoopEnd;
    } else if (state_ == State::kLoopEnd && Is(0, "endfacet") && words_.size() == 1) {
      EndFacet();
    } else {
      // What follows would be guesswork.
      is_lost_ = true;
      report_->Fail(
          Here(), "line",
          fmt::format("{}, expected {}",
                      QuoteForReport({words_[0].text.data(),
                                      words_.back().text.data() + words_.back().text.size()}),
                      Expected()));
    }
  }

  MeshLines lines_;
  MeshBuilder* builder_;
  MeshReport* report_;
  std::vector<MeshWord> words_;
  State state_ = State::kOutside;
  StlFacet facet_;
  int corners_ = 0, facets_ = 0, solids_ = 0;
  bool is_good_ = true, is_lost_ = false;
};

}  // namespace

void ReadStlText(std::string_view text, MeshBuilder* builder, MeshReport* report) {
  StlTextReader(text, builder, report).Run();
}

}  // namespace voigt
