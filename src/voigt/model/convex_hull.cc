#include "voigt/model/convex_hull.h"

#include <fmt/format.h>
#include <libqhull_r/qhull_ra.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <memory>
#include <unordered_map>

namespace voigt {
namespace {

// Owns one run of qhull. Error text goes to a temporary file that nobody reads: the caller gets a
// sentence of ours instead.
class QhullRun {
 public:
  QhullRun() : log_(std::tmpfile()) { qh_zero(&qh_, log_); }
  ~QhullRun() {
    qh_freeqhull(&qh_, !qh_ALL);
    int current_long = 0, total_long = 0;
    qh_memfreeshort(&qh_, &current_long, &total_long);
    if (log_ != nullptr) std::fclose(log_);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  // Triangulated hull ("Qt") of 3-D points. Returns qhull's exit code, 0 for success.
  int Run(std::vector<double>* coordinates) {
    char command[] = "qhull Qt";
    return qh_new_qhull(&qh_, 3, static_cast<int>(coordinates->size() / 3), coordinates->data(),
                        /*ismalloc=*/False, command, log_, log_);
  }

  qhT* qh() { return &qh_; }

 private:
  std::FILE* log_;
  qhT qh_{};
};

TriangleMesh CollectFacets(QhullRun* run, const std::vector<Vec3>& points) {
  qhT* const qh = run->qh();
  TriangleMesh mesh;
  std::unordered_map<int, int> new_index;
  facetT* facet;
  FORALLfacets {
    std::array<int, 3> triangle{};
    int corner = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      const int point = qh_pointid(qh, vertex->point);
      const auto [entry, is_new] =
          new_index.try_emplace(point, static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back(points[point]);
      triangle[corner++] = entry->second;
    }
    // A facet of "top" orientation lists its vertices clockwise as seen from outside. This agrees
    // from neighbour to neighbour; the normals of slivers are rounding, and do not.
    if (facet->toporient != qh_ORIENTclock) std::swap(triangle[1], triangle[2]);
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

}  // namespace

std::optional<TriangleMesh> MakeConvexHullMesh(const std::vector<Vec3>& points,
                                               std::string* defect) {
  if (points.size() < 4) {
    *defect = fmt::format("{} points, expected at least 4", points.size());
    return std::nullopt;
  }
  std::vector<double> coordinates;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      *defect = fmt::format("point {} is not finite", i);
      return std::nullopt;
    }
    coordinates.insert(coordinates.end(), points[i].data(), points[i].data() + 3);
  }
  QhullRun run;
  if (run.Run(&coordinates) != 0) {
    *defect = fmt::format("the {} points have no convex hull with volume: do they lie in a plane?",
                          points.size());
    return std::nullopt;
  }
  return CollectFacets(&run, points);
}

}  // namespace voigt
