#include "voigt/io/stl_reader.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <bit>
#include <cstdint>

#include "voigt/io/mesh_text.h"
#include "voigt/io/stl_facet.h"

namespace voigt {
namespace {

std::uint32_t ReadWord(std::string_view data, size_t at) {
  std::uint32_t word = 0;
  for (int k = 3; k >= 0; --k) word = word << 8 | static_cast<unsigned char>(data[at + k]);
  return word;
}

Vec3 ReadVector(std::string_view data, size_t at) {
  Vec3 out;
  for (int k = 0; k < 3; ++k) out[k] = std::bit_cast<float>(ReadWord(data, at + 4 * k));
  return out;
}

bool BeginsWithSolid(std::string_view data) {
  data = WithoutByteOrderMark(data);
  const size_t start = data.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && IsMeshKeyword(data.substr(start, 5), "solid");
}

bool CheckCorners(const StlFacet& facet, MeshReport* report) {
  for (int k = 0; k < 3; ++k) {
    const Vec3& p = facet.corners[k];
    if (p.allFinite()) continue;
    report->Fail(
        facet.place, "corner",
        fmt::format("corner {} is ({}, {}, {}), expected finite numbers", k, p[0], p[1], p[2]));
    return false;
  }
  return true;
}

// Files that end early, or hold more than their count says.
bool CheckSize(std::string_view data, MeshReport* report) {
  const std::uint64_t count = ReadWord(data, 80), expected = 84 + 50 * count;
  if (data.size() == expected) return true;
  const std::string message =
      fmt::format("byte 80 announces {} facets, which take {} bytes, but the file has {}", count,
                  expected, data.size());
  const bool is_padding = count > 0 && data.size() > expected && data.size() - expected < 50;
  if (is_padding) {
    report->Note({}, "padding", message + ": the rest is not read");
  } else {
    report->Fail({}, "size", message);
  }
  return is_padding;
}

void ReadStlBinary(std::string_view data, MeshBuilder* builder, MeshReport* report) {
  if (!CheckSize(data, report)) return;
  const auto count = static_cast<int>(ReadWord(data, 80));
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(StlFacetOffset(i));
    StlFacet facet;
    facet.place.facet = i;
    facet.normal = ReadVector(data, at);
    for (int k = 0; k < 3; ++k) facet.corners[k] = ReadVector(data, at + 12 + 12 * k);
    if (data[at + 48] != 0 || data[at + 49] != 0) {
      report->Note(facet.place, "attribute",
                   fmt::format("its attribute 0x{:02x}{:02x} (a colour, say) is not read",
                               data[at + 49] & 0xff, data[at + 48] & 0xff));
    }
    if (CheckCorners(facet, report)) AddStlFacet(facet, builder, report);
  }
}

}  // namespace

void AddStlFacet(const StlFacet& facet, MeshBuilder* builder, MeshReport* report) {
  std::array<int, 3> corners;
  for (int k = 0; k < 3; ++k) corners[k] = builder->AddJoinedVertex(facet.corners[k], facet.place);
  builder->AddTriangle(corners, facet.place);
  const Vec3& n = facet.normal;
  if (!n.allFinite()) {
    report->Note(
        facet.place, "normal finite",
        fmt::format("its normal ({}, {}, {}) is not finite; it is not needed", n[0], n[1], n[2]));
    return;
  }
  const Vec3 u = facet.corners[1] - facet.corners[0], v = facet.corners[2] - facet.corners[0];
  // Normals are rounded, and those of slivers mean little: only a clear contradiction counts.
  const Vec3 winding = u.cross(v);
  if (winding.dot(n) < -0.1 * winding.norm() * n.norm()) {
    report->Note(facet.place, "normal",
                 fmt::format("its normal ({}, {}, {}) points against the order of its corners, "
                             "which decides what is outside",
                             n[0], n[1], n[2]));
  }
}

void ReadStl(std::string_view data, MeshBuilder* builder, MeshReport* report) {
  const bool has_count = data.size() >= 84;
  const bool fits = has_count && data.size() == 84 + 50 * std::uint64_t{ReadWord(data, 80)};
  const bool is_text = BeginsWithSolid(data) && data.find('\0') == std::string_view::npos;
  if (!fits && is_text) {
    ReadStlText(data, builder, report);
  } else if (has_count) {
    ReadStlBinary(data, builder, report);
  } else {
    report->Fail({}, "size",
                 fmt::format("has {} bytes and begins with {}, expected an STL: a text that begins "
                             "with 'solid', or 84 bytes and 50 more per facet",
                             data.size(), QuoteForReport(data.substr(0, 10))));
  }
}

}  // namespace voigt
