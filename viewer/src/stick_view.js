// Bodies without solid shapes as sticks: from each of their joints to the centre of mass, or to the
// next joint where they have no mass.

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

export class StickView {
  constructor(run, scene, size) {
    const solid = new Set(run.header.shapes.filter(({type}) => !noSolid.includes(type))
        .map(({body}) => body));
    this.bodies = [];
    run.header.bodies.forEach(({mass, com}, body) => {
      if (body === 0 || solid.has(body)) return;
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.addSticks(group, jointPoints(run, body), mass > 0 ? new THREE.Vector3(...com) : null,
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

  update(X_WB) {
    for (const {body, group} of this.bodies) {
      group.matrix.copy(X_WB[body]);
      group.matrixWorldNeedsUpdate = true;
    }
  }
}
