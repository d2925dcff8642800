// Frames of joints as triads (x red, y green, z blue): one per joint of the tree, and both sides of
// joints that close loops.

import * as THREE from 'three';

const axisColors = ['#d6336c', '#2b8a3e', '#1971c2'];

function triad(length) {
  const group = new THREE.Group();
  axisColors.forEach((color, axis) => {
    const direction = new THREE.Vector3().setComponent(axis, length);
    const line = new THREE.Line(
        new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), direction]),
        new THREE.LineBasicMaterial({color, depthTest: false, transparent: true}));
    line.renderOrder = 3;
    group.add(line);
  });
  group.matrixAutoUpdate = false;
  return group;
}

function matrixOf([x, y, z, qw, qx, qy, qz]) {
  return new THREE.Matrix4().compose(new THREE.Vector3(x, y, z),
      new THREE.Quaternion(qx, qy, qz, qw), new THREE.Vector3(1, 1, 1));
}

export class JointView {
  constructor(run, scene, size) {
    this.root = new THREE.Group();
    this.root.visible = false;
    this.frames = [];
    for (const joint of run.header.joints) {
      this.add(joint.parent, joint.pose_on_parent, 0.07 * size);
      if (joint.is_loop) this.add(joint.child, joint.pose_on_child, 0.05 * size);
    }
    scene.add(this.root);
  }

  add(body, pose, length) {
    const group = triad(length);
    this.frames.push({body, X_BF: matrixOf(pose), group});
    this.root.add(group);
  }

  update(X_WB) {
    if (!this.root.visible) return;
    for (const {body, X_BF, group} of this.frames) {
      group.matrix.multiplyMatrices(X_WB[body], X_BF);
      group.matrixWorldNeedsUpdate = true;
    }
  }
}
