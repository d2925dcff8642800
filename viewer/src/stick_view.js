// Bodies without solid shapes as sticks: from each of their joints and contact points to the centre of
// mass, or to the next joint where they have no mass.

import * as THREE from 'three';
import {bodyColors} from './palette.js';

const noSolid = ['half-space', 'points', 'foundation'];

// Points of a body at which joints hold it.
function jointPoints(run, body) {
  const points = [];
  for (const joint of run.header.joints) {
    if (joint.child === body) points.push(joint.pose_on_child);
    if (joint.parent === body) points.push(joint.pose_on_parent);
  }
  return points.map((pose) => new THREE.Vector3(...pose.slice(0, 3)));
}

// Points at which a body can touch, and the corners of its foundations.
function contactPoints(run, body) {
  return run.header.shapes.filter((shape) => shape.body === body).flatMap((shape) => {
    const [x, y, z, qw, qx, qy, qz] = shape.pose, turn = new THREE.Quaternion(qx, qy, qz, qw);
    const origin = new THREE.Vector3(x, y, z);
    return pointsOn(shape).map((p) => new THREE.Vector3(...p).applyQuaternion(turn).add(origin));
  });
}

function pointsOn({type, points, size}) {
  if (type === 'points') return points;
  if (type !== 'foundation') return [];
  return [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([i, j]) => [i * size[0] / 2, j * size[1] / 2, 0]);
}

export class StickView {
  constructor(run, scene, size) {
    const solid = new Set(run.header.shapes.filter(({type}) => !noSolid.includes(type))
        .map(({body}) => body));
    this.bodies = [];
    run.header.bodies.forEach(({mass, com}, body) => {
      if (body === 0 || solid.has(body)) return;
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.addSticks(group, [...jointPoints(run, body), ...contactPoints(run, body)],
          mass > 0 ? new THREE.Vector3(...com) : null,
          new THREE.MeshStandardMaterial({color: bodyColors[(body - 1) % bodyColors.length], roughness: 0.6}),
          0.012 * size);
      scene.add(group);
      this.bodies.push({body, group});
    });
  }

  addSticks(group, points, com, material, thickness) {
    if (com) group.add(this.ball(com, 2.2 * thickness, material));
    points.forEach((point) => group.add(this.ball(point, thickness, material)));
    const center = com ?? points[0];
    points.forEach((point) => {
      const way = point.clone().sub(center);
      if (way.length() < 1e-9) return;
      const stick = new THREE.Mesh(
          new THREE.CylinderGeometry(thickness, thickness, way.length(), 12), material);
      stick.position.copy(center).addScaledVector(way, 0.5);
      stick.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
      stick.castShadow = true;
      group.add(stick);
    });
  }

  ball(point, radius, material) {
    const ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 16, 12), material);
    ball.position.copy(point);
    ball.castShadow = true;
    return ball;
  }

  /** As BodyView.pick. */
  pick(raycaster) {
    const [hit] = raycaster.intersectObjects(this.bodies.map(({group}) => group), true);
    if (!hit) return null;
    const {body} = this.bodies.find(({group}) => group === hit.object.parent);
    return {body, point: hit.point, distance: hit.distance};
  }

  update(X_WB) {
    for (const {body, group} of this.bodies) {
      group.matrix.copy(X_WB[body]);
      group.matrixWorldNeedsUpdate = true;
    }
  }
}
