// Triangles for every shape, centred on the shape's own frame, z along axes of rotation.

import * as THREE from 'three';

function alongZ(geometry) {
  // three.js builds along y.
  return geometry.rotateX(Math.PI / 2);
}

function fromTriangles(shape, run) {
  const {first_vertex, vertex_count, first_triangle, triangle_count} = shape;
  const geometry = new THREE.BufferGeometry();
  const vertices = run.mesh_vertices.subarray(3 * first_vertex, 3 * (first_vertex + vertex_count));
  const triangles = run.mesh_triangles.subarray(3 * first_triangle,
                                                3 * (first_triangle + triangle_count));
  geometry.setAttribute('position', new THREE.BufferAttribute(vertices, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  // Faces are flat: every triangle has corners of its own.
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

const makers = {
  sphere: (s) => new THREE.SphereGeometry(s.radius, 32, 20).rotateX(Math.PI / 2),
  box: (s) => new THREE.BoxGeometry(...s.size),
  capsule: (s) => alongZ(new THREE.CapsuleGeometry(s.radius, s.length, 10, 28)),
  cylinder: (s) => alongZ(new THREE.CylinderGeometry(s.radius, s.radius, s.length, 40)),
  ellipsoid: (s) => new THREE.SphereGeometry(1, 32, 20).rotateX(Math.PI / 2).scale(...s.radii),
  foundation: (s) => new THREE.BoxGeometry(s.size[0], s.size[1], 1e-3 * Math.max(...s.size)),
  mesh: fromTriangles,
};

/** Shapes of one key share their triangles. */
export function shapeKey(shape) {
  const {body, pose, name, material, ...form} = shape;
  return JSON.stringify(form);
}

export function makeGeometry(shape, run) {
  const maker = makers[shape.type];
  return maker ? maker(shape, run) : null;
}

/** Spheres [{p, r}] in the shape's frame whose hull holds it: one, or the corners of a box; none where
 *  the shape has no end. */
export function shapeExtent(shape, run) {
  if (shape.type === 'points') return shape.points.map((p) => ({p: new THREE.Vector3(...p), r: 0}));
  if (shape.type === 'sphere') return [{p: new THREE.Vector3(), r: shape.radius}];
  const geometry = makeGeometry(shape, run);
  if (!geometry) return [];
  geometry.computeBoundingBox();
  const {min, max} = geometry.boundingBox;
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => ({r: 0, p: new THREE.Vector3(
      k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z)}));
}
