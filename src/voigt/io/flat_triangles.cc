#include "voigt/io/flat_triangles.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace voigt {
namespace {

using Triangle = std::array<int, 3>;

// Turns edges until no triangle is flat.
class FlatRemover {
 public:
  FlatRemover(TriangleMesh* mesh, const std::vector<MeshPlace>& places, MeshReport* report)
      : mesh_(*mesh), places_(places), report_(report), keep_(mesh->triangles.size(), true) {
    for (size_t i = 0; i < keep_.size(); ++i) Link(static_cast<int>(i));
  }

  const std::vector<bool>& keep() const { return keep_; }

  void Run(std::vector<int> flat) {
    // A turn makes two triangles of a flat one and its neighbour, and a flat neighbour may turn in
    // its own time; where flat ones only turn among themselves, there is no end.
    long turns_left = 20 + 10 * static_cast<long>(flat.size());
    while (!flat.empty()) {
      const int i = flat.back();
      flat.pop_back();
      if (!keep_[i] || !IsFlat(i)) continue;
      const int neighbour = --turns_left < 0 ? kUnknown : Turn(i);
      if (neighbour == kUnknown) {
        Note(i, "left out, and the surface open there, as it is no simple one");
        Drop(i);
      } else if (neighbour >= 0) {
        flat.push_back(neighbour);
        flat.push_back(i);
      }
    }
  }

 private:
  static constexpr int kNone = -1, kUnknown = -2;

  bool IsFlat(int i) const {
    const Triangle& t = mesh_.triangles[i];
    return IsFlatTriangle(mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]);
  }

  void Link(int i) {
    const Triangle& t = mesh_.triangles[i];
    for (int k = 0; k < 3; ++k) {
      const auto [entry, is_new] = at_edge_.try_emplace({t[k], t[(k + 1) % 3]}, i);
      if (!is_new) entry->second = kUnknown;
    }
  }

  void Unlink(int i) {
    const Triangle& t = mesh_.triangles[i];
    for (int k = 0; k < 3; ++k) {
      const auto entry = at_edge_.find({t[k], t[(k + 1) % 3]});
      if (entry != at_edge_.end() && entry->second == i) at_edge_.erase(entry);
    }
  }

  // The triangle at a directed edge; kUnknown if there are several.
  int At(int from, int to) const {
    const auto entry = at_edge_.find({from, to});
    return entry == at_edge_.end() ? kNone : entry->second;
  }

  // The corners in their order, the longest side from the last to the first.
  Triangle FromLongestSide(int i) const {
    Triangle t = mesh_.triangles[i];
    const auto length = [&](int k) {
      return (mesh_.vertices[t[k]] - mesh_.vertices[t[(k + 1) % 3]]).norm();
    };
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
      if (length(k) > length(longest)) longest = k;
    }
    std::rotate(t.begin(), t.begin() + (longest + 1) % 3, t.end());
    return t;
  }

  void Drop(int i) {
    Unlink(i);
    keep_[i] = false;
  }

  void Note(int i, const char* what) {
    report_->Note(places_[i], "flat",
                  fmt::format("has no area, its corners lie on one line: {}", what));
  }

  // Removes triangle i or changes it with its neighbour. Returns the neighbour, kNone if there is
  // nothing more to do, kUnknown if nothing can be done.
  int Turn(int i) {
    const auto [a, b, c] = FromLongestSide(i);
    const int neighbour = At(a, c);
    if (neighbour == kNone) {
      Note(i, "left out, at the rim of the surface");
      Drop(i);
      return kNone;
    }
    if (neighbour == kUnknown) return kUnknown;
    const Triangle n = mesh_.triangles[neighbour];
    const int d = n[0] + n[1] + n[2] - a - c;
    if (d == b) {
      Note(i, "left out with its back");
      Drop(i);
      Drop(neighbour);
      return kNone;
    }
    if (At(b, d) != kNone || At(d, b) != kNone) return kUnknown;
    Note(i, "the neighbour at its longest side was cut in two instead");
    Unlink(i);
    Unlink(neighbour);
    mesh_.triangles[i] = {a, b, d};
    mesh_.triangles[neighbour] = {b, c, d};
    Link(i);
    Link(neighbour);
    return neighbour;
  }

  TriangleMesh& mesh_;
  const std::vector<MeshPlace>& places_;
  MeshReport* report_;
  std::vector<bool> keep_;
  std::map<std::pair<int, int>, int> at_edge_;
};

}  // namespace

bool IsFlatTriangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  const double size = std::max({u.lpNorm<Eigen::Infinity>(), v.lpNorm<Eigen::Infinity>(),
                                (c - b).lpNorm<Eigen::Infinity>()});
  if (!(size > 0)) return true;
  const double reach = std::max(
      {a.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>(), c.lpNorm<Eigen::Infinity>()});
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * reach;
  // Measured in sides, so that the product neither overflows nor vanishes.
  return (u / size).cross(v / size).norm() <= rounding / size;
}

void RemoveFlatTriangles(TriangleMesh* mesh, std::vector<MeshPlace>* places, MeshReport* report) {
  std::vector<int> flat;
  for (size_t i = 0; i < mesh->triangles.size(); ++i) {
    const Triangle& t = mesh->triangles[i];
    if (IsFlatTriangle(mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]])) {
      flat.push_back(static_cast<int>(i));
    }
  }
  if (flat.empty()) return;
  FlatRemover remover(mesh, *places, report);
  remover.Run(std::move(flat));
  size_t count = 0;
  for (size_t i = 0; i < remover.keep().size(); ++i) {
    if (!remover.keep()[i]) continue;
    mesh->triangles[count] = mesh->triangles[i];
    (*places)[count] = (*places)[i];
    ++count;
  }
  mesh->triangles.resize(count);
  places->resize(count);
}

}  // namespace voigt
