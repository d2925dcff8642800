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

/** The radius of a sphere about the shape's frame that holds it; 0 where it has no end. */
export function shapeRadius(shape, run) {
  if (shape.type === 'points') return Math.max(...shape.points.map((p) => Math.hypot(...p)));
  const geometry = makeGeometry(shape, run);
  if (!geometry) return 0;
  geometry.computeBoundingSphere();
  const {center, radius} = geometry.boundingSphere;
  return center.length() + radius;
}
