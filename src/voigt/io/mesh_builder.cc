#include "voigt/io/mesh_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "voigt/io/flat_triangles.h"

namespace voigt {
namespace {

// Products of four lengths stay finite.
constexpr double kLargestCoordinate = 1e50;

using Triangle = std::array<int, 3>;

bool IsOpen(const TriangleMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) edges.emplace(t[k], t[(k + 1) % 3]);
  }
  return std::any_of(edges.begin(), edges.end(),
                     [&](const auto& edge) { return !edges.contains({edge.second, edge.first}); });
}

// The same triangle, its smallest vertex first.
Triangle Rotated(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

std::string NameOf(const MeshPlace& place) {
  if (place.triangle >= 0) return fmt::format("triangle {}", place.triangle);
  if (place.facet >= 0) return fmt::format("facet {}", place.facet);
  return fmt::format("the triangle of line {}", place.line);
}

}  // namespace

MeshBuilder::MeshBuilder(const Vec3& scale, MeshReport* report) : scale_(scale), report_(report) {}

size_t MeshBuilder::HashBits::operator()(const Bits& bits) const {
  std::uint64_t hash = 0;
  for (std::uint64_t part : bits) {
    // Coordinates of few digits have empty low bits: fold the high ones onto them.
    hash = (hash ^ part ^ (part >> 32)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<size_t>(hash);
}

MeshBuilder::Bits MeshBuilder::BitsOf(const Vec3& point) {
  Bits bits;
  for (int k = 0; k < 3; ++k) bits[k] = std::bit_cast<std::uint64_t>(point[k] + 0.0);
  return bits;
}

int MeshBuilder::AddVertex(const Vec3& point, const MeshPlace& place) {
  const Vec3 scaled = point.cwiseProduct(scale_);
  for (int k = 0; k < 3; ++k) {
    if (std::abs(scaled[k]) <= kLargestCoordinate) continue;
    report_->Fail(place, "coordinate",
                  fmt::format("{} = {} of a vertex, expected a number of at most {} when scaled",
                              "xyz"[k], point[k], kLargestCoordinate));
  }
  mesh_.vertices.push_back(scaled);
  return static_cast<int>(mesh_.vertices.size()) - 1;
}

int MeshBuilder::AddJoinedVertex(const Vec3& point, const MeshPlace& place) {
  const int next = static_cast<int>(mesh_.vertices.size());
  const auto [entry, is_new] = table_.try_emplace(BitsOf(point.cwiseProduct(scale_)), next);
  if (is_new) AddVertex(point, place);
  return entry->second;
}

void MeshBuilder::AddTriangle(const std::array<int, 3>& corners, const MeshPlace& place) {
  mesh_.triangles.push_back(corners);
  places_.push_back(place);
}

void MeshBuilder::JoinVertices() {
  std::vector<int> number(mesh_.vertices.size());
  int joined = 0;
  for (size_t i = 0; i < number.size(); ++i) {
    const auto [entry, is_new] = table_.try_emplace(BitsOf(mesh_.vertices[i]), static_cast<int>(i));
    number[i] = entry->second;
    joined += is_new ? 0 : 1;
  }
  if (joined == 0) return;
  for (Triangle& t : mesh_.triangles) {
    for (int& corner : t) corner = number[corner];
  }
  // Those left out are no longer used, but that is known by now.
  std::vector<int> kept(number.size(), -1);
  std::vector<Vec3> vertices;
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] != static_cast<int>(i)) continue;
    kept[i] = static_cast<int>(vertices.size());
    vertices.push_back(mesh_.vertices[i]);
  }
  for (Triangle& t : mesh_.triangles) {
    for (int& corner : t) corner = kept[corner];
  }
  mesh_.vertices = std::move(vertices);
  report_->Note({}, "joined",
                fmt::format("the surface is open, so {} vertices at the same point as others were "
                            "joined with them",
                            joined));
}

void MeshBuilder::KeepTriangles(const std::vector<bool>& keep) {
  size_t count = 0;
  for (size_t i = 0; i < keep.size(); ++i) {
    if (!keep[i]) continue;
    mesh_.triangles[count] = mesh_.triangles[i];
    places_[count] = places_[i];
    ++count;
  }
  mesh_.triangles.resize(count);
  places_.resize(count);
}

void MeshBuilder::RemoveRepeatedCorners() {
  std::vector<bool> keep(mesh_.triangles.size(), true);
  for (size_t i = 0; i < keep.size(); ++i) {
    const Triangle& t = mesh_.triangles[i];
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) continue;
    keep[i] = false;
    const Vec3& p = mesh_.vertices[t[0] == t[1] ? t[0] : t[2]];
    report_->Note(places_[i], "repeated corner",
                  fmt::format("two corners are at one point ({}, {}, {}): left out, it has no area",
                              p[0], p[1], p[2]));
  }
  KeepTriangles(keep);
}

void MeshBuilder::RemoveDuplicates() {
  std::vector<bool> keep(mesh_.triangles.size(), true);
  std::map<Triangle, size_t> first;
  for (size_t i = 0; i < keep.size(); ++i) {
    const Triangle t = Rotated(mesh_.triangles[i]);
    const auto [entry, is_new] = first.try_emplace(t, i);
    if (!is_new) {
      keep[i] = false;
      report_->Note(places_[i], "duplicate",
                    fmt::format("repeats {}: left out", NameOf(places_[entry->second])));
    } else if (const auto back = first.find({t[0], t[2], t[1]}); back != first.end()) {
      report_->Note(places_[i], "back",
                    fmt::format("is {} seen from behind: the surface has two sides and "
                                "nothing between them there",
                                NameOf(places_[back->second])));
    }
  }
  KeepTriangles(keep);
}

void MeshBuilder::RemoveUnusedVertices() {
  std::vector<int> number(mesh_.vertices.size(), -1);
  for (const Triangle& t : mesh_.triangles) {
    for (int corner : t) number[corner] = 0;
  }
  int count = 0;
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    mesh_.vertices[count] = Vec3(mesh_.vertices[i]);
    number[i] = count++;
  }
  const int unused = static_cast<int>(number.size()) - count;
  if (unused == 0) return;
  mesh_.vertices.resize(count);
  for (Triangle& t : mesh_.triangles) {
    for (int& corner : t) corner = number[corner];
  }
  report_->Note(
      {}, "unused",
      fmt::format("{} of {} vertices belong to no triangle: left out", unused, number.size()));
}

TriangleMesh MeshBuilder::Finish() {
  if (joins_if_open_ && IsOpen(mesh_)) JoinVertices();
  RemoveRepeatedCorners();
  RemoveDuplicates();
  RemoveFlatTriangles(&mesh_, &places_, report_);
  RemoveUnusedVertices();
  if (mesh_.triangles.empty()) {
    report_->Fail({}, "empty", "has no triangles with an area, expected at least one");
  }
  if ((scale_.array() < 0).count() % 2 == 1) {
    for (Triangle& t : mesh_.triangles) std::swap(t[1], t[2]);
  }
  return std::move(mesh_);
}

}  // namespace voigt
