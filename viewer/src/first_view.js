// A first view that shows what matters: where shapes and centres of mass are at five moments from
// start to end, without the few that flew away.

import * as THREE from 'three';
import {shapeKey, shapeRadius} from './shapes.js';

// [{body, p, r}]: spheres fixed to moving bodies that hold all of them.
function spheresOf(run) {
  const spheres = [], radius = new Map();
  for (const shape of run.header.shapes) {
    const key = shapeKey(shape);
    if (!radius.has(key)) radius.set(key, shapeRadius(shape, run));
    if (shape.body === 0 || radius.get(key) === 0) continue;
    spheres.push({body: shape.body, p: new THREE.Vector3(...shape.pose.slice(0, 3)), r: radius.get(key)});
  }
  for (const joint of run.header.joints) {
    const at = (pose) => new THREE.Vector3(...pose.slice(0, 3));
    spheres.push({body: joint.parent, p: at(joint.pose_on_parent), r: 0});
    spheres.push({body: joint.child, p: at(joint.pose_on_child), r: 0});
  }
  run.header.bodies.forEach(({com}, body) => {
    if (body > 0) spheres.push({body, p: new THREE.Vector3(...com), r: 0});
  });
  return spheres;
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
  const moments = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (run.frames - 1)));
  const spheres = spheresOf(run);
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
  const radius = sorted[Math.ceil(0.96 * (sorted.length - 1))] || 1;
  const sizes = spheres.map(({r}) => r).filter((r) => r > 0).sort((a, b) => a - b);
  const detail = sizes[sizes.length >> 1] ?? radius;
  return {center, radius, detail, spheres: seen.filter((sphere) => reach(sphere) <= radius)};
}
