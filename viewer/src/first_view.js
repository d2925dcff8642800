// A first view that shows what matters: where shapes and centres of mass are at some moments from
// start to end, without the few that flew away; and what stands still, if it is not much larger.

import * as THREE from 'three';
import {shapeExtent, shapeKey} from './shapes.js';

// [{body, p, r}]: spheres fixed to bodies whose hull holds them; those of the world apart. And the sizes
// of the shapes that move.
function spheresOf(run) {
  const spheres = [], fixed = [], sizes = [], extents = new Map();
  for (const shape of run.header.shapes) {
    const key = shapeKey(shape);
    if (!extents.has(key)) extents.set(key, shapeExtent(shape, run));
    const [x, y, z, qw, qx, qy, qz] = shape.pose, turn = new THREE.Quaternion(qx, qy, qz, qw);
    const list = extents.get(key).map(({p, r}) => (
      {body: shape.body, r, p: p.clone().applyQuaternion(turn).add(new THREE.Vector3(x, y, z))}));
    (shape.body === 0 ? fixed : spheres).push(...list);
    if (shape.body !== 0) sizes.push(Math.max(0, ...extents.get(key).map(({p, r}) => p.length() + r)));
  }
  for (const joint of run.header.joints) {
    const at = (pose) => new THREE.Vector3(...pose.slice(0, 3));
    spheres.push({body: joint.parent, p: at(joint.pose_on_parent), r: 0});
    spheres.push({body: joint.child, p: at(joint.pose_on_child), r: 0});
  }
  run.header.bodies.forEach(({com}, body) => {
    if (body > 0) spheres.push({body, p: new THREE.Vector3(...com), r: 0});
  });
  return {spheres, fixed, sizes: sizes.filter((size) => size > 0).sort((a, b) => a - b)};
}

function place({body, p, r}, frame, run) {
  if (body === 0) return {p, r};
  const i = 7 * ((run.bodies - 1) * frame + body - 1), x = run.poses;
  const turn = new THREE.Quaternion(x[i + 4], x[i + 5], x[i + 6], x[i + 3]);
  return {p: p.clone().applyQuaternion(turn).add(new THREE.Vector3(x[i], x[i + 1], x[i + 2])), r};
}

/** What is to be seen: spheres [{p, r}], center and radius of one that holds them, and the radius of
 *  the shape in the middle of all sizes. */
export function firstView(run) {
  const {spheres, fixed, sizes} = spheresOf(run);
  const count = Math.min(Math.max(Math.floor(20000 / (spheres.length + 1)), 5), 60);
  const moments = Array.from({length: count}, (_, i) => Math.round(i / (count - 1) * (run.frames - 1)));
  const seen = moments.flatMap((frame) => spheres.map((sphere) => place(sphere, frame, run)));
  if (seen.length === 0) seen.push({p: new THREE.Vector3(), r: 1});
  // Halfway between the fourth and the ninety-sixth percentile along each axis.
  const center = new THREE.Vector3(...[0, 1, 2].map((axis) => {
    const sorted = seen.map(({p}) => p.getComponent(axis)).sort((a, b) => a - b);
    const last = sorted.length - 1;
    return (sorted[Math.floor(0.04 * last)] + sorted[Math.ceil(0.96 * last)]) / 2;
  }));
  const reach = ({p, r}) => p.distanceTo(center) + r;
  const sorted = seen.map(reach).sort((a, b) => a - b);
  const usual = sorted[Math.ceil(0.96 * (sorted.length - 1))] || 1;
  const kept = [...seen.filter((sphere) => reach(sphere) <= 1.5 * usual),
    ...fixed.filter((sphere) => reach(sphere) <= 3 * usual)];
  const radius = kept.reduce((most, sphere) => Math.max(most, reach(sphere)), 0) || 1;
  const detail = sizes[sizes.length >> 1] ?? radius;
  return {center, radius, detail, spheres: kept};
}
