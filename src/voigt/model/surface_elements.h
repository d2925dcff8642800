#pragma once

#include <optional>
#include <string>
#include <vector>

#include "voigt/model/geometry.h"

// The elements of an elastic layer: cells that cover the surface of a solid, each with its area, a
// point of the surface in its middle and the normal there.
//
//   box             a grid on every face
//   sphere,         bands of equal angle about z from the equator to the poles, each cut into
//   cells; ellipsoid       an ellipsoid has those of the unit sphere, stretched cylinder        a
//   grid on the side; a disc and rings on the caps capsule         the side of the cylinder, and
//   half-spheres hull, mesh      on every triangle a grid along its longest side, cut off at the
//   others
//
// Areas and the middles of flat cells are exact, but for ellipsoids, whose areas are those of
// their middles: sums over elements are integrals by the midpoint rule, of second order in the size
// of the cells.
namespace voigt {

struct SurfaceElement {
  Vec3 p = Vec3::Zero();   // in the frame of the shape
  Vec3 n = Vec3::UnitZ();  // outwards, of unit length
  double area = 0;         // m²
};

// Why the layer is not possible on this shape, or nothing.
std::optional<std::string> DescribeLayerDefect(const Shape& shape, const ElasticLayer& layer);

// Of a layer without such a defect on a shape without one. Depends on the two alone; element k is
// the same one whenever it is asked for.
std::vector<SurfaceElement> LayElements(const Shape& shape, const ElasticLayer& layer);

}  // namespace voigt
